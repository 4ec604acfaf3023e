import { listSchema, separateLines, stringSchema } from '../../../runtime/form/schema';
import { editorOnly, field, integer, required, oneOf } from '../../../runtime/form/field';
import { entries, section, options, propertiesOf, variants } from '../../../runtime/form/form';
import type { JsonRecord } from '../../../runtime/values/record';
import { crawlOptions } from '../crawlOptions';
import { domains } from '../domains';
import { formatProperties } from '../formatFields';
import { reading, readScrapeOptions } from '../scrapeOptions';
import { pageUrls, url } from '../url';
import { id } from '../uuid';
import { costOf } from '../prices';

const targetId = id({
	displayName: 'Target ID',
	description: 'ID that a target keeps when the targets are replaced; a new one when empty',
});

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
	id: targetId,
};

/** How the pages of a target are read. */
const pageReading = {
	formats: editorOnly(
		formatProperties({
			description:
				'What to make of each page; markdown when nothing is chosen. To compare fields instead of text, choose Markdown, and Change Tracking with the mode JSON.',
		}),
	),
	...reading,
};

const readingNames = new Set(propertiesOf(pageReading).map(({ name }) => name));

/** A target that reads pages. Its formats and actions stand beside its scrape options in the editor, and among them in the API's own shape. */
function withFormats(entry: JsonRecord): JsonRecord {
	if (entry.formats === undefined && entry.actions === undefined) return entry;
	const others = Object.entries(entry).filter(([name]) => !readingNames.has(name));
	return { ...Object.fromEntries(others), scrapeOptions: readScrapeOptions(entry) };
}

const pages = ['scrape', 'crawl'];

const query = stringSchema({ max: 256, normalize: (value) => value.trim() });

/** A target; the type decides which of its fields are shown. */
const target = variants({
	description: 'What to watch',
	default: 'scrape',
	types: [
		{
			name: 'Crawl',
			value: 'crawl',
			description: 'The pages of a site; notices new and removed ones too',
		},
		{ name: 'Scrape', value: 'scrape', description: 'Single pages' },
		{ name: 'Search', value: 'search', description: 'New results of searches; needs a goal' },
	],
	sections: [
		section(['scrape'], {
			urls: required(
				field(
					{
						displayName: 'URLs',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/prices, https://example.com/blog',
						description: `Comma-separated addresses of the pages; each check costs ${costOf('page')} a page or more`,
					},
					pageUrls({ min: 1 }),
				),
			),
		}),
		section(['crawl'], {
			url: required(
				field(
					{
						displayName: 'URL',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/docs',
						description: `Address where the crawl begins; each check costs ${costOf('page')} a page or more`,
					},
					url(),
				),
			),
		}),
		section(['search'], {
			queries: required(
				field(
					{
						displayName: 'Queries',
						type: 'string',
						typeOptions: { rows: 3 },
						default: '',
						placeholder: 'e.g. heat pump subsidies',
						description: `What to search for: one query a line, 1 to 12, each up to 256 characters; each check costs ${costOf('tenResults')} per 10 results of all of them`,
					},
					// A query may have commas.
					listSchema(query, { min: 1, max: 12, separate: separateLines }),
				),
			),
		}),
		section(pages, { formats: pageReading.formats }),
		section(['crawl'], { crawlOptions }),
		section(pages, reading),
		section(pages, options({ id: targetId })),
		section(['search'], options(searchOptions)),
	],
	rules: {
		search({ includeDomains, excludeDomains }, refuse) {
			if (includeDomains && excludeDomains) {
				refuse(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
			}
		},
	},
	prepare: withFormats,
});

const about = {
	displayName: 'Targets',
	entry: 'Target',
	placeholder: 'Add Target',
	min: 1,
	max: 50,
	description:
		'Pages, sites and searches to watch, 1 to 50. Those of an update replace all present ones; a target with its ID goes on comparing with its earlier checks.',
};

/** What a monitor watches. */
export const targets = entries(about, target);

/** The targets of a new monitor, which has one at least. */
export const newTargets = required(
	entries({ ...about, default: { values: [{ type: 'scrape', urls: '' }] } }, target),
);
