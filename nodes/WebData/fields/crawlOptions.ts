import {
	boolean,
	integer,
	number,
	oneOf,
	string,
	textField,
	type Shown,
} from '../../runtime/form/field';
import type { ReadContext } from '../../runtime/operation';
import { listSchema, separateLines, stringSchema, type Reject } from '../../runtime/form/schema';

/** Default limit of a crawl: the service's own 10,000 pages would be expensive. */
export const defaultCrawlLimit = 100;

/** Patterns for paths as a list or as lines of text: a comma may belong to one. */
const paths = (displayName: string, description: string, { placeholder }: Shown) =>
	textField(
		displayName,
		description,
		listSchema(stringSchema({ max: 2_000 }), { max: 1_000, separate: separateLines }),
		{ placeholder, rows: 2 },
	);

const lines = 'Regular expressions, one per line, up to 1,000 of 2,000 characters';

/** The pages of a crawl or a map by patterns for their paths. */
export const pathPatterns = {
	excludePaths: paths('Exclude Paths', `Paths to exclude. ${lines}.`, {
		placeholder: 'e.g. /archive/.*',
	}),
	includePaths: paths('Include Paths', `Paths to include. ${lines}.`, {
		placeholder: 'e.g. /blog/.*',
	}),
};

interface Patterns {
	excludePaths?: string[];
	includePaths?: string[];
	regexOnFullURL?: boolean;
}

/** Whether a pattern is meant for more of a URL than its path: a query, a scheme or a host. */
const exceedsPath = (pattern: string) =>
	/\\\?|\[\?\]|:\/\/|^\^?(?:https?\b|www\.)/i.test(pattern) ||
	pattern.replace(/\(\?<?[=!]/g, '').includes('=');

/** Shows a notice of a pattern that matches no path, so that it excludes nothing; if there is one. */
export function noticePatterns(
	{ excludePaths = [], includePaths = [], regexOnFullURL = false }: Patterns,
	advice: string,
	{ notice }: Pick<ReadContext, 'notice'>,
): void {
	if (regexOnFullURL) return;
	const doubtful = [...excludePaths, ...includePaths].find(exceedsPath);
	if (doubtful === undefined) return;
	const name = excludePaths.includes(doubtful) ? 'Exclude Paths' : 'Include Paths';
	notice(
		`'${name}' matches only the path of a URL, not its host or query: ${doubtful.slice(0, 100)} may match nothing. ${advice}`,
	);
}

/** The options of a crawl but start page and limit (https://docs.firecrawl.dev/features/crawl). */
export const crawlOptionGroup = {
	allowExternalLinks: boolean('Allow External Links', 'Whether to follow links to other websites'),
	allowSubdomains: boolean('Allow Subdomains', 'Whether to follow links to subdomains'),
	crawlEntireDomain: boolean(
		'Crawl Entire Domain',
		'Whether to follow links to sibling and parent pages, not only child pages',
	),
	delay: number(
		'Delay',
		'Delay between pages in seconds, up to 60; limits the crawl to one page at a time',
		{ min: 0, max: 60, unit: 'seconds', default: 1 },
	),
	ignoreQueryParameters: boolean(
		'Ignore Query Parameters',
		'Whether to scrape each path once, regardless of query parameters',
	),
	maxConcurrency: integer(
		'Max Concurrency',
		"Max number of pages to scrape at once; the plan's limit if not set",
		{ min: 1, default: 2 },
	),
	maxDiscoveryDepth: integer(
		'Max Discovery Depth',
		'Max number of links from the start page; 0 is the start page and the sitemap',
		{ min: 0, default: 2 },
	),
	prompt: string(
		'Prompt',
		'What to crawl, in natural language, up to 10,000 characters; fields set here override it',
		{ rows: 2, max: 10_000, placeholder: 'e.g. Only the product pages' },
	),
	regexOnFullURL: boolean(
		'Regex on Full URL',
		'Whether to match the regular expressions against the full URL instead of its path',
	),
	sitemap: oneOf('Sitemap', 'Where to find URLs', {
		default: 'include',
		options: {
			include: ['Include', 'The sitemap and links on pages'],
			only: ['Only', 'The sitemap and the start page'],
			skip: ['Skip', 'Only links on pages'],
		},
	}),
	...pathPatterns,
};

/** Validates crawl options: a delay between pages is greater than 0. */
export function crawlOptionRules({ delay }: { delay?: number }, reject: Reject): void {
	if (delay === 0) reject('must be more than 0 seconds', 'delay');
}
