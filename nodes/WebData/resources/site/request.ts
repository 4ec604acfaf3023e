import { boolean, integer, oneOf, onlyFor, withDefault } from '../../../runtime/form/field';
import { additionalFields, form, mapSchema, type RequestOf } from '../../../runtime/form/form';
import { crawlOptionGroup, defaultCrawlLimit } from '../../fields/crawlOptions';
import { requestJson, withRequestJson } from '../../fields/requestJson';
import { scrapeOptionGroup, scrapeOptionsAlone } from '../../fields/scrapeOptions';
import { address } from '../../fields/url';
import { zeroDataRetention } from '../../fields/zeroDataRetention';
import { costOf } from '../../fields/prices';

/** Pages that are remembered of a website: 340 kB of n8n's static data. */
export const mostPages = 20_000;

const defaultTokens = 500;

const members = {
	url: address({
		placeholder: 'e.g. https://example.com/docs',
		description:
			'Page to start from; the site is this page and those below it, unless told otherwise',
	}),
	limit: withDefault(
		integer({
			displayName: 'Limit',
			min: 1,
			max: mostPages,
			default: defaultCrawlLimit,
			description: `Max number of pages of the site, up to 20,000; each that is read costs ${costOf('page')} or more. Where it is reached, pages that are missing do not count as removed.`,
		}),
		defaultCrawlLimit,
	),
	cutInto: withDefault(
		oneOf({
			displayName: 'Cut Into',
			default: 'chunks',
			options: [
				{
					name: 'Chunks',
					value: 'chunks',
					description: 'Parts of pages along their headings, for a vector store',
				},
				{ name: 'Pages', value: 'pages', description: 'Each page whole' },
			],
			description: 'What an item with text is',
		}),
		'chunks',
	),
	maxChunkTokens: onlyFor(
		'cutInto',
		'chunks',
		integer({
			displayName: 'Max Tokens per Chunk',
			min: 50,
			max: 8_000,
			unit: 'tokens',
			default: defaultTokens,
			description:
				'How many tokens a chunk may come to, 50 to 8,000; about 4 characters make a token. A code block and a row of a table stay whole even where they are longer.',
		}),
	),
	readBy: withDefault(
		oneOf({
			displayName: 'Read By',
			default: 'auto',
			options: [
				{
					name: 'Cheaper One',
					value: 'auto',
					description:
						'A crawl where all pages are read; a map where only a part is, and a crawl where the map lacks known pages',
				},
				{
					name: 'Crawl',
					value: 'crawl',
					description: 'Follows the sitemap and all links; reads every page at every run',
				},
				{
					name: 'Map and Batch',
					value: 'map',
					description: `The site is what a map lists, for ${costOf('map')}; only new pages and those to be read again are read`,
				},
			],
			description: 'How the pages are found and read; a notice says which way was chosen',
		}),
		'auto',
	),
	readAgainEvery: withDefault(
		integer({
			displayName: 'Read Known Pages Again Every',
			min: 1,
			max: 1_000,
			unit: 'runs',
			default: 1,
			hint: '1 finds every change at the next run; 7 reads a seventh of the known pages at each run',
			description:
				'In runs, 1 to 1,000. A change shows only when the page is read again. With more than 1, a map finds what is new at every run, and the known pages are read in turn.',
		}),
		1,
	),
	startOver: withDefault(
		boolean({
			displayName: 'Start Over',
			description:
				'Whether to forget what is known of the site, so that all of its pages come out as new: for when the store was emptied',
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
		maxConcurrency: crawlOptionGroup.maxConcurrency,
		requestJson,
		sitemap: crawlOptionGroup.sitemap,
		zeroDataRetention,
	}),
};

/** What is asked of a website. */
export type SyncRequest = RequestOf<typeof members>;

export const syncRequest = mapSchema(form(members), (schema) =>
	withRequestJson(schema, Object.keys(scrapeOptionGroup)),
);

/** Tokens that a chunk may come to: no bound where pages stay whole. */
export const chunkTokens = ({ cutInto, maxChunkTokens = defaultTokens }: SyncRequest): number =>
	cutInto === 'pages' ? Infinity : maxChunkTokens;
