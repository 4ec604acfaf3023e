import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Fetched } from './fetchPage.cjs';

const day = 86_400_000;

export type CachedFetch = Fetched & { cacheState: 'hit' | 'miss'; cachedAt?: number };

/** How many pages the cache holds at most; larger pages than these it does not keep. */
const mostPages = 500;
const largestPage = 128 * 1024;

/** Pages as fetched, by address and the options that change what a site sends. */
export class PageCache {
	private readonly entries = new Map<string, { page: Fetched; at: number }>();

	constructor(private readonly clock: Clock) {}

	/**
	 * The page from the cache or by `fetch`, as `maxAge`, `minAge`, `lockdown` and `storeInCache` say. `headers`, `actions` and `profile` turn the cache off both ways, zero
	 * data retention stores nothing. Throws 404 where only the cache may answer and cannot; the lockdown
	 * miss costs 1 credit.
	 */
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
		const cached = sensitive ? undefined : this.entries.get(key);
		if (cached && this.serves(options, this.clock.now() - cached.at)) {
			return { ...cached.page, cacheState: 'hit', cachedAt: cached.at };
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
		return { ...page, cacheState: 'miss' };
	}

	clear(): void {
		this.entries.clear();
	}

	private store(key: string, page: Fetched): void {
		if (page.body.length > largestPage) return;
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
