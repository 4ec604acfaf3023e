import type { IDataObject } from 'n8n-workflow';
import { requireArray, readByUrl, type Sender } from '../../../runtime/http/paging';
import type { Request } from '../../../runtime/http/client';
import type { ErrorSource } from '../../../runtime/api/errors';
import { isRecord } from '../../../runtime/values/record';
import { asRecord, without } from '../../../runtime/output/results';

/** A check as its first answer has it, and its pages from all answers. */
export interface ReadCheck {
	response: IDataObject;
	check: IDataObject;
	pages: unknown[];
}

/** The pages in an answer; a check that has just begun may name none. */
const pagesOf =
	(errorSource: ErrorSource) =>
	({ data }: IDataObject): unknown[] =>
		requireArray(isRecord(data) ? (data.pages ?? []) : data, errorSource);

/** Puts `next` at the top, where every other list has it; a check may have it in `data` (https://docs.firecrawl.dev/features/monitoring). */
function withNext(body: unknown): IDataObject {
	const response = asRecord(body);
	return { ...response, next: response.next ?? asRecord(response.data ?? {}).next };
}

/**
 * Reads a check with up to `limit` of its pages, following `next`.
 * @throws NodeApiError when one of its answers cannot be read
 */
export async function readCheck(
	request: Request,
	limit: number,
	context: Sender,
): Promise<ReadCheck> {
	const answers: IDataObject[] = [];
	const send: Sender['send'] = async (part) => {
		const response = await context.send(part);
		const body = withNext(response.body);
		answers.push(body);
		return { ...response, body };
	};
	const pages = await readByUrl(request, pagesOf(context.errorSource), limit, { ...context, send });
	const [{ data, ...response }] = answers;
	const check = without(asRecord(data ?? {}), 'pages', 'next');
	return { response: without(response, 'next'), check, pages };
}
