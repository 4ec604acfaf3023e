import { endpoint } from '../../runtime/http/endpoint';
import { form, mapSchema, additionalFields } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { operation, type Resource } from '../../runtime/operation';
import { asRecord } from '../../runtime/execution/results';
import { isUnchanged } from '../documents/document';
import { documentResult, withPageText } from '../documents/judge';
import { actions } from '../fields/actions';
import { formats } from '../fields/formats';
import { jobId, scrapePage } from '../fields/common';
import { costOf, more, prices } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import {
	defaultScrapeTimeout,
	scrapeOptionGroup,
	scrapeOptionRules,
} from '../fields/scrapeOptions';
import { urlField } from '../fields/url';

const getScrape = endpoint('GET', '/scrape/{id}', 'crawlStatus');

const request = form(
	{
		url: urlField({
			placeholder: 'e.g. https://example.com/pricing',
			description: 'URL of the page or document',
		}),
		formats,
		actions,
		...additionalFields({ ...scrapeOptionGroup, requestJson }),
	},
	scrapeOptionRules,
);

/** POST /scrape (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
const scrape = operation({
	name: 'Scrape',
	value: 'scrape',
	action: 'Scrape page',
	description: `Scrapes a URL and returns the page or document as markdown, data or other formats. ${costOf('page')}, more for some formats; a screenshot only as a URL.`,
	costs: `${costOf('page')}; PDFs ${more('pdfPage')} per further page; X (Twitter) ${more('xPage')}; formats as their descriptions say`,
	request: mapSchema(request, (schema) => withRequestJson(schema, ['alexandria', 'scrapeOptions'])),
	settings: settingsFields(
		'passageQuery',
		'output',
		'downloadFiles',
		'maxCreditsPerExecution',
		'maxRetryTime',
		'onlyChanged',
	),
	async run(body, context) {
		const response = await context.send({
			endpoint: scrapePage,
			body: withPageText(body, context.settings.output),
			serviceTimeout: body.timeout ?? defaultScrapeTimeout,
			price: prices.page.credits,
		});
		const result = await documentResult(asRecord(response.body), context);
		return context.settings.onlyChanged && isUnchanged(response.body) ? [] : [result];
	},
});

/** GET /scrape/{jobId} (https://docs.firecrawl.dev/api-reference/endpoint/scrape). */
const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get scraped page',
	description: 'Returns the result of an earlier scrape by its ID, without scraping again. Free.',
	request: form({
		jobId: jobId('ID of the scrape: scrapeId of its item; retained for 24 hours', 'Scrape ID'),
	}),
	settings: settingsFields('output', 'downloadFiles'),
	async run({ jobId: id }, context) {
		const response = await context.send({ endpoint: getScrape, ids: { id } });
		return [await documentResult(asRecord(response.body), context)];
	},
});

export const page: Resource = { name: 'Page', value: 'page', operations: [scrape, get] };
