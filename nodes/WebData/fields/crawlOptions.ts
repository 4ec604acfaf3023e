import type { Reject } from '../../runtime/form/schema';
import { boolean, integer, number, oneOf, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { limitAlone } from './limit';
import { paths, type PatternKind } from './pathPatterns';

/** Default limit of a crawl: the service's own 10,000 pages would be expensive. */
export const defaultCrawlLimit = 100;

/** The path patterns of the pages to scrape. */
const patterns = (kind: PatternKind = {}) => ({
	excludePaths: paths(
		{
			displayName: 'Exclude Paths',
			placeholder: 'e.g. /archive/.*',
			description:
				'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; pages with a matching path are excluded',
		},
		kind,
	),
	includePaths: paths(
		{
			displayName: 'Include Paths',
			placeholder: 'e.g. /blog/.*',
			description:
				'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; only pages with a matching path are scraped, including the start page',
		},
		kind,
	),
});

/**
 * The options of a crawl other than start page and limit
 * (https://docs.firecrawl.dev/features/crawl).
 */
export const crawlOptionGroup = {
	allowExternalLinks: boolean({
		displayName: 'Allow External Links',
		default: true,
		description: 'Whether to follow links to other websites',
	}),
	allowSubdomains: boolean({
		displayName: 'Allow Subdomains',
		default: true,
		description: 'Whether to follow links to subdomains',
	}),
	crawlEntireDomain: boolean({
		displayName: 'Crawl Entire Domain',
		default: true,
		description: 'Whether to follow links to sibling and parent pages, not only child pages',
	}),
	deduplicateSimilarURLs: boolean({
		displayName: 'Deduplicate Similar URLs',
		description:
			'Whether to scrape only one of similar URLs, such as with and without www. Enabled by default.',
	}),
	delay: number({
		displayName: 'Delay',
		min: 0,
		max: 60,
		unit: 'seconds',
		default: 1,
		description: 'Delay between pages in seconds, up to 60; limits the crawl to one page at a time',
	}),
	ignoreQueryParameters: boolean({
		displayName: 'Ignore Query Parameters',
		default: true,
		description: 'Whether to scrape each path once, regardless of query parameters',
	}),
	ignoreRobotsTxt: boolean({
		displayName: 'Ignore Robots.txt',
		default: true,
		description:
			"Whether to scrape pages that the site's robots.txt disallows; for enterprise plans",
	}),
	maxConcurrency: integer({
		displayName: 'Max Concurrency',
		min: 1,
		default: 2,
		description: "Max number of pages to scrape at once; the plan's limit if not set",
	}),
	maxDiscoveryDepth: integer({
		displayName: 'Max Discovery Depth',
		min: 0,
		default: 2,
		description: 'Max number of links from the start page; 0 is the start page and the sitemap',
	}),
	prompt: string({
		displayName: 'Prompt',
		rows: 2,
		max: 10_000,
		placeholder: 'e.g. Only the product pages',
		description:
			'What to crawl, in natural language, up to 10,000 characters; fields set here override it',
	}),
	regexOnFullURL: boolean({
		displayName: 'Regex on Full URL',
		default: true,
		description:
			'Whether to match the regular expressions against the full URL instead of its path',
	}),
	robotsUserAgent: string({
		displayName: 'Robots User Agent',
		description: "User agent to match in the site's robots.txt; for enterprise plans",
	}),
	sitemap: oneOf({
		displayName: 'Sitemap',
		default: 'include',
		options: [
			{ name: 'Include', value: 'include', description: 'The sitemap and links on pages' },
			{ name: 'Only', value: 'only', description: 'The sitemap and the start page' },
			{ name: 'Skip', value: 'skip', description: 'Only links on pages' },
		],
		description: 'Where to find URLs',
	}),
	...patterns(),
};

/** Validates crawl options: a delay between pages is greater than 0. */
export function crawlOptionRules({ delay }: { delay?: number }, reject: Reject): void {
	if (delay === 0) reject('must be more than 0 seconds', 'delay');
}

const group = object(
	{
		displayName: 'Crawl Options',
		placeholder: 'Add Crawl Option',
		default: {},
		description: `Which pages to crawl; up to ${defaultCrawlLimit} pages per check if no limit is set`,
	},
	{
		...crawlOptionGroup,
		...patterns({ flags: true }),
		limit: limitAlone({
			default: defaultCrawlLimit,
			description: 'Max number of pages per check',
		}),
	},
	crawlOptionRules,
);

/**
 * Crawl options as an object, as a monitor has them: only there patterns may begin with flags
 * (docs/api-notes.md, Requests). The service's default limit would be 10,000 pages per check.
 */
export const crawlOptions = {
	...group,
	schema: group.schema.transform((given) => ({ limit: defaultCrawlLimit, ...given })),
};
