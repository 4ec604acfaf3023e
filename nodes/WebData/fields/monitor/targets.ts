import { listSchema, separateLines, stringSchema } from '../../../runtime/form/schema';
import { editorOnly, field, integer, required, oneOf } from '../../../runtime/form/field';
import { entries, section, options, propertiesOf, variants } from '../../../runtime/form/form';
import type { JsonRecord } from '../../../runtime/values/record';
import { crawlOptions } from '../crawlOptions';
import { domains } from '../domains';
import { formatProperties } from '../formatFields';
import { reading, readScrapeOptions } from '../scrapeOptions';
import { pageUrls, url } from '../url';
import { id } from '../ids';
import { costOf } from '../prices';

const targetId = id({
	displayName: 'Target ID',
	description: 'ID of an existing target to preserve when replacing targets; a new one if empty',
});

/** The options of a search target other than its queries. */
const searchOptions = {
	excludeDomains: domains({
		displayName: 'Exclude Domains',
		max: 50,
		description:
			'Comma-separated domains to exclude, up to 50; cannot be combined with Include Domains',
	}),
	includeDomains: domains({
		displayName: 'Include Domains',
		max: 50,
		description:
			'Comma-separated domains to search, up to 50; cannot be combined with Exclude Domains',
	}),
	maxResults: integer({
		displayName: 'Max Results',
		min: 1,
		max: 50,
		default: 10,
		description: 'Max number of results per check, 1 to 50, for all queries together',
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
		description: 'Max age of results',
	}),
	id: targetId,
};

/** The scrape options of a target. */
const pageReading = {
	formats: editorOnly(
		formatProperties({
			description:
				'Formats to return for each page; markdown if empty. To compare fields instead of text, choose Markdown, and Change Tracking with the mode JSON.',
		}),
	),
	...reading,
};

const readingNames = new Set(propertiesOf(pageReading).map(({ name }) => name));

/**
 * A target of pages. Its formats and actions are beside its scrape options in the editor, and among
 * them in the API.
 */
function withFormats(entry: JsonRecord): JsonRecord {
	if (entry.formats === undefined && entry.actions === undefined) return entry;
	const others = Object.entries(entry).filter(([name]) => !readingNames.has(name));
	return { ...Object.fromEntries(others), scrapeOptions: readScrapeOptions(entry) };
}

const pages = ['scrape', 'crawl'];

const query = stringSchema({ max: 256, normalize: (value) => value.trim() });

/** A target; its type decides which of its fields are shown. */
const target = variants({
	description: 'What to watch',
	default: 'scrape',
	types: [
		{
			name: 'Crawl',
			value: 'crawl',
			description: 'Pages of a site, including new and removed ones',
		},
		{ name: 'Scrape', value: 'scrape', description: 'Single pages' },
		{ name: 'Search', value: 'search', description: 'New search results; requires a goal' },
	],
	sections: [
		section(['scrape'], {
			urls: required(
				field(
					{
						displayName: 'URLs',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/a, https://example.com/b',
						description: `Comma-separated URLs; each check costs ${costOf('page')} or more per page`,
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
						description: `Start URL of the crawl; each check costs ${costOf('page')} or more per page`,
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
						description: `Search queries, one per line, 1 to 12, each up to 256 characters; each check costs ${costOf('tenResults')} per 10 results in total`,
					},
					// A query may contain commas.
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
		search({ includeDomains, excludeDomains }, reject) {
			if (includeDomains && excludeDomains) {
				reject(`cannot be used together with 'Exclude Domains'`, 'includeDomains');
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
		'Pages, sites and searches to watch, 1 to 50. An update replaces all targets; a target with an existing ID keeps its check history.',
};

/** The targets of a monitor. */
export const targets = entries(about, target);

/** The targets of a new monitor, which requires at least one. */
export const newTargets = required(
	entries({ ...about, default: { values: [{ type: 'scrape', urls: '' }] } }, target),
);
