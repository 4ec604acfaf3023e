import type { IDataObject } from 'n8n-workflow';
import type { Request } from '../../runtime/http/client';
import type { ReadContext } from '../../runtime/operation/operation';
import { fieldOf } from '../../runtime/values/record';
import { settle } from '../../runtime/values/settle';
import { listActiveCrawls } from './listedCrawl';

/** How long a look at the list may take, in milliseconds: the crawl is polled meanwhile. */
const longestLook = 10_000;

const numberIn = (value: unknown): number | undefined =>
	typeof value === 'number' ? value : undefined;

/** The limit of a crawl in the list of active ones, which is free; undefined where it is not in it. */
async function listedLimit(id: unknown, context: ReadContext): Promise<number | undefined> {
	const list = await settle(
		context.send({
			endpoint: listActiveCrawls,
			longestWait: longestLook,
			sentOnce: true,
		}),
	);
	const crawls = list.ok ? fieldOf(list.value.body, 'crawls') : undefined;
	const crawl = (Array.isArray(crawls) ? crawls : []).find((each) => fieldOf(each, 'id') === id);
	return numberIn(fieldOf(fieldOf(crawl, 'options'), 'limit'));
}

/**
 * Finds out which limit a crawl has that was just started, and says so where it is lower than requested: the
 * service lowers it to the credits left without a word (docs/api-notes.md, Credits). The response to the
 * start tells it only for a prompt. A limit of 1 cannot be lowered.
 * @returns undefined where the service does not tell
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
			`The service lowered the limit of the crawl ${String(id)} from ${requested} to ${applied}: the credits left allow no more`,
		);
	}
	return applied;
}
