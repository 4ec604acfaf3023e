import type { Endpoint } from '../../runtime/api/endpoint';
import { canonicalJson } from '../../runtime/jobs/requestKey';
import { isUnset } from '../../runtime/form/schema';
import { isRecord, fieldOf, type JsonRecord } from '../../runtime/values/record';

/** The crawls that run (https://docs.firecrawl.dev/api-reference/endpoint/crawl-active). */
export const listActiveCrawls: Endpoint = {
	method: 'GET',
	path: '/crawl/active',
	bucket: 'crawlStatus',
};

/**
 * What `GET /crawl/active` returns of a crawl beside what another one asks for: it has the options of a
 * crawl as the server completes them (docs/api-notes.md, Idempotency).
 */

/** The options of a crawl that its request does not set; what is empty is left out. */
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

/** A value in one form: formats as objects, and nothing that is empty, off or the server's own. */
function plain(value: unknown, name = ''): unknown {
	if (Array.isArray(value)) {
		return value.map((entry) =>
			name === 'formats' && typeof entry === 'string' ? { type: entry } : plain(entry),
		);
	}
	if (!isRecord(value)) return value;
	const members = Object.entries(value).map(([key, member]) => [key, plain(member, key)] as const);
	return Object.fromEntries(
		members.filter(
			([key, member]) =>
				!isUnset(member) &&
				member !== false &&
				member !== 0 &&
				canonicalJson(member) !== '[]' &&
				canonicalJson(member) !== '{}' &&
				!key.startsWith('__'),
		),
	);
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

/** Whether all options that are listed are those that are asked for, or the server's own where nothing is asked for. */
function areSame(listed: JsonRecord, asked: JsonRecord, defaults: JsonRecord): boolean {
	const isDerived = asked.prompt !== undefined;
	return Object.entries(listed).every(([name, value]) => {
		if (name === 'scrapeOptions') return true;
		if (isDerived && asked[name] === undefined) return true;
		const wanted = { ...defaults, ...asked };
		return isSame(plain({ [name]: value }), plain({ [name]: wanted[name] }));
	});
}

const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** Whether what is listed of a crawl shows all of its options, and they are those of a request. */
export function isSameCrawl(told: unknown, request: object): boolean {
	const options = fieldOf(told, 'options');
	const asked = recordIn(request);
	return (
		isRecord(options) &&
		options.limit !== undefined &&
		areSame(options, asked, crawlDefaults) &&
		areSame(recordIn(options.scrapeOptions), recordIn(asked.scrapeOptions), scrapeDefaults)
	);
}

/**
 * Whether what is listed of a crawl, or its status, shows that it is another's: it has another value of an
 * option that is asked for, or has read more pages. The service lowers a limit that the credits do not cover.
 */
export function isOfAnotherCrawl(told: unknown, request: { limit: number }): boolean {
	const options = recordIn(fieldOf(told, 'options'));
	const counts = [options.limit, fieldOf(told, 'completed')];
	const asked = recordIn(request);
	const isOther = ([name, value]: [string, unknown]) =>
		!['limit', 'scrapeOptions'].includes(name) &&
		asked[name] !== undefined &&
		!isSame(plain({ [name]: value }), plain({ [name]: asked[name] }));
	return (
		counts.some((count) => typeof count === 'number' && count > request.limit) ||
		Object.entries(options).some(isOther)
	);
}
