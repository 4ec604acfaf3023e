import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { serviceError } from '../runtime/http/serviceError';
import { atEdge, type ErrorSource } from '../runtime/errors/webDataError';
import { exchange, retrySafetyOf, type Request } from '../runtime/http/client';
import { connect } from '../runtime/http/connection';
import { readByOffset, requireArray, type Sender } from '../runtime/http/paging';
import { oneLine } from '../runtime/values/text';
import { fieldOf } from '../runtime/values/record';
import { monitorEndpoints } from './resources/monitor';
import { listSessions } from './resources/session';

/** Most entries of a list in the editor. */
const mostEntries = 500;

const longestText = 300;

/** Limits of reading a list in the editor, which nobody can cancel. */
const editorList = { pages: 10, milliseconds: 10_000, isPartEnough: true };

/** n8n evaluates a text that starts with = as an expression; so every leading one is removed. */
const startsExpression = /^[=\s]+/;

/** A text of the service on one line, and never an expression, which n8n would evaluate at every run. */
function editorText(given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const text = oneLine(given.slice(0, 2 * longestText)).replace(startsExpression, '');
	return text === '' ? undefined : text.slice(0, longestText);
}

/** Whether the editor can store an ID of the service: no expression, and no special characters. */
const isPlainId = (given: unknown): given is string =>
	typeof given === 'string' && /^[a-z0-9_][\w.:@/-]{0,199}$/i.test(given);

/** Sends each request once. @throws WebDataError with the service's message and advice */
async function senderOf(context: ILoadOptionsFunctions): Promise<Sender> {
	const { redact } = await connect(context);
	const errorSource: ErrorSource = { node: context.getNode(), fields: [], redact };
	const send = async (request: Request) => {
		const response = await exchange(context, request);
		if ('success' in response) return response.success;
		const { failure } = response;
		const attempts = { failures: [failure], elapsed: 0, retrySafety: retrySafetyOf(request) };
		throw serviceError(failure, { ...attempts, request }, errorSource);
	};
	return { errorSource, send };
}

/** The entries with an ID that contain `filter` in any case; the API searches neither list. */
function listOf(
	entries: unknown[],
	nameOf: (entry: unknown, id: string) => string,
	filter = '',
): INodeListSearchResult {
	const wanted = filter.trim().toLowerCase();
	const results = entries
		.flatMap((entry) => {
			const id = fieldOf(entry, 'id');
			return isPlainId(id) ? [{ name: nameOf(entry, id), value: id }] : [];
		})
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results: results.slice(0, mostEntries) };
}

/** Lists the monitors. @throws NodeApiError if the request fails */
export async function searchMonitors(
	context: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const sender = await senderOf(context);
	const request = { endpoint: monitorEndpoints.list };
	const monitors = await atEdge(readByOffset(request, Infinity, sender, editorList));
	const nameOf = (monitor: unknown, id: string) => {
		const name = editorText(fieldOf(monitor, 'name')) ?? id;
		return fieldOf(monitor, 'status') === 'paused' ? `${name} (paused)` : name;
	};
	return listOf(
		monitors.filter(({ status }) => status !== 'deleted'),
		nameOf,
		filter,
	);
}

/** Lists the open browser sessions. @throws NodeApiError if the request fails */
export async function searchSessions(
	context: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { send, errorSource } = await senderOf(context);
	const request = { endpoint: listSessions, query: { status: 'active' } };
	const sessions = await atEdge(
		send(request).then(({ body }) => requireArray(fieldOf(body, 'sessions'), errorSource)),
	);
	const nameOf = (session: unknown, id: string) => {
		const since = editorText(fieldOf(session, 'createdAt'));
		return since === undefined ? id : `${id} (since ${since})`;
	};
	return listOf(sessions, nameOf, filter);
}
