import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import type { PageProblem, Verdict } from '../crawl/siteCrawl.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { WebhookConfig } from '../schemas/body.cjs';
import type { Document } from '../scrape/formats.cjs';
import type { Team } from '../teams.cjs';

/** A page that a job is to scrape. */
export interface Page {
	url: string;
	/** The job's own when left out. */
	options?: ScrapeOptions;
}

/** Where a job's pages come from: the list of a batch, or the way through a site. */
export interface PageSource {
	/** Pages known so far; those that failed are left out. */
	readonly total: number;
	readonly robotsBlocked: readonly string[];
	/** Why the first page may not be read, where it may not. */
	begin(): PageProblem | undefined;
	next(): Page | undefined;
	visited(url: string, finalUrl: string, links?: readonly string[]): Verdict;
	failed(): void;
}

/** The pages of a batch, in the order of the request; more may be added later. */
export class BatchSource implements PageSource {
	readonly robotsBlocked = [];
	total = 0;
	private readonly queue: Page[] = [];

	add(pages: readonly Page[]): void {
		this.total += pages.length;
		this.queue.push(...pages);
	}

	begin(): undefined {}

	next(): Page | undefined {
		return this.queue.shift();
	}

	visited(): Verdict {
		return 'keep';
	}

	failed(): void {
		this.total--;
	}
}

/** An item of `GET …/errors`. */
export interface PageError {
	id: string;
	timestamp: string;
	url: string;
	code?: string;
	error: string;
}

/** What is fixed from the start. */
export interface JobFacts {
	kind: 'batch' | 'crawl';
	team: Team;
	startedAt: number;
	source: PageSource;
	/** How its pages are scraped, where they do not say it themselves. */
	pageOptions?: ScrapeOptions;
	pace: Pace;
	concurrency: number;
	delayMs: number;
	webhook?: WebhookConfig;
	requestId: string;
	/** A crawl's start page and options, for the list of active ones. */
	url?: string;
	options?: Record<string, unknown>;
}

export type JobStatus = 'scraping' | 'completed' | 'failed' | 'cancelled';

/** A batch or crawl job. `PageJobs` moves it along the service's clock. */
export class PageJob {
	readonly id = randomUUID();
	status: JobStatus = 'scraping';
	/** In the order in which the pages were done. */
	readonly documents: Document[] = [];
	/** What each document takes in an answer, in about bytes. */
	readonly sizes: number[] = [];
	readonly errors: PageError[] = [];
	finishedAt?: number;
	error?: string;
	creditsUsed = 0;
	active = 0;
	begun = 0;
	private readonly stopping = new AbortController();

	constructor(readonly about: JobFacts) {
		// Every page at work listens.
		setMaxListeners(0, this.stopping.signal);
	}

	/** Aborted when no page is to be begun or kept any more. */
	get stopped(): AbortSignal {
		return this.stopping.signal;
	}

	stop(): void {
		this.stopping.abort(new Error('The job was stopped'));
	}

	keep(document: Document): void {
		this.documents.push(document);
		this.sizes.push(sizeOf(document));
	}
}

/** About the length of a value's JSON. To write the JSON would be exact but slow for large pages. */
function sizeOf(value: unknown): number {
	if (typeof value === 'string') return value.length + 2;
	if (typeof value !== 'object' || value === null) return 8;
	return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + sizeOf(each), 4);
}

/** How a batch or crawl job goes. What it finds is computed. Times are milliseconds on the service's clock. */
export interface Pace {
	/** What a page takes on average beside its own delays; always the same for an address. */
	pageMs: number;
	/** How long the job's status is 404 after its start, as where a store lags behind. */
	unknownMs?: number;
	/** How long the job says that it has completed before its work begins: nothing of it is done. */
	earlyMs?: number;
	/** The status while the job runs, in the place of `scraping`. */
	runningStatus?: string;
	/** The job fails after so many pages. */
	failure?: { afterPages: number; error?: string };
	/** What its status warns of, in the place of what it would. */
	warning?: string;
}

/** What a page takes: pages of one average come in another order than they were asked for. */
export function pageTime(url: string, { pageMs }: Pace): number {
	let hash = 0;
	for (const letter of url) hash = (hash * 31 + letter.charCodeAt(0)) % 1009;
	return Math.round(pageMs * (0.5 + hash / 1009));
}
