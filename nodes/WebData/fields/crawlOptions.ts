import type { Refuse } from '../../runtime/form/schema';
import { boolean, integer, number, oneOf, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { limitAlone } from './limit';
import { paths, type PatternKind } from './pathPatterns';

/** Pages that a crawl reads when nobody says how many: the service's own 10,000 would make a large bill. */
export const defaultCrawlLimit = 100;

/** Which pages are read, by their paths. */
const patterns = (kind: PatternKind = {}) => ({
	excludePaths: paths(
		{
			displayName: 'Exclude Paths',
			placeholder: 'e.g. /archive/.*',
			description:
				'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; pages whose path matches one are left out',
		},
		kind,
	),
	includePaths: paths(
		{
			displayName: 'Include Paths',
			placeholder: 'e.g. /blog/.*',
			description:
				'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; only pages whose path matches one are read, the start page included',
		},
		kind,
	),
});

/** What to crawl beside the start page and the limit (https://docs.firecrawl.dev/features/crawl). */
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
		description:
			'Whether to follow links to pages beside and above the start page, not only below it',
	}),
	deduplicateSimilarURLs: boolean({
		displayName: 'Deduplicate Similar URLs',
		description:
			'Whether to read only one of addresses such as with and without www; the service does unless told not to',
	}),
	delay: number({
		displayName: 'Delay',
		min: 0,
		max: 60,
		unit: 'seconds',
		default: 1,
		description: 'Pause between pages in seconds, up to 60; reads one page at a time',
	}),
	ignoreQueryParameters: boolean({
		displayName: 'Ignore Query Parameters',
		default: true,
		description: 'Whether to read a path once, whatever its query parameters are',
	}),
	ignoreRobotsTxt: boolean({
		displayName: 'Ignore Robots.txt',
		default: true,
		description: "Whether to read pages that the site's robots.txt forbids; for enterprise plans",
	}),
	maxConcurrency: integer({
		displayName: 'Max Concurrency',
		min: 1,
		default: 2,
		description: "How many pages are read at once; the plan's own limit when not set",
	}),
	maxDiscoveryDepth: integer({
		displayName: 'Max Discovery Depth',
		min: 0,
		default: 2,
		description: 'How many links away from the start page; 0 is the start page and the sitemap',
	}),
	prompt: string({
		displayName: 'Prompt',
		rows: 2,
		max: 10_000,
		placeholder: 'e.g. Only the product pages',
		description:
			'What to crawl in plain words, up to 10,000 characters; what is set here goes before it',
	}),
	regexOnFullURL: boolean({
		displayName: 'Regex on Full URL',
		default: true,
		description:
			'Whether the regular expressions are compared with the whole address, not only its path',
	}),
	robotsUserAgent: string({
		displayName: 'Robots User Agent',
		description: "Name to look up in the site's robots.txt; for enterprise plans",
	}),
	sitemap: oneOf({
		displayName: 'Sitemap',
		default: 'include',
		options: [
			{ name: 'Include', value: 'include', description: 'The sitemap and the links on the pages' },
			{ name: 'Only', value: 'only', description: 'The sitemap and the start page' },
			{ name: 'Skip', value: 'skip', description: 'The links on the pages' },
		],
		description: 'Where the addresses come from',
	}),
	...patterns(),
};

/** Rules between crawl options: a pause between pages is more than nothing. */
export function crawlOptionRules({ delay }: { delay?: number }, refuse: Refuse): void {
	if (delay === 0) refuse('must be more than 0 seconds', 'delay');
}

const group = object(
	{
		displayName: 'Crawl Options',
		placeholder: 'Add Crawl Option',
		default: {},
		description: `Which pages belong to the crawl; up to ${defaultCrawlLimit} pages a check unless there is a limit`,
	},
	{
		...crawlOptionGroup,
		...patterns({ flags: true }),
		limit: limitAlone({
			default: defaultCrawlLimit,
			description: 'Max number of pages of a check',
		}),
	},
	crawlOptionRules,
);

/**
 * Crawl options as an object of its own, as a monitor wraps them: it alone takes flags at a pattern's
 * beginning (docs/api-notes.md, Requests). The service's own limit would be 10,000 pages, at each check.
 */
export const crawlOptions = {
	...group,
	schema: group.schema.transform((given) => ({ limit: defaultCrawlLimit, ...given })),
};
