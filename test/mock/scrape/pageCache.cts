import { type RenderedPage, type Site, UnknownHostError } from '../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Document } from './formats.cjs';

const day = 86_400_000;

/** A page as its server sent it, after redirects. */
export type Fetched = Awaited<ReturnType<typeof fetchPage>>;
export type CachedFetch = Fetched & { cacheState: 'hit' | 'miss'; cachedAt?: number };

/** How many pages the cache holds at most; larger pages than these it does not keep. */
const mostPages = 500;
const largestPage = 128 * 1024;

/** Pages as fetched, by address and the options that change what a site sends. */
export class PageCache {
	private readonly entries = new Map<string, { page: Fetched; at: number }>();

	constructor(private readonly clock: Clock) {}

	/** The page from the cache, or by `fetch`; 404 where only the cache may answer and cannot. */
	async get(
		url: string,
		options: ScrapeOptions,
		zdr: boolean,
		fetch: () => Promise<Fetched>,
	): Promise<CachedFetch> {
		const key = JSON.stringify([url, options.mobile ?? false, options.location ?? null]);
		const sensitive =
			Boolean(options.actions?.length || options.profile) ||
			Object.keys(options.headers ?? {}).length > 0;
		const cached = sensitive || needsVisit(options) ? undefined : this.entries.get(key);
		if (cached && this.serves(options, this.clock.now() - cached.at)) {
			return Object.assign(Object.create(cached.page) as Fetched, {
				cacheState: 'hit' as const,
				cachedAt: cached.at,
			});
		}
		if (options.lockdown) {
			const error = 'Lockdown is on and the page is not in the cache';
			throw new ApiError(404, { code: 'SCRAPE_LOCKDOWN_CACHE_MISS', error }, {}, 1);
		}
		if (options.minAge !== undefined) {
			const error = 'No cached data is available for the page';
			throw new ApiError(404, { code: 'SCRAPE_NO_CACHED_DATA', error });
		}
		const page = await fetch();
		const store = (options.storeInCache ?? true) && !sensitive && !zdr;
		if (store && page.status < 400) this.store(key, page);
		return Object.assign(Object.create(page) as Fetched, { cacheState: 'miss' as const });
	}

	clear(): void {
		this.entries.clear();
	}

	private store(key: string, page: Fetched): void {
		if (!page.content && page.body.length > largestPage) return;
		if (this.entries.size === mostPages) this.entries.clear();
		this.entries.set(key, { page, at: this.clock.now() });
	}

	/** With `minAge`, only an explicit `maxAge` sets an upper bound: the value 1 accepts any cached page. */
	private serves({ lockdown, maxAge, minAge }: ScrapeOptions, age: number): boolean {
		const usual = minAge === undefined ? 2 * day : Infinity;
		const oldest = maxAge ?? (lockdown ? 2 * 365 * day : usual);
		const youngest = minAge === 1 ? 0 : (minAge ?? 0);
		// `maxAge: 0` asks for a fresh page even within the same millisecond.
		return age >= youngest && age <= oldest && oldest > 0;
	}
}

/** Whether what is asked for cannot be made of a stored page: the server looks at the page itself. */
const needsVisit = ({ formats = [], parsers = [] }: ScrapeOptions): boolean =>
	formats.some(
		(format) =>
			format.type === 'changeTracking' ||
			format.type === 'branding' ||
			(format.type === 'screenshot' && (format.viewport ?? format.quality) !== undefined),
	) ||
	parsers.some(
		(parser) =>
			parser.type === 'pdf' &&
			[parser.pages, parser.blocks, parser.pageMarkers].some((wanted) => wanted === true),
	);

const maxRedirects = 10;

/** Fetches a page of the small web. A name that does not resolve is 200 with `success:false`. */
export async function fetchPage(site: Site, clock: Clock, url: string, signal: AbortSignal) {
	let current = url;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		const delay = site.find(current)?.delayMs;
		if (delay) await clock.wait(delay, signal);
		const rendered = await render(site, current);
		const { status, headers, content } = rendered;
		if (status >= 300 && status < 400 && headers.location) {
			current = new URL(headers.location, current).href;
		} else {
			return {
				...{ url: current, status, content, contentType: headers['content-type'] ?? '' },
				get body() {
					return rendered.body;
				},
			};
		}
	}
	throw new ApiError(500, {
		code: 'SCRAPE_SITE_ERROR',
		error: 'The page redirects too many times',
	});
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

export interface ScrapeJob {
	teamId: string;
	/** Zero data retention: the document was not kept. */
	zdr: boolean;
	document?: Document;
	/** What a browser needs to open the page as the scrape did; not kept for files and under ZDR. */
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
