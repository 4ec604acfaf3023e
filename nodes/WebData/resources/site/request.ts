import { boolean, integer, oneOf, onlyFor, withDefault } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema, type RequestOf } from '../../../runtime/form/form';
import { crawlOptionGroup, defaultCrawlLimit } from '../../fields/crawlOptions';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { scrapeOptionGroup, scrapeOptionsAlone } from '../../fields/scrapeOptions';
import { urlField } from '../../fields/url';
import { costOf } from '../../fields/prices';

/** Most stored pages of a website: 340 kB of n8n's static data. */
export const mostPages = 20_000;

const defaultTokens = 500;

const fields = {
	url: urlField({
		placeholder: 'e.g. https://example.com/docs',
		description: 'Start URL; the site is this page and its child pages by default',
	}),
	limit: withDefault(
		integer({
			displayName: 'Limit',
			min: 1,
			max: mostPages,
			default: defaultCrawlLimit,
			description: `Max number of pages of the site, up to 20,000; each scraped page costs ${costOf('page')} or more. If the limit is reached, missing pages do not count as removed.`,
		}),
		defaultCrawlLimit,
	),
	splitInto: withDefault(
		oneOf({
			displayName: 'Split Into',
			default: 'chunks',
			options: [
				{
					name: 'Chunks',
					value: 'chunks',
					description: 'Parts of pages, split at headings, for a vector store',
				},
				{ name: 'Pages', value: 'pages', description: 'Whole pages' },
			],
			description: 'How to split pages into items',
		}),
		'chunks',
	),
	maxChunkTokens: onlyFor(
		'splitInto',
		'chunks',
		integer({
			displayName: 'Max Tokens per Chunk',
			min: 50,
			max: 8_000,
			unit: 'tokens',
			default: defaultTokens,
			description:
				'Max number of tokens per chunk, 50 to 8,000; a token is about 4 characters. Code blocks and table rows are not split even if longer.',
		}),
	),
	strategy: withDefault(
		oneOf({
			displayName: 'Strategy',
			default: 'auto',
			options: [
				{
					name: 'Automatic',
					value: 'auto',
					description:
						'A crawl to scrape all pages; a map to scrape a part, plus a crawl if the map lacks known pages',
				},
				{
					name: 'Crawl',
					value: 'crawl',
					description: 'Follows the sitemap and all links; scrapes every page in every run',
				},
				{
					name: 'Map and Batch',
					value: 'map',
					description: `Lists the site by a map, for ${costOf('map')}; scrapes only new pages and those due for a re-scrape`,
				},
			],
			description: 'How to find and scrape pages; a notice shows which strategy was used',
		}),
		'auto',
	),
	rescrapeEvery: withDefault(
		integer({
			displayName: 'Re-Scrape Known Pages Every',
			min: 1,
			max: 1_000,
			unit: 'runs',
			default: 1,
			hint: '1 detects every change in the next run; 7 scrapes a seventh of the known pages in each run',
			description:
				'In runs, 1 to 1,000. A change is detected only when the page is scraped again. Above 1, a map finds new pages in every run, and known pages are scraped in turn.',
		}),
		1,
	),
	startOver: withDefault(
		boolean({
			displayName: 'Start Over',
			description:
				'Whether to forget all known pages and return every page as new; use it after emptying the store',
		}),
		false,
	),
	scrapeOptions: scrapeOptionsAlone,
	...additionalFields({
		allowSubdomains: crawlOptionGroup.allowSubdomains,
		crawlEntireDomain: crawlOptionGroup.crawlEntireDomain,
		excludePaths: crawlOptionGroup.excludePaths,
		ignoreQueryParameters: crawlOptionGroup.ignoreQueryParameters,
		includePaths: crawlOptionGroup.includePaths,
		requestJson,
		sitemap: crawlOptionGroup.sitemap,
		zeroDataRetention: boolean({ displayName: 'Zero Data Retention', default: true }),
	}),
};

/** The parameters of a sync. */
export type SyncRequest = RequestOf<typeof fields>;

export const syncRequest = mapSchema(form(fields), (schema) =>
	withRequestJson(schema, Object.keys(scrapeOptionGroup)),
);

/** Most tokens of a chunk; unlimited if pages stay whole. */
export const chunkTokens = ({ splitInto, maxChunkTokens = defaultTokens }: SyncRequest): number =>
	splitInto === 'pages' ? Infinity : maxChunkTokens;
