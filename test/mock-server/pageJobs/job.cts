import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';

import type { PageProblem, Verdict } from '../crawl/siteCrawl.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { WebhookConfig } from '../schemas/webhook.cjs';
import type { Document } from '../scrape/document.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import type { Team } from '../teams.cjs';
import type { Pace } from './pace.cjs';

/** A page that a job is to scrape. */
export interface Page {
	url: string;
	options: ScrapeOptions & { zeroDataRetention?: boolean };
}

/** Where a job's pages come from: the list of a batch, or the way through a site. */
export interface PageSource {
	/** Pages known so far; those that failed are left out. */
	readonly total: number;
	readonly robotsBlocked: readonly string[];
	/** What the source has to report since the last time, beside its verdicts. */
	takeProblems(): PageProblem[];
	begin(): Promise<void>;
	/** The next page; undefined when there is none now. */
	next(): Page | undefined;
	visited(page: Page, scraped: Scraped): Promise<Verdict>;
	failed(page: Page): void;
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
	pace: Pace;
	/** Pages at work at the same time; the team's slots may allow fewer. */
	concurrency: number;
	/** Between two pages, in milliseconds. */
	delayMs: number;
	webhook?: WebhookConfig;
	/** The request that started it, for the ledger. */
	requestId: string;
	/** What the status has to say about the request. */
	warning?: string;
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
	/** Pages at work. */
	active = 0;
	/** Pages taken from the source so far. */
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
