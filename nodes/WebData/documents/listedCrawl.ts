import type { Endpoint } from '../../runtime/api/endpoint';
import { canonicalJson } from '../../runtime/jobs/requestKey';
import { isUnset } from '../../runtime/form/schema';
import { isRecord, fieldOf, type JsonRecord } from '../../runtime/values/record';

/** Lists the active crawls (https://docs.firecrawl.dev/api-reference/endpoint/crawl-active). */
export const listActiveCrawls: Endpoint = {
	method: 'GET',
	path: '/crawl/active',
	bucket: 'crawlStatus',
};

/**
 * Compares a crawl of `GET /crawl/active` with a request. The list has the options of a crawl with
 * the server's defaults (docs/api-notes.md, Idempotency).
 */

/** The options that the server adds to a crawl, unless they are empty. */
const crawlDefaults: JsonRecord = { deduplicateSimilarURLs: true, sitemap: 'include' };
const scrapeDefaults: JsonRecord = {
	blockAds: true,
	formats: ['markdown'],
	onlyMainContent: true,
	parsers: ['pdf'],
	proxy: 'auto',
	removeBase64Images: true,
	skipTlsVerification: true,
	storeInCache: true,
};

/** Normalizes a value: formats become objects; empty, disabled and internal fields are omitted. */
function plain(value: unknown, name = ''): unknown {
	if (Array.isArray(value)) {
		return value.map((entry) =>
			name === 'formats' && typeof entry === 'string' ? { type: entry } : plain(entry),
		);
	}
	if (!isRecord(value)) return value;
	const fields = Object.entries(value).map(([key, field]) => [key, plain(field, key)] as const);
	return Object.fromEntries(
		fields.filter(
			([key, field]) =>
				!isUnset(field) &&
				field !== false &&
				field !== 0 &&
				canonicalJson(field) !== '[]' &&
				canonicalJson(field) !== '{}' &&
				!key.startsWith('__'),
		),
	);
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

/**
 * Whether all listed options equal the requested ones, or the server's defaults if not requested.
 */
function areSame(listed: JsonRecord, requested: JsonRecord, defaults: JsonRecord): boolean {
	const isDerived = requested.prompt !== undefined;
	return Object.entries(listed).every(([name, value]) => {
		if (name === 'scrapeOptions') return true;
		if (isDerived && requested[name] === undefined) return true;
		const wanted = { ...defaults, ...requested };
		return isSame(plain({ [name]: value }), plain({ [name]: wanted[name] }));
	});
}

const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Whether the list has all options of a crawl and they equal those of a request. */
export function isSameCrawl(crawl: unknown, request: object): boolean {
	const options = fieldOf(crawl, 'options');
	const requested = recordIn(request);
	return (
		isRecord(options) &&
		options.limit !== undefined &&
		areSame(options, requested, crawlDefaults) &&
		areSame(recordIn(options.scrapeOptions), recordIn(requested.scrapeOptions), scrapeDefaults)
	);
}

/**
 * Whether a listed crawl, or a crawl's status, belongs to another request: an option differs, or it
 * has scraped more pages. A lower limit may be the service's, if the credits do not cover it.
 */
export function isOtherCrawl(crawl: unknown, request: { limit: number }): boolean {
	const options = recordIn(fieldOf(crawl, 'options'));
	const counts = [options.limit, fieldOf(crawl, 'completed')];
	const requested = recordIn(request);
	const isOther = ([name, value]: [string, unknown]) =>
		!['limit', 'scrapeOptions'].includes(name) &&
		requested[name] !== undefined &&
		!isSame(plain({ [name]: value }), plain({ [name]: requested[name] }));
	return (
		counts.some((count) => typeof count === 'number' && count > request.limit) ||
		Object.entries(options).some(isOther)
	);
}
