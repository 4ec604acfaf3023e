import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../../runtime/http/client';
import type { ReadContext } from '../../runtime/operation/operation';
import { fieldOf } from '../../runtime/values/record';
import { settle } from '../../runtime/values/settle';
import type { DocumentJobKind } from './documentJob';
import { listActiveCrawls } from './listedCrawl';

/** Timeout of a request for the list, in milliseconds. Polling of the crawl waits for it. */
const listTimeout = 10_000;

const numberIn = (value: unknown): number | undefined =>
	typeof value === 'number' ? value : undefined;

/**
 * The limit of a crawl in the list of active crawls, which is free; undefined if the list omits it.
 */
async function listedLimit(id: unknown, context: ReadContext): Promise<number | undefined> {
	const list = await settle(
		context.send({
			endpoint: listActiveCrawls,
			longestWait: listTimeout,
			sentOnce: true,
		}),
	);
	const crawls = list.ok ? fieldOf(list.value.body, 'crawls') : undefined;
	const crawl = (Array.isArray(crawls) ? crawls : []).find((each) => fieldOf(each, 'id') === id);
	return numberIn(fieldOf(fieldOf(crawl, 'options'), 'limit'));
}

/**
 * Fetches the applied limit of a new crawl, and shows a notice if it is lower than requested. The
 * service silently lowers the limit to the remaining credits (docs/api-notes.md, Credits), and
 * returns it in the response to the start only for a prompt. A limit of 1 cannot be lowered.
 * @returns undefined if the service does not report it
 */
export async function findAppliedLimit(
	{ id, finalCrawlerOptions }: IDataObject,
	{ body }: Request,
	context: ReadContext,
): Promise<number | undefined> {
	const requested = numberIn(fieldOf(body, 'limit'));
	if (requested === undefined || requested <= 1) return requested;
	const applied =
		numberIn(fieldOf(finalCrawlerOptions, 'limit')) ?? (await listedLimit(id, context));
	if (applied !== undefined && applied < requested) {
		context.notice(
			`The server lowered the limit of the crawl ${String(id)} from ${requested} to ${applied} due to the remaining credits`,
		);
	}
	return applied;
}

/** Crawls of websites (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post). */
export const crawlKind: DocumentJobKind = {
	noun: 'crawl',
	status: { method: 'GET', path: '/crawl/{id}', bucket: 'crawlStatus' },
	cancel: { method: 'DELETE', path: '/crawl/{id}', bucket: 'crawlStatus' },
	errors: { method: 'GET', path: '/crawl/{id}/errors', bucket: 'crawlStatus' },
	async afterStart(started, request, context) {
		await findAppliedLimit(started, request, context);
	},
};
