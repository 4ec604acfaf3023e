import { endpoint } from '../../runtime/http/endpoint';
import { boolean, integer, oneOf, string } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { operation, type ReadContext, type Resource } from '../../runtime/operation';
import { requirePaidList, asRecord, listResults } from '../../runtime/execution/results';
import { limitUpTo, pairs } from '../fields/common';
import { location } from '../fields/scrapeOptions';
import { noticePatterns, pathPatterns } from '../fields/crawlOptions';
import { costOf, prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { urlField } from '../fields/url';

/** Lists the URLs of a site (https://docs.firecrawl.dev/api-reference/endpoint/map). */
const mapSite = endpoint('POST', '/map', 'map', 'mayChargeTwice');

/** Most links of a map (https://docs.firecrawl.dev/api-reference/endpoint/map). */
const mostLinks = 100_000;

/** The fields that choose the URLs of a map. */
export const mapChoice = {
	...pathPatterns,
	includeSubdomains: boolean('Include Subdomains', 'Whether to include URLs of subdomains', {
		default: true,
	}),
	search: string('Search', 'Search query to rank the returned URLs by', {
		placeholder: 'e.g. pricing',
	}),
	sitemap: oneOf('Sitemap', 'Where to find URLs', {
		default: 'include',
		options: {
			include: ['Include', 'The sitemap and other sources'],
			only: ['Only', 'Only the sitemap'],
			skip: ['Skip', 'Only other sources'],
		},
	}),
};

/** The website of a map. */
export const mapUrl = urlField({
	placeholder: 'e.g. https://example.com',
	description: 'URL of the website',
});

const request = form({
	url: mapUrl,
	...limitUpTo(
		mostLinks,
		'Max number of results to return, up to 100,000; does not affect the cost',
		100,
	),
	...additionalFields({
		...mapChoice,
		headers: pairs('Headers', 'HTTP headers to send to the pages, such as a cookie', 'Add Header'),
		ignoreCache: boolean(
			'Ignore Cache',
			'Whether to fetch the sitemap again instead of using the cached copy',
		),
		ignoreQueryParameters: boolean(
			'Ignore Query Parameters',
			'Whether to exclude URLs with query parameters',
			{ default: true },
		),
		location,
		requestJson,
		timeout: integer('Timeout', 'Max time for the map, in milliseconds; unlimited if not set', {
			min: 1,
			unit: 'milliseconds',
			default: 60_000,
		}),
	}),
});

/** A link as an object; older servers return plain URLs. */
const asLink = (link: unknown) => (typeof link === 'string' ? { url: link } : asRecord(link));

/** POST /map (https://docs.firecrawl.dev/api-reference/endpoint/map). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Map website',
	description: `Returns the URLs of a website with title and description, without scraping. ${costOf('map')}.`,
	costs: `${costOf('map')}, for up to 100,000 URLs`,
	request: mapSchema(request, withRequestJson),
	settings: settingsFields('output', 'maxCreditsPerExecution', 'maxRetryTime'),
	async run(body, context: ReadContext) {
		noticePatterns(body, "To exclude queries, use 'Ignore Query Parameters'.", context);
		const response = await context.send({
			endpoint: mapSite,
			body,
			serviceTimeout: body.timeout,
			price: prices.map.credits,
		});
		const links = requirePaidList(response.body, 'links', context.errorSource).map(asLink);
		if (links.length === 0)
			context.notice(`Item ${context.errorSource.itemIndex} returned no URLs`);
		const payload = { ...asRecord(response.body), links };
		return await listResults(payload, 'links', context.settings.output, context.errorSource);
	},
});

export const map: Resource = { name: 'Map', value: 'map', operations: [get] };
