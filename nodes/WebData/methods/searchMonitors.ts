import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Request } from '../../runtime/http/client';
import { readByOffset, editorList } from '../../runtime/http/paging';
import { monitorEndpoints } from '../fields/monitor/endpoints';
import { askService } from './askService';
import { editorText, isPlainId, mostEntries } from './editorText';

/**
 * The monitors for the editor's list, those whose name or id contains `filter` (any case). The API
 * cannot search them, so they are read, as many as an editor's list may have.
 * @throws NodeApiError when they cannot be read
 */
export async function searchMonitors(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const monitors = await readByOffset(
		{ endpoint: monitorEndpoints.list },
		Infinity,
		{
			errorSource: { node: this.getNode(), fields: [], redact: String },
			send: async (request: Request) =>
				await askService(this, request, (body) => ({ status: 200, headers: {}, body })),
		},
		editorList,
	);
	const wanted = filter.trim().toLowerCase();
	const results = monitors
		.filter(({ status }) => status !== 'deleted')
		.flatMap(({ id, name, status }) => {
			if (!isPlainId(id)) return [];
			const shown = editorText(name) ?? id;
			return [{ name: status === 'paused' ? `${shown} (paused)` : shown, value: id }];
		})
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
	return { results: results.slice(0, mostEntries) };
}
