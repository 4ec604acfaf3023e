import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { endpoint } from '../../runtime/http/endpoint';
import type { Request } from '../../runtime/http/client';
import { parseUrl } from '../../runtime/values/text';
import { fieldOf, isUnset } from '../../runtime/values/record';
import {
	defaultCrawlLimit,
	crawlOptionGroup,
	crawlOptionRules,
	noticePatterns,
} from '../fields/crawlOptions';
import { pageUrlOf } from '../documents/document';
import { documentJob, jobOperations, runSettings } from '../documents/documentJob';
import type { DocumentJobKind } from '../documents/jobPages';
import { editorOnly, required, string } from '../../runtime/form/field';
import { additionalFields, form, mapSchema } from '../../runtime/form/form';
import { settingsFields } from '../../runtime/form/settings';
import { requireArray } from '../../runtime/http/paging';
import { operation, type Resource } from '../../runtime/operation';
import { requirePaidField, asRecord } from '../../runtime/execution/results';
import { withPageText } from '../documents/judge';
import { formats } from '../fields/formats';
import { limitAlone } from '../fields/common';
import { costOf } from '../fields/prices';
import { requestJson, withRequestJson } from '../fields/requestJson';
import { crawlReading, scrapeOptionNames } from '../fields/scrapeOptions';
import { urlField, wholeUrl } from '../fields/url';
import { documentWebhook } from '../fields/webhook';

/** Crawls websites (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const startCrawl = endpoint('POST', '/crawl', 'crawl', 'mayStartTwice');

/** Lists the active crawls (https://docs.firecrawl.dev/api-reference/endpoint/crawl-active). */
export const listActiveCrawls = endpoint('GET', '/crawl/active', 'crawlStatus');

/** POST /crawl, always with a limit. A server without a database fails with an idempotency key: only the hosted one gets it. */
export function crawlStart(
	{ limit = defaultCrawlLimit, ...body }: { url: string; limit?: number },
	isHosted: boolean,
): Request {
	const headers = () => ({ 'x-idempotency-key': randomUUID() });
	return {
		endpoint: startCrawl,
		...(isHosted && { headers: headers(), freshHeaders: headers, retrySafety: 'idempotencyKey' }),
		body: { ...body, limit },
		jobLookup: { list: listActiveCrawls, entries: 'crawls', target: body.url },
		price: limit,
		limitedBy: 'limit',
	};
}

const siteOf = (url: unknown): string | undefined =>
	parseUrl(String(url))?.hostname.replace(/^www\./, '');

/** The notice of a crawl whose start page redirects to another host, where it continues; if it does. */
function moveNotice(start: unknown, documents: IDataObject[]): string | undefined {
	const startUrl = pageUrlOf(start);
	const page = documents.find(
		({ metadata }) => pageUrlOf(fieldOf(metadata, 'sourceURL')) === startUrl,
	);
	const [from, to] = [siteOf(start), siteOf(fieldOf(page?.metadata, 'url'))];
	if (from === undefined || to === undefined || from === to) return undefined;
	return `The start page on ${from} redirects to ${to}, so the crawl continued there. If that is intended, set 'URL' to the new page.`;
}

export const crawlKind: DocumentJobKind = {
	noun: 'crawl',
	status: endpoint('GET', '/crawl/{id}', 'crawlStatus'),
	cancel: endpoint('DELETE', '/crawl/{id}', 'crawlStatus'),
	errors: endpoint('GET', '/crawl/{id}/errors', 'crawlStatus'),
	returnsFailed: false,
	noticeOf: (documents, { requests }) =>
		moveNotice(fieldOf(requests.at(0)?.body, 'url'), documents),
};

const previewCrawlParams = endpoint('POST', '/crawl/params-preview', 'crawl', 'free');

/** The start page of a crawl. */
const startPage = {
	placeholder: 'e.g. https://example.com/docs',
	hint: 'From a subpage, add Crawl Entire Domain for the whole website',
	description: 'Start URL; only pages below its path are crawled',
};

