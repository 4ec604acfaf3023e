import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../runtime/api/endpoint';
import { missingInResponse } from '../../runtime/api/errors';
import { errorMessageIn } from '../../runtime/api/errorMessage';
import type { ReadContext, Result } from '../../runtime/operation/operation';
import { isRecord } from '../../runtime/values/record';
import { asRecord, label } from '../../runtime/output/results';
import { pageAt } from './address';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const robotsMessage = "The site's robots.txt does not allow it";
const invalidMessage = 'Not an address that the service can visit';
const unnamedMessage = 'The service names no reason';

/** A page of a job without a document. */
export interface FailedPage {
	url: string;
	/** `excluded`: the crawl's own options rule it out. */
	failed: 'error' | 'excluded' | 'invalid' | 'robots';
	error: string;
	/** What else the service says about it. */
	details: IDataObject;
}

/** One code stands for both what robots.txt forbids and what the crawl's own patterns rule out. */
function reasonOf({ code }: IDataObject, words: string): FailedPage['failed'] {
	if (code === 'EXTERNAL_LINK') return 'excluded';
	if (code !== 'CRAWL_DENIAL') return 'error';
	return /robots/i.test(words) ? 'robots' : 'excluded';
}

/** A page that the service names no reason for. */
const unexplained = (url: string): FailedPage => ({
	url,
	failed: 'error',
	error: unnamedMessage,
	details: { url },
});

/** Addresses that a start left out because they are invalid. */
export const invalidPages = (urls: unknown): FailedPage[] =>
	listOf(urls)
		.map(String)
		.map((url) => ({ url, failed: 'invalid', error: invalidMessage, details: { url } }));

/** The pages of a job that could not be read and those that robots.txt forbids, each once. Free (https://docs.firecrawl.dev/api-reference/endpoint/crawl-get-errors). */
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

/** Failed pages as results, one each. What a crawl's own options exclude counts among its errors. */
export const failedResults = (pages: FailedPage[], jobId: string): Result[] =>
	pages.map(({ failed, error, details }) => ({
		json: label(details, { jobId, failed: failed === 'excluded' ? 'error' : failed, error }),
	}));

/**
 * The pages that a completed job should have read and has not. `missing` are the addresses that came
 * back without one, where those are known. A crawl leaves out much on purpose: what robots.txt and its
 * options rule out is told only when nothing came.
 */
export function lackingPages(
	listed: FailedPage[],
	missing: string[] | undefined,
	isEmpty: boolean,
): FailedPage[] {
	if (missing === undefined) return listed.filter(({ failed }) => isEmpty || failed === 'error');
	const byPage = new Map(listed.map((page) => [pageAt(page.url), page]));
	return missing.map((url) => byPage.get(pageAt(url)) ?? unexplained(url));
}

/** Failed pages that a notice names. */
const mostNamed = 3;

/** Characters of a page's reason in a notice. */
const longestReason = 150;

/** The first sentence of a reason: the service's explanations go on for many. */
function shortened(words: string): string {
	const [sentence] = words.slice(0, longestReason + 1).split('. ', 1);
	return sentence.length > longestReason
		? `${sentence.slice(0, longestReason)}…`
		: sentence.replace(/\.$/, '');
}

/** The first failed pages with their reasons, for a notice. */
export function inWords(pages: FailedPage[]): string {
	const named = pages.slice(0, mostNamed).map(({ url, error }) => `${url} (${shortened(error)})`);
	return [...named, ...(pages.length > mostNamed ? ['…'] : [])].join('; ');
}
