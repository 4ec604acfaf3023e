import { type RenderedPage, type Site, UnknownHostError } from '../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Document } from './formats.cjs';

const day = 86_400_000;

/** A page as its server sent it, after redirects. */
export interface Fetched {
	url: string;
	page: RenderedPage;
}

/** How many pages the cache holds at most; larger ones than these it does not keep. */
const mostPages = 500;
const largestPage = 128 * 1024;

/** Pages as fetched, by address and the options that change what a site sends. */
export class PageCache {
	private readonly entries = new Map<string, Fetched & { at: number }>();

	constructor(private readonly clock: Clock) {}

	/** The page from the cache, or by `fetch`; 404 where only the cache may answer and cannot. */
	async get(
		url: string,
		options: ScrapeOptions,
		zdr: boolean,
		fetch: () => Promise<Fetched>,
	): Promise<Fetched & { cachedAt?: number }> {
		const key = JSON.stringify([url, options.mobile ?? false, options.location ?? null]);
		const { actions = [], profile, headers = {}, formats = [] } = options;
		const isOwn = actions.length > 0 || profile || Object.keys(headers).length > 0;
		const isVisited = isOwn || formats.some(({ type }) => type === 'changeTracking');
		const cached = isVisited ? undefined : this.entries.get(key);
		if (cached && isFresh(options, this.clock.now() - cached.at)) {
			return { ...cached, cachedAt: cached.at };
		}
		if (options.lockdown) {
			const error = 'Lockdown is on and the page is not in the cache';
			throw new ApiError(404, { code: 'SCRAPE_LOCKDOWN_CACHE_MISS', error }, {}, 1);
		}
		if (options.minAge !== undefined) {
			const error = 'No cached data is available for the page';
			throw new ApiError(404, { code: 'SCRAPE_NO_CACHED_DATA', error });
		}
		const fetched = await fetch();
		const { status, content, body } = fetched.page;
		const isKept = (options.storeInCache ?? true) && !isOwn && !zdr && status < 400;
		if (isKept && (content !== undefined || body.length <= largestPage)) {
			if (this.entries.size === mostPages) this.entries.clear();
			this.entries.set(key, { ...fetched, at: this.clock.now() });
		}
		return fetched;
	}

	clear(): void {
		this.entries.clear();
	}
}

/** With `minAge`, only an explicit `maxAge` sets an upper bound; `maxAge: 0` asks for a fresh page even within the same millisecond. */
function isFresh({ lockdown, maxAge, minAge = 0 }: ScrapeOptions, age: number): boolean {
	const oldest = maxAge ?? (lockdown || minAge > 0 ? Infinity : 2 * day);
	return age >= minAge && age <= oldest && oldest > 0;
}

const maxRedirects = 10;

/** Fetches a page of the small web. A name that does not resolve is 200 with `success:false`. */
export async function fetchPage(
	site: Site,
	clock: Clock,
	start: string,
	signal: AbortSignal,
): Promise<Fetched> {
	let url = start;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		const delay = site.find(url)?.delayMs;
		if (delay) await clock.wait(delay, signal);
		const page = await render(site, url);
		const { status, headers } = page;
		if (status < 300 || status >= 400 || !headers.location) return { url, page };
		url = new URL(headers.location, url).href;
	}
	const error = 'The page redirects too many times';
	throw new ApiError(500, { code: 'SCRAPE_SITE_ERROR', error });
}

async function render(site: Site, url: string): Promise<RenderedPage> {
	try {
		return await site.render(url);
	} catch (error) {
		if (!(error instanceof UnknownHostError)) throw error;
		throw new ApiError(200, {
			code: 'SCRAPE_DNS_RESOLUTION_ERROR',
			error: `DNS resolution failed for hostname: ${error.host}`,
		});
	}
}

interface ScrapeJob {
	teamId: string;
	/** What it came to, and what a browser needs to open the page as the scrape did; not kept under zero data retention. */
	document?: Document;
	replay?: { url: string; options: ScrapeOptions };
	at: number;
}

/** Scrapes that can be read again by their id, for 24 hours. */
export class ScrapeJobs {
	private readonly jobs = new Map<string, ScrapeJob>();

	constructor(private readonly clock: Clock) {}

	add(id: string, job: Omit<ScrapeJob, 'at'>): void {
		this.jobs.set(id, { ...job, at: this.clock.now() });
	}

	get(id: string): ScrapeJob | undefined {
		const job = this.jobs.get(id);
		return job && this.clock.now() < job.at + day ? job : undefined;
	}

	clear(): void {
		this.jobs.clear();
	}
}
