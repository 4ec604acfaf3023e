import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/http/endpoint';
import { missingInResponse } from '../../runtime/errors/message';
import { errorMessageIn } from '../../runtime/errors/response';
import type { ReadContext, Result } from '../../runtime/operation/operation';
import { isRecord } from '../../runtime/values/record';
import { asRecord } from '../../runtime/output/results';
import { pageUrlOf } from './pageUrl';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const robotsMessage = "Disallowed by the site's robots.txt";
const invalidMessage = 'Not a URL that can be scraped';
const unnamedMessage = 'The server returned no reason';

/** A page of a job without a document. */
export interface FailedPage {
	url: string;
	/** `excluded`: the crawl's own options exclude it. */
	failed: 'error' | 'excluded' | 'invalid' | 'robots';
	error: string;
	/** Other fields that the service reports. */
	details: IDataObject;
}

/**
 * Distinguishes pages that robots.txt forbids from those that the crawl's patterns exclude: both
 * have one code.
 */
function reasonOf({ code }: IDataObject, message: string): FailedPage['failed'] {
	if (code === 'EXTERNAL_LINK') return 'excluded';
	if (code !== 'CRAWL_DENIAL') return 'error';
	return /robots/i.test(message) ? 'robots' : 'excluded';
}

/** A failed page for which the service reports no reason. */
const unexplained = (url: string): FailedPage => ({
	url,
	failed: 'error',
	error: unnamedMessage,
	details: { url },
});

/** URLs that a start omitted because they are invalid. */
export const invalidPages = (urls: unknown): FailedPage[] =>
	listOf(urls)
		.map(String)
		.map((url) => ({ url, failed: 'invalid', error: invalidMessage, details: { url } }));

/**
 * Fetches the failed pages of a job and those that robots.txt forbids, each once. Free
 * (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get-errors).
 */
export async function readFailedPages(
	{ errors: endpoint }: { errors: Endpoint },
	id: string,
	context: ReadContext,
): Promise<FailedPage[]> {
	const response = await context.send({ endpoint, ids: { id } });
	const body = asRecord(response.body);
	// Some versions wrap the lists in `data`.
	const { errors, robotsBlocked } = isRecord(body.data) ? asRecord(body.data) : body;
	if (!Array.isArray(errors) && !Array.isArray(robotsBlocked)) {
		throw missingInResponse('a list of errors', context.errorSource);
	}
	const failed = listOf(errors).map((entry): FailedPage => {
		const details = asRecord(entry);
		const error = errorMessageIn(details.error) ?? unnamedMessage;
		return { url: String(details.url), failed: reasonOf(details, error), error, details };
	});
	const named = new Set(failed.map(({ url }) => url));
	const blocked = listOf(robotsBlocked)
		.map(String)
		.filter((url) => !named.has(url))
		.map((url): FailedPage => ({ url, failed: 'robots', error: robotsMessage, details: { url } }));
	return [...failed, ...blocked];
}

/**
 * Failed pages as results, one each. Their error is below `failed`: n8n repeats a node with 'Retry
 * On Fail' whose first item has an `error`. Pages that a crawl's options exclude count as errors.
 */
export const failedResults = (pages: FailedPage[], jobId: string): Result[] =>
	pages.map(({ url, failed, error, details }) => ({
		json: {
			url,
			jobId,
			failed: { ...details, type: failed === 'excluded' ? 'error' : failed, error },
		},
	}));

/**
 * The pages that a completed job lacks. `missing` has the requested URLs without a document, if
 * known. Exclusions by robots.txt and a crawl's options are intended, so they count only if the
 * crawl returned nothing.
 */
export function lackingPages(
	listed: FailedPage[],
	missing: string[] | undefined,
	isEmpty: boolean,
): FailedPage[] {
	if (missing === undefined) return listed.filter(({ failed }) => isEmpty || failed === 'error');
	const byPage = new Map(listed.map((page) => [pageUrlOf(page.url), page]));
	return missing.map((url) => byPage.get(pageUrlOf(url)) ?? unexplained(url));
}

/** Most failed pages in a notice. */
const mostNamed = 3;

/** Most characters of a page's reason in a notice. */
const longestReason = 150;

/** The first sentence of a reason: the service's explanations have many. */
function shortened(message: string): string {
	const [sentence] = message.slice(0, longestReason + 1).split('. ', 1);
	return sentence.length > longestReason
		? `${sentence.slice(0, longestReason)}…`
		: sentence.replace(/\.$/, '');
}

/** Lists the first failed pages with their reasons, for a notice. */
export function summarize(pages: FailedPage[]): string {
	const named = pages.slice(0, mostNamed).map(({ url, error }) => `${url} (${shortened(error)})`);
	return [...named, ...(pages.length > mostNamed ? ['…'] : [])].join('; ');
}
