import type { INodeProperties } from 'n8n-workflow';
import {
	choice,
	decimal,
	fields,
	flag,
	text,
	wholeNumber,
	type Refuse,
} from '../../runtime/contract';
import { pathPatterns } from './pathPatterns';

/** Pages that a crawl reads when nobody says how many: the service's own 10,000 would make a large bill (addendum 17, trap 17). */
export const usualCrawlLimit = 100;

/** What to crawl beside the start page and the limit (addendum 6), alphabetical as the editor lists them. */
export const crawlOptionFields: INodeProperties[] = [
	{
		displayName: 'Allow External Links',
		name: 'allowExternalLinks',
		type: 'boolean',
		default: true,
		description: 'Whether to follow links to other websites',
	},
	{
		displayName: 'Allow Subdomains',
		name: 'allowSubdomains',
		type: 'boolean',
		default: true,
		description: 'Whether to follow links to subdomains',
	},
	{
		displayName: 'Crawl Entire Domain',
		name: 'crawlEntireDomain',
		type: 'boolean',
		default: true,
		description:
			'Whether to follow links to pages beside and above the start page, not only below it',
	},
	{
		displayName: 'Deduplicate Similar URLs',
		name: 'deduplicateSimilarURLs',
		type: 'boolean',
		default: false,
		description:
			'Whether to read only one of addresses such as with and without www; the service does unless told not to',
	},
	{
		displayName: 'Delay',
		name: 'delay',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 60 },
		default: 1,
		description: 'Pause between pages in seconds, up to 60; reads one page at a time',
	},
	{
		displayName: 'Exclude Paths',
		name: 'excludePaths',
		type: 'string',
		default: '',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. /archive/.*',
		description:
			'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; pages whose path matches one are left out',
	},
	{
		displayName: 'Ignore Query Parameters',
		name: 'ignoreQueryParameters',
		type: 'boolean',
		default: true,
		description: 'Whether to read a path once, whatever its query parameters are',
	},
	{
		displayName: 'Ignore Robots.txt',
		name: 'ignoreRobotsTxt',
		type: 'boolean',
		default: true,
		description: "Whether to read pages that the site's robots.txt forbids; for enterprise plans",
	},
	{
		displayName: 'Include Paths',
		name: 'includePaths',
		type: 'string',
		default: '',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. /blog/.*',
		description:
			'Regular expressions, one per line, up to 1,000 with up to 2,000 characters each; only pages whose path matches one are read, the start page included',
	},
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 2,
		description: "How many pages are read at once; the plan's own limit when not set",
	},
	{
		displayName: 'Max Discovery Depth',
		name: 'maxDiscoveryDepth',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 2,
		description: 'How many links away from the start page; 0 is the start page and the sitemap',
	},
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Only the product pages',
		description:
			'What to crawl in plain words, up to 10,000 characters; what is set here goes before it',
	},
	{
		displayName: 'Regex on Full URL',
		name: 'regexOnFullURL',
		type: 'boolean',
		default: true,
		description:
			'Whether the regular expressions are compared with the whole address, not only its path',
	},
	{
		displayName: 'Robots User Agent',
		name: 'robotsUserAgent',
		type: 'string',
		default: '',
		description: "Name to look up in the site's robots.txt; for enterprise plans",
	},
	{
		displayName: 'Sitemap',
		name: 'sitemap',
		type: 'options',
		default: 'include',
		options: [
			{ name: 'Include', value: 'include', description: 'The sitemap and the links on the pages' },
			{ name: 'Only', value: 'only', description: 'The sitemap and the start page' },
			{ name: 'Skip', value: 'skip', description: 'The links on the pages' },
		],
		description: 'Where the addresses come from',
	},
];

/** Contract members for `crawlOptionFields`, and the limit. */
export const crawlOptionMembers = {
	limit: wholeNumber({ min: 1 }).optional(),
	prompt: text({ max: 10_000 }).optional(),
	includePaths: pathPatterns().optional(),
	excludePaths: pathPatterns().optional(),
	regexOnFullURL: flag().optional(),
	maxDiscoveryDepth: wholeNumber({ min: 0 }).optional(),
	sitemap: choice('include', 'skip', 'only').optional(),
	crawlEntireDomain: flag().optional(),
	allowExternalLinks: flag().optional(),
	allowSubdomains: flag().optional(),
	ignoreQueryParameters: flag().optional(),
	deduplicateSimilarURLs: flag().optional(),
	ignoreRobotsTxt: flag().optional(),
	robotsUserAgent: text().optional(),
	delay: decimal({ min: 0, max: 60, unit: 'seconds' }).optional(),
	maxConcurrency: wholeNumber({ min: 1 }).optional(),
};

/** Rules between crawl options: a pause between pages is more than nothing. */
export function crawlOptionRules({ delay }: { delay?: number }, refuse: Refuse): void {
	if (delay === 0) refuse('must be more than 0 seconds', 'delay');
}

/** Crawl options as an object of its own, as a monitor wraps them: it alone takes flags at a pattern's beginning (docs/api-notes.md, Requests). */
export const crawlOptions = () =>
	fields(
		{
			...crawlOptionMembers,
			includePaths: pathPatterns({ flags: true }).optional(),
			excludePaths: pathPatterns({ flags: true }).optional(),
		},
		crawlOptionRules,
	);