const request = form(
	{
		url: urlField(startPage),
		formats: editorOnly(formats),
		limit: limitAlone('Max number of pages to scrape', {
			default: defaultCrawlLimit,
			hint: `${costOf('page')} or more per page`,
		}),
		scrapeOptions: crawlReading,
		...additionalFields({ ...crawlOptionGroup, requestJson, webhook: documentWebhook }),
	},
	crawlOptionRules,
);

/** The body of POST /crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const crawlRequest = mapSchema(request, (schema) =>
	withRequestJson(schema, scrapeOptionNames),
);

const crawlJob = documentJob(crawlKind);

const patternAdvice = "Enable 'Regex on Full URL' to match the full URL.";

/** POST /crawl, then its documents (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Crawl website',
	description: `Crawls a website from a start URL and returns one item per page. ${costOf('page')} per page, more for some formats; takes minutes.`,
	request: crawlRequest,
	settings: runSettings,
	costs: 'as Scrape, per page',
	async run(body, context) {
		noticePatterns(body, patternAdvice, context);
		const asked = withPageText(body, context.settings.output);
		return await context.runJob(crawlJob, crawlStart(asked, context.isHosted));
	},
	job: crawlJob,
});

/** POST /crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start crawl',
	description: `Starts to crawl a website and returns its job ID, by which the pages can be fetched later. ${costOf('page')} per page, more for some formats.`,
	request: crawlRequest,
	settings: settingsFields('maxCreditsPerExecution', 'maxRetryTime'),
	costs: 'as Run',
	async run(body, context) {
		noticePatterns(body, patternAdvice, context);
		return await context.startJob(crawlJob, crawlStart(body, context.isHosted));
	},
});

/** GET /crawl/active (https://docs.firecrawl.dev/api-reference/endpoint/crawl-active). */
const getActive = operation({
	name: 'Get Active',
	value: 'getActive',
	action: 'Get active crawls',
	description: "Returns the team's running crawls, one item each: ID, start URL and options. Free.",
	request: form({}),
	async run(_body, context) {
		const response = await context.send({ endpoint: listActiveCrawls });
		const { crawls } = asRecord(response.body);
		return requireArray(crawls, context.errorSource).map((crawl) => ({ json: asRecord(crawl) }));
	},
});

/** Longest delay between pages of a crawl, in seconds. */
const longestDelay = 60;

/** Converts previewed options for POST /crawl: known fields only, a delay in seconds (https://docs.firecrawl.dev/api-reference/endpoint/crawl-params-preview). */
export function usableOptions(previewed: IDataObject): IDataObject {
	const known = Object.entries(previewed).filter(
		([name, value]) =>
			(name === 'url' || name === 'limit' || name in crawlOptionGroup) && !isUnset(value),
	);
	const options: IDataObject = Object.fromEntries(known);
	const { delay } = options;
	if (typeof delay !== 'number' || delay <= 0) delete options.delay;
	else if (delay > longestDelay) options.delay = Math.min(longestDelay, delay / 1000);
	return options;
}

/** POST /crawl/params-preview (https://docs.firecrawl.dev/api-reference/endpoint/crawl-params-preview). */
const previewParams = operation({
	name: 'Preview Params',
	value: 'previewParams',
	action: 'Preview crawl options of prompt',
	description:
		'Converts a natural language prompt to crawl options and returns them, without scraping. Free.',
	request: form({
		url: urlField(startPage, wholeUrl()),
		prompt: required(
			string('Prompt', 'What to crawl, in natural language, up to 10,000 characters', {
				rows: 4,
				max: 10_000,
				placeholder: 'e.g. Only blog posts of this year',
			}),
		),
	}),
	async run(body, { send, errorSource }) {
		const response = await send({ endpoint: previewCrawlParams, body });
		const options = asRecord(requirePaidField(response.body, 'data', 'options', errorSource));
		return [{ json: usableOptions({ url: body.url, ...options }) }];
	},
});

export const crawl: Resource = {
	name: 'Crawl',
	value: 'crawl',
	operations: [run, start, ...jobOperations(crawlKind), getActive, previewParams],
};
