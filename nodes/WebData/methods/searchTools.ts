import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { fromJson } from '../../runtime/values/json';
import { isRecord } from '../../runtime/values/record';
import {
	browse,
	catalogueIn,
	findTools,
	isBrowsing,
	nextPage,
	toolOf,
	type CatalogueQuery,
} from '../resources/tool/catalogue';
import { askService } from './askService';
import { editorText, isPlainId, mostEntries } from './editorText';

/** Where the list goes on: the call for the next page, and how many tools came before it. */
interface Position {
	call: object;
	read: number;
}

function positionIn(token: string | undefined, query: CatalogueQuery): Position {
	const given = fromJson(token);
	return isRecord(given) && isBrowsing(given.call) && typeof given.read === 'number'
		? { call: given.call, read: given.read }
		: { call: findTools(query), read: 0 };
}

function listed(entry: IDataObject): INodeListSearchItems[] {
	const tool = toolOf(entry);
	if (!tool) return [];
	const { provider, capability } = tool;
	if (!isPlainId(provider) || provider.includes('/') || !isPlainId(capability)) return [];
	const name = editorText(entry.name) ?? capability;
	const description = editorText(entry.description);
	return [
		{
			name: `${name} (${provider})`,
			value: `${provider}/${capability}`,
			...(description !== undefined && { description }),
		},
	];
}

/** The data tools of the catalogue, for the list of `tool.execute`; the value is provider/capability. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const words = filter?.trim().slice(0, 2_000);
	const query = { ...(words && { query: words }), level: 'tools', limit: 50 };
	const { call, read } = positionIn(paginationToken, query);
	return await askService(this, browse(call), (body, errorSource) => {
		const page = catalogueIn(body, errorSource);
		const soFar = read + page.entries.length;
		const next = nextPage(page, query, soFar, errorSource);
		return {
			results: page.entries.slice(0, mostEntries).flatMap(listed),
			...(next && { paginationToken: JSON.stringify({ call: next, read: soFar }) }),
		};
	});
}
