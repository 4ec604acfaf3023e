import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Request } from '../../runtime/http/client';
import { readByOffset, editorList } from '../../runtime/http/paging';
import { monitorEndpoints } from '../resources/monitor';
import { requestFromService } from './requestFromService';
import { editorText, isPlainId, mostEntries } from './editorText';

/**
 * Lists the monitors whose name or ID contains `filter`, in any case. The API cannot search them,
 * so this fetches as many as a list of the editor can have.
 * @throws NodeApiError if the request fails
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
				await requestFromService(this, request, (body) => ({ status: 200, headers: {}, body })),
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
