import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import type { Context } from './context.cjs';
import type { PageProblem, Verdict } from './crawl.cjs';
import { ApiError } from './errors.cjs';
import type { WebhookConfig } from './schemas/fields.cjs';
import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';
import type { Document } from './scrape/formats.cjs';
import type { Scraped } from './scrape/scraper.cjs';
import { Script } from './script.cjs';
import type { Team } from './teams.cjs';

/** Where a job's pages come from: the list of a batch, or the way through a site. */
interface PageSource {
	/** Pages known so far; those that failed are left out. */
	readonly total: number;
	readonly robotsBlocked: readonly string[];
	/** Why the first page may not be read, where it may not. */
	begin(): PageProblem | undefined;
	next(): string | undefined;
	visited(url: string, finalUrl: string, links?: readonly string[]): Verdict;
	failed(): void;
}

/** The pages of a batch, in the order of the request; more may be added later. */
export class BatchSource implements PageSource {
	readonly robotsBlocked = [];
	total = 0;
	private readonly queue: string[] = [];

	add(urls: readonly string[]): void {
		this.total += urls.length;
		this.queue.push(...urls);
	}

	begin(): undefined {}

	next(): string | undefined {
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
interface PageError {
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
	/** How its pages are scraped. */
	pageOptions: ScrapeOptions;
	pace: Pace;
	concurrency: number;
	delayMs: number;
	webhook?: WebhookConfig;
	requestId: string;
	/** A crawl's start page and options, for the list of active ones. */
	url?: string;
	options?: Record<string, unknown>;
}

type JobStatus = 'scraping' | 'completed' | 'failed' | 'cancelled';

/** A batch or crawl job. `PageJobs` moves it along the service's clock. */
export class PageJob {
	readonly id = randomUUID();
	status: JobStatus = 'scraping';
	/** In the order in which the pages were done. */
	readonly documents: Document[] = [];
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
}

/** What a page takes: pages of one average come in another order than they were asked for. */
function pageTime(url: string, { pageMs }: Pace): number {
	let hash = 0;
	for (const letter of url) hash = (hash * 31 + letter.charCodeAt(0)) % 1009;
	return Math.round(pageMs * (0.5 + hash / 1009));
}

const day = 86_400_000;

/** A page that redirects to one of the same crawl: an event says so, the errors do not. */
const scrapedBefore =
	'This URL was not scraped because another scrape job in this same crawl or batch scrape has already scraped this URL (usually due to a redirect).';

/** Every batch and crawl job, and what moves them along the service's clock. */
export class PageJobs {
	readonly paces: Script<Pace>;
	private readonly jobs = new Map<string, PageJob>();
	private readonly usedKeys = new Set<string>();

	constructor(
		private readonly context: Context,
		pace: Partial<Pace> = {},
	) {
		this.paces = new Script({ pageMs: 100, ...pace });
	}

	/** The job of either kind by its id; `expired` 24 hours after its end. */
	find(id: string): PageJob | 'expired' | undefined {
		const job = this.jobs.get(id.toLowerCase());
		if (!job) return undefined;
		return job.status === 'scraping' || this.now < expiresAt(job) ? job : 'expired';
	}

	active(teamId: string, kind: JobFacts['kind']): PageJob[] {
		return [...this.jobs.values()].filter(
			({ about, status }) =>
				about.team.id === teamId && about.kind === kind && status === 'scraping',
		);
	}

	async ended(id: string): Promise<PageJob> {
		const job = this.jobs.get(id);
		if (!job) throw new Error(`No such job: ${id}`);
		while (job.status === 'scraping') await setTimeout(1);
		return job;
	}

	/** Uses up an idempotency key. @returns whether it was new */
	useKey(key: string): boolean {
		const { size } = this.usedKeys;
		return this.usedKeys.add(key.toLowerCase()).size > size;
	}

	start(facts: Omit<JobFacts, 'startedAt' | 'pace'>): PageJob {
		const pace = this.paces.take();
		const job = new PageJob({ ...facts, startedAt: this.now, pace });
		this.jobs.set(job.id, job);
		this.tell(job, 'started', true, []);
		void this.run(job);
		return job;
	}

	cancel(job: PageJob): void {
		this.end(job, 'cancelled');
	}

	clear(): void {
		for (const job of this.jobs.values()) job.stop();
		this.jobs.clear();
		this.usedKeys.clear();
		this.paces.clear();
	}

	private get now(): number {
		return this.context.clock.now();
	}

	/** Whether a job says that it has completed though its work has not begun. */
	isEarly({ about: { startedAt, pace } }: PageJob): boolean {
		return this.now < startedAt + (pace.earlyMs ?? 0);
	}

	private async run(job: PageJob): Promise<void> {
		const { earlyMs } = job.about.pace;
		if (earlyMs) await this.context.clock.wait(earlyMs, job.stopped).catch(() => undefined);
		const denial = job.about.source.begin();
		if (denial) this.report(job, denial);
		if (!this.failsNow(job)) this.pump(job);
	}

	/** Begins as many pages as may be at work at once, and ends a job that has none any more. */
	pump(job: PageJob): void {
		const { source, concurrency } = job.about;
		while (!job.stopped.aborted && job.active < concurrency) {
			const url = source.next();
			if (url === undefined) break;
			job.active++;
			void this.visit(job, url, job.begun++ > 0).finally(() => {
				job.active--;
				this.pump(job);
			});
		}
		// Pages that cannot be scraped are errors of theirs, not of the job: also that of a dead host completes.
		if (job.active === 0 && !job.stopped.aborted) this.end(job, 'completed');
	}

	private async visit(job: PageJob, url: string, later: boolean): Promise<void> {
		const { team, source, pace, delayMs, pageOptions: options } = job.about;
		const { clock, limits, scraper } = this.context;
		const release = await limits.awaitSlot(team, job.stopped).catch(() => undefined);
		if (!release) return;
		try {
			await clock.wait(pageTime(url, pace) + (later ? delayMs : 0), job.stopped);
			const task = { url, options, team, patient: true, stopped: job.stopped };
			const scraped = await scraper.scrape(task);
			if (job.stopped.aborted) return;
			const verdict = source.visited(url, scraped.document.metadata.url, scraped.links);
			if (verdict === 'keep') this.keep(job, scraped);
			else if (verdict === 'drop') this.tellLost(job, url, scrapedBefore);
			else this.report(job, verdict);
		} catch (error) {
			if (job.stopped.aborted) return;
			source.failed();
			const code = error instanceof ApiError ? error.body.code : undefined;
			const message = error instanceof Error ? error.message : String(error);
			this.report(job, { url, code, error: message });
		} finally {
			release();
		}
	}

	private keep(job: PageJob, { document, credits }: Scraped): void {
		const { team, requestId, kind } = job.about;
		job.creditsUsed += credits;
		const endpoint = kind === 'crawl' ? '/v2/crawl' : '/v2/batch/scrape';
		this.context.ledger.charge({ teamId: team.id, requestId, jobId: job.id, endpoint, credits });
		job.documents.push(document);
		this.tell(job, 'page', true, [document]);
		this.failsNow(job);
	}

	private failsNow(job: PageJob): boolean {
		const { failure } = job.about.pace;
		if (job.stopped.aborted || !failure || job.documents.length < failure.afterPages) return false;
		const { error = 'The job failed because of an internal error.' } = failure;
		this.end(job, 'failed', error);
		return true;
	}

	private report(job: PageJob, { url, code, error }: PageProblem): void {
		const timestamp = new Date(this.now).toISOString();
		job.errors.push({ id: randomUUID(), timestamp, url, ...(code && { code }), error });
		this.tellLost(job, url, error);
	}

	private tellLost(job: PageJob, url: string, error: string): void {
		this.tell(job, 'page', false, [{ metadata: { sourceURL: url } }], error);
	}

	private end(job: PageJob, status: Exclude<JobStatus, 'scraping'>, error?: string): void {
		if (status !== 'completed') job.stop();
		Object.assign(job, { status, error, finishedAt: this.now });
		// There is no event of its own for a cancelled job. Requests may ask for `failed`; none is ever sent.
		if (status !== 'failed') this.tell(job, 'completed', true, []);
	}

	private tell(job: PageJob, name: string, success: boolean, data: unknown, error?: string): void {
		const { team, kind, webhook } = job.about;
		const type = `${kind === 'crawl' ? 'crawl' : 'batch_scrape'}.${name}`;
		this.context.webhooks.send(team.id, webhook, { type, id: job.id, success, data, error });
	}
}

/** Results are kept for 24 hours after the end. */
export function expiresAt({ about, finishedAt }: PageJob): number {
	return (finishedAt ?? about.startedAt) + day;
}
