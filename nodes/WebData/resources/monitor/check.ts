import type { IDataObject } from 'n8n-workflow';
import { byUrl, readList, requireArray, type Sender } from '../../../runtime/http/paging';
import type { Request } from '../../../runtime/http/client';
import type { ErrorSource } from '../../../runtime/api/errors';
import { isRecord } from '../../../runtime/values/record';
import { asRecord, without } from '../../../runtime/output/results';

/** The statuses of an unfinished check. */
const unfinished = new Set<unknown>(['queued', 'running']);

/** Whether a check has ended. */
export const hasEnded = ({ status }: IDataObject): boolean => !unfinished.has(status);

/** A check from its first response, with the pages of all responses. */
export interface ReadCheck {
	response: IDataObject;
	check: IDataObject;
	pages: unknown[];
}

/** The pages in a response; a check that has just begun may have none. */
const pagesOf =
	(errorSource: ErrorSource) =>
	({ data }: IDataObject): unknown[] =>
		requireArray(isRecord(data) ? (data.pages ?? []) : data, errorSource);

/**
 * Moves `next` to the top level, as in other lists; a check may have it in `data`
 * (https://docs.firecrawl.dev/features/monitoring).
 */
function withNext(body: unknown): IDataObject {
	const response = asRecord(body);
	return { ...response, next: response.next ?? asRecord(response.data ?? {}).next };
}

/**
 * Fetches a check with up to `limit` of its pages, following `next`.
 * @throws NodeApiError if a response is not valid
 */
export async function readCheck(
	request: Request,
	limit: number,
	context: Sender,
): Promise<ReadCheck> {
	const responses: IDataObject[] = [];
	const send: Sender['send'] = async (part) => {
		const response = await context.send(part);
		const body = withNext(response.body);
		responses.push(body);
		return { ...response, body };
	};
	const list = { entriesOf: pagesOf(context.errorSource), next: byUrl(request) };
	const pages = await readList(request, list, limit, { ...context, send });
	const [{ data, ...response }] = responses;
	const check = without(asRecord(data ?? {}), 'pages', 'next');
	return { response: without(response, 'next'), check, pages };
}
