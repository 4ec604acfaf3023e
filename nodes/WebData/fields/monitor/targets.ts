import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { byType, fields, list, prepared, separateLines, text } from '../../../runtime/contract';
import { field, integer, oneOf } from '../../../runtime/field';
import { byName, propertiesOf, shapeOf } from '../../../runtime/form';
import { crawlOptionGroup, crawlOptions, usualCrawlLimit } from '../crawlOptions';
import { domains } from '../domains';
import { formatFieldsOf } from '../formatFields';
import { limitField } from '../limit';
import { readingFields, readScrapeOptions, scrapeOptions } from '../scrapeOptions';
import { pageUrls, url } from '../url';
import { uuid } from '../uuid';

const show = (...types: string[]) => ({ show: { type: types } });

const id = field(
	{
		displayName: 'Target ID',
		type: 'string',
		default: '',
		description: 'ID that a target keeps when the targets are replaced; a new one when empty',
	},
	uuid(),
);

/** What can be said of a search target beside its queries. */
const searchOptions = {
	excludeDomains: domains({
		displayName: 'Exclude Domains',
		max: 50,
		description:
			'Comma-separated domains to leave out, up to 50; not together with Include Domains',
	}),
	includeDomains: domains({
		displayName: 'Include Domains',
		max: 50,
		description:
			'Comma-separated domains to search in, up to 50; not together with Exclude Domains',
	}),
	maxResults: integer({
		displayName: 'Max Results',
		min: 1,
		max: 50,
		default: 10,
		description: 'Most results of a check, 1 to 50, all queries together',
	}),
	searchWindow: oneOf({
		displayName: 'Search Window',
		default: '24h',
		options: [
			{ name: 'Past 15 Minutes', value: '15m' },
			{ name: 'Past 24 Hours', value: '24h' },
			{ name: 'Past 5 Minutes', value: '5m' },
			{ name: 'Past 6 Hours', value: '6h' },
			{ name: 'Past 7 Days', value: '7d' },
			{ name: 'Past Hour', value: '1h' },
		],
		description: 'How new a result must be',
	}),
	id,
};

/** What is made of the pages of a target. */
const pageFormatFields = formatFieldsOf({
	description:
		'What to make of each page; markdown when nothing is chosen. To compare fields instead of text, choose Markdown, and Change Tracking with the mode JSON.',
	show: { type: ['scrape', 'crawl'] },
});

const pageReadingFields = readingFields.map((field) => ({
	...field,
	displayOptions: show('scrape', 'crawl'),
}));

/** Fields of one target; the type decides which are shown. */
const targetFields: INodeProperties[] = [
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		default: 'scrape',
		options: [
			{
				name: 'Crawl',
				value: 'crawl',
				description: 'The pages of a site; notices new and removed ones too',
			},
			{ name: 'Scrape', value: 'scrape', description: 'Single pages' },
			{ name: 'Search', value: 'search', description: 'New results of searches; needs a goal' },
		],
		description: 'What to watch',
	},
	{
		displayName: 'URLs',
		name: 'urls',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/prices, https://example.com/blog',
		displayOptions: show('scrape'),
		description: 'Comma-separated addresses of the pages; each check costs 1 credit a page or more',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/docs',
		displayOptions: show('crawl'),
		description: 'Address where the crawl begins; each check costs 1 credit a page or more',
	},
	{
		displayName: 'Queries',
		name: 'queries',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. heat pump subsidies',
		displayOptions: show('search'),
		description: 'What to search for: one query a line, 1 to 12, each up to 256 characters',
	},
	...pageFormatFields,
	{
		displayName: 'Crawl Options',
		name: 'crawlOptions',
		type: 'collection',
		placeholder: 'Add Crawl Option',
		default: {},
		displayOptions: show('crawl'),
		description: `Which pages belong to the crawl; up to ${usualCrawlLimit} pages a check unless there is a limit`,
		options: byName([
			...propertiesOf(crawlOptionGroup),
			limitField({
				initial: usualCrawlLimit,
				description: 'Max number of pages of a check',
			}),
		]),
	},
	...pageReadingFields,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: show('scrape', 'crawl'),
		options: propertiesOf({ id }),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: show('search'),
		options: propertiesOf(searchOptions),
	},
];

/** What a monitor watches (addendum 10, `targets`). */
export const targetsField: INodeProperties = {
	displayName: 'Targets',
	name: 'targets',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Target',
	default: {},
	description:
		'Pages, sites and searches to watch, 1 to 50. Those of an update replace all present ones; a target with its ID goes on comparing with its earlier checks.',
	options: [
		{
			displayName: 'Target',
			name: 'values',
			values: targetFields,
		},
	],
};

/** The targets of a new monitor, which has one at least. */
export const newTargetsField: INodeProperties = {
	...targetsField,
	required: true,
	default: { values: [{ type: 'scrape', urls: '' }] },
};

const query = text({ max: 256, mend: (value) => value.trim() });

const besideScrapeOptions = new Set(
	[...pageFormatFields, ...pageReadingFields].map(({ name }) => name),
);

/** A target that reads pages. Its formats and actions stand beside its scrape options in the editor, and among them in the API's own shape. */
const withFormats = <Contract extends z.ZodTypeAny>(contract: Contract) =>
	prepared(contract, (entry) => {
		if (entry.formats === undefined && entry.actions === undefined) return entry;
		const others = Object.entries(entry).filter(([name]) => !besideScrapeOptions.has(name));
		return { ...Object.fromEntries(others), scrapeOptions: readScrapeOptions(entry) };
	});

const target = byType(
	{
		scrape: withFormats(
			fields({
				...shapeOf({ id }),
				urls: pageUrls({ min: 1 }),
				scrapeOptions: scrapeOptions().optional(),
			}),
		),
		// The service's own limit is 10,000 pages, at each check (addendum 17, trap 17).
		crawl: withFormats(
			fields({
				...shapeOf({ id }),
				url: url(),
				crawlOptions: crawlOptions().optional(),
				scrapeOptions: scrapeOptions().optional(),
			}),
		).transform(({ crawlOptions: given, ...members }) => ({
			...members,
			crawlOptions: { limit: usualCrawlLimit, ...given },
		})),
		search: fields(
			{
				...shapeOf(searchOptions),
				// A query may have commas.
				queries: list(query, { min: 1, max: 12, separate: separateLines }),
			},
			({ includeDomains, excludeDomains }, refuse) => {
				if (includeDomains && excludeDomains) {
					refuse(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
				}
			},
		),
	},
	{ editor: targetFields },
);

export const targets = () => list(target, { min: 1, max: 50 });
