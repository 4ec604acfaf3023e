import { randomUUID } from 'node:crypto';

import type { Context } from './context.cjs';
import type { PageProblem, Target } from './crawl.cjs';
import { ApiError } from './errors.cjs';
import { type Course, Job, type JobFacts, Jobs } from './jobs.cjs';
import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';
import type { Document } from './scrape/formats.cjs';

/** Where a job's pages come from: the list of a batch, or the way through a site. */
interface PageSource {
	/** Pages known so far; those that failed are left out. */
	readonly total: number;
	readonly robotsBlocked: readonly string[];
	/** Why the first page may not be read, where it may not. */
	begin(): PageProblem | undefined;
	next(): Target | undefined;
	visited(target: Target, finalUrl: string, links?: readonly string[]): boolean;
	failed(): void;
}

/** The pages of a batch, in the order of the request; more may be added later. */
export class BatchSource implements PageSource {
	readonly robotsBlocked = [];
	total = 0;
	private readonly queue: Target[] = [];

	add(urls: readonly string[]): void {
		this.total += urls.length;
		this.queue.push(...urls.map((url) => ({ url, depth: 0 })));
	}

	begin(): undefined {}

	next(): Target | undefined {
		return this.queue.shift();
	}

	visited(): boolean {
		return true;
	}

	failed(): void {
		this.total--;
	}
}

/** An item of `GET …/errors`. */
interface PageError extends PageProblem {
	id: string;
	timestamp: string;
}

interface PageJobFacts extends JobFacts {
	kind: 'batch' | 'crawl';
	source: PageSource;
	/** How its pages are scraped. */
	pageOptions: ScrapeOptions;
	concurrency: number;
	/** Before each page. */
	delayMs: number;
	requestId: string;
	/** The first one that was asked for. */
	url: string;
	/** A crawl's, for the list of active ones. */
	options?: Record<string, unknown>;
}

/** How a batch or crawl job goes. What it finds is computed. */
interface Pace extends Course {
	/** What a page takes on average beside its own delays; always the same for an address. */
	pageMs: number;
	/** The job fails after so many pages. */
	failure?: { afterPages: number; error: string };
}

/** A batch or crawl job. */
export class PageJob extends Job<PageJobFacts, Pace> {
	status: 'scraping' | 'completed' | 'failed' | 'cancelled' = 'scraping';
	/** In the order in which the pages were done. */
	readonly documents: Document[] = [];
	readonly errors: PageError[] = [];
	atWork = 0;
}

/** What a page takes: pages of one average come in another order than they were asked for. */
function pageTime(url: string, { pageMs }: Pace): number {
	let hash = 0;
	for (const letter of url) hash = (hash * 31 + letter.charCodeAt(0)) % 1009;
	return Math.round(pageMs * (0.5 + hash / 1009));
}

/** A page that redirects to one of the same crawl, or out of it: an event says so, the errors do not. */
const scrapedBefore =
	'This URL was not scraped because another scrape job in this same crawl or batch scrape has already scraped this URL (usually due to a redirect).';

/** Every batch and crawl job, and what moves them along the service's clock. */
export class PageJobs extends Jobs<PageJob, Pace> {
	private readonly usedKeys = new Set<string>();

	constructor(context: Context) {
		super(context, { pageMs: 100 });
	}

	override active(teamId: string, kind?: PageJobFacts['kind']): PageJob[] {
		return super.active(teamId).filter(({ about }) => kind === undefined || about.kind === kind);
	}

	/** Uses up an idempotency key. @returns whether it was new */
	useKey(key: string): boolean {
		const { size } = this.usedKeys;
		return this.usedKeys.add(key.toLowerCase()).size > size;
	}

	start(facts: PageJobFacts): PageJob {
		const job = new PageJob(facts, this.course, this.now);
		this.jobs.push(job);
		this.say(job, 'started', []);
		const denial = facts.source.begin();
		if (denial) this.report(job, denial);
		if (!this.failsNow(job)) this.pump(job);
		return job;
	}

	cancel(job: PageJob): void {
		this.end(job, 'cancelled');
	}

	override clear(): void {
		super.clear();
		this.usedKeys.clear();
	}

	/** Begins as many pages as may be at work at once, and ends a job that has none any more. */
	pump(job: PageJob): void {
		const { source, concurrency } = job.about;
		while (!job.stopped.aborted && job.atWork < concurrency) {
			const target = source.next();
			if (!target) break;
			job.atWork++;
			void this.visit(job, target).finally(() => {
				job.atWork--;
				this.pump(job);
			});
		}
		// Pages that cannot be scraped are errors of theirs, not of the job: also that of a dead host completes.
		if (job.atWork === 0 && !job.stopped.aborted) this.end(job, 'completed');
	}

	private async visit(job: PageJob, target: Target): Promise<void> {
		const { about, course, stopped } = job;
		const { team, source, delayMs, pageOptions: options } = about;
		const { clock, scraper } = this.context;
		const { url } = target;
		try {
			await clock.wait(pageTime(url, course) + delayMs, stopped);
			const scraped = await scraper.scrape({ url, options, team, stopped });
			if (stopped.aborted) return;
			const { document, credits, links } = scraped;
			const isKept = source.visited(target, document.metadata.url, links);
			if (isKept) this.keep(job, document, credits);
			else this.tellLost(job, url, scrapedBefore);
		} catch (error) {
			if (stopped.aborted) return;
			source.failed();
			const code = error instanceof ApiError ? error.body.code : undefined;
			const message = error instanceof Error ? error.message : String(error);
			this.report(job, { url, code, error: message });
		}
	}

	private keep(job: PageJob, document: Document, credits: number): void {
		const { team, requestId, kind } = job.about;
		job.creditsUsed += credits;
		const endpoint = kind === 'crawl' ? '/v2/crawl' : '/v2/batch/scrape';
		this.context.ledger.charge({ teamId: team.id, requestId, jobId: job.id, endpoint, credits });
		job.documents.push(document);
		this.say(job, 'page', [document]);
		this.failsNow(job);
	}

	private failsNow(job: PageJob): boolean {
		const { failure } = job.course;
		if (job.stopped.aborted || !failure || job.documents.length < failure.afterPages) return false;
		this.end(job, 'failed', failure.error);
		return true;
	}

	private report(job: PageJob, { url, code, error }: PageProblem): void {
		const timestamp = new Date(this.now).toISOString();
		job.errors.push({ id: randomUUID(), timestamp, url, ...(code && { code }), error });
		this.tellLost(job, url, error);
	}

	private tellLost(job: PageJob, url: string, error: string): void {
		this.say(job, 'page', [{ metadata: { sourceURL: url } }], error);
	}

	private end(job: PageJob, status: 'completed' | 'failed' | 'cancelled', error?: string): void {
		if (status !== 'completed') job.stop();
		Object.assign(job, { status, error, finishedAt: this.now });
		// There is no event of its own for a cancelled job. Requests may ask for `failed`; none is ever sent.
		if (status !== 'failed') this.say(job, 'completed', []);
	}

	private say(job: PageJob, name: string, data: unknown, error?: string): void {
		const kind = job.about.kind === 'crawl' ? 'crawl' : 'batch_scrape';
		this.tell(job, `${kind}.${name}`, data, error);
	}
}
