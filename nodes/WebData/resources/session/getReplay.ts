import type { IDataObject } from 'n8n-workflow';
import { requireArray } from '../../../runtime/http/paging';
import type { Endpoint } from '../../../runtime/api/endpoint';
import type { Request } from '../../../runtime/http/client';
import { missingInResponse, setAdvice, type ErrorSource } from '../../../runtime/api/errors';
import { oneOf, withDefault } from '../../../runtime/form/field';
import { form } from '../../../runtime/form/form';
import {
	operation,
	type ReadContext,
	type Result,
	type OperationContext,
} from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import { label, listResults } from '../../../runtime/output/results';
import type { ApiResponse } from '../../../runtime/api/retry';
import { sendReworded } from '../../../runtime/jobs/sendReworded';
import { settingsFields } from '../../../runtime/form/options';
import { sessionId, useActions } from './fields';
import { fact, forCaller, forUser } from '../../../runtime/api/sentence';

const replays = { bucket: 'browserReplay', since: 'August 2026', instead: useActions } as const;

const getBrowserReplay: Endpoint = {
	method: 'GET',
	path: '/interact/{id}/replay',
	...replays,
};

const getBrowserReplayOfPage: Endpoint = {
	method: 'GET',
	path: '/interact/{id}/replay/{pageId}',
	...replays,
};

const isPlaylist = (body: unknown): body is string =>
	typeof body === 'string' && body.startsWith('#EXTM3U');

const advice = [
	forUser(`Only sessions with 'Record Session' of Create are recorded.`),
	forCaller(
		'Check the ID. If the recording is not ready, try again some minutes after the session was closed.',
	),
	fact('Recordings are retained for 30 days.'),
];

/**
 * Sends a request for a recording.
 * @throws NodeApiError; if there is none, with advice about possible reasons
 */
async function sendForReplay(request: Request, context: ReadContext): Promise<ApiResponse> {
	return await sendReworded(request, context, (error) => {
		if (/(session|replay) not found/i.test(error.message)) setAdvice(error, advice);
	});
}

/**
 * Fetches the playlist of a page by its ID.
 * @throws NodeOperationError if the response is not a playlist
 */
async function playlistOf(
	ids: { id: string; pageId: string },
	context: ReadContext,
): Promise<string> {
	const response = await sendForReplay(
		{
			endpoint: getBrowserReplayOfPage,
			ids,
			accepts: ({ status, body }) => status === 200 && isPlaylist(body),
		},
		context,
	);
	if (isPlaylist(response.body)) return response.body;
	throw missingInResponse('a playlist', context.errorSource);
}

/**
 * Fetches the playlist of a tab, and returns a function that adds it to the tab as text or as a
 * file.
 */
async function readPlaylist(
	ids: { id: string; pageId: string },
	form: 'file' | 'text',
	context: OperationContext,
): Promise<(tab: IDataObject) => Result> {
	const playlist = await playlistOf(ids, context);
	if (form === 'text') return (tab) => ({ json: label(tab, { playlist }) });
	const name = `replay-${ids.pageId}.m3u8`;
	const file = await context.binaryOf(Buffer.from(playlist), name, 'application/vnd.apple.mpegurl');
	return (tab) => ({ json: tab, binary: { playlist: file } });
}

/**
 * A tab's ID, a short number.
 * @throws NodeOperationError if it is not one
 */
function pageIdOf({ pageId }: IDataObject, errorSource: ErrorSource): string {
	if (/^\d{1,3}$/.test(String(pageId))) return String(pageId);
	throw missingInResponse('the ID of a tab', errorSource);
}

/** GET /interact/{sessionId}/replay and …/{pageId} (https://docs.firecrawl.dev/api-reference/endpoint/browser-replay). */
export const getReplay = operation({
	name: 'Get Replay',
	value: 'getReplay',
	action: 'Get a browser session recording',
	description:
		'Returns the recorded tabs of a browser session, even after it ends, one item each: ID, first URL, start and end, and optionally its video playlist (HLS). Free; recordings are retained for 30 days.',
	costs: 'free',
	request: form({
		sessionId,
		playlists: withDefault(
			oneOf({
				displayName: 'Playlists',
				default: 'none',
				options: [
					{ name: 'As File', value: 'file', description: 'Binary data with the name playlist' },
					{ name: 'As Text', value: 'text', description: 'The field playlist' },
					{ name: 'None', value: 'none' },
				],
				description:
					'How to return the playlist (HLS) of each tab. Its links work without a key and expire after about 6 hours; run again to get new ones.',
			}),
			'none',
		),
	}),
	settings: settingsFields(),
	async run({ sessionId: id, playlists }, context) {
		const response = await sendForReplay({ endpoint: getBrowserReplay, ids: { id } }, context);
		requireArray(fieldOf(response.body, 'pages'), context.errorSource);
		const labels: IDataObject = { sessionId: id };
		const listed = await listResults(response.body, 'pages', 'results', context.errorSource);
		const pages = listed.map(({ json }) => ({ json: label(json, labels) }));
		if (playlists === 'none') return pages;
		// Each playlist is fetched once: a response must not decide the number of requests.
		const read = new Map<string, (tab: IDataObject) => Result>();
		const results: Result[] = [];
		for (const { json } of pages) {
			const pageId = pageIdOf(json, context.errorSource);
			const put = read.get(pageId) ?? (await readPlaylist({ id, pageId }, playlists, context));
			read.set(pageId, put);
			results.push(put(json));
		}
		return results;
	},
});
