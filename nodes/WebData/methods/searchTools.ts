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
import { requestFromService } from './requestFromService';
import { editorText, isPlainId, mostEntries } from './editorText';

/** Position in the list: the call for the next page, and the number of tools before it. */
interface Position {
	call: object;
	offset: number;
}

function positionIn(token: string | undefined, query: CatalogueQuery): Position {
	const given = fromJson(token);
	return isRecord(given) && isBrowsing(given.call) && typeof given.offset === 'number'
		? { call: given.call, offset: given.offset }
		: { call: findTools(query), offset: 0 };
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

/** Searches the catalogue's data tools for `tool.execute`. The value is provider/capability. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const text = filter?.trim().slice(0, 2_000);
	const query = { ...(text && { query: text }), level: 'tools', limit: 50 };
	const { call, offset } = positionIn(paginationToken, query);
	return await requestFromService(this, browse(call), (body, errorSource) => {
		const page = catalogueIn(body, errorSource);
		const soFar = offset + page.entries.length;
		const next = nextPage(page, query, soFar, errorSource);
		return {
			results: page.entries.slice(0, mostEntries).flatMap(listed),
			...(next && { paginationToken: JSON.stringify({ call: next, offset: soFar }) }),
		};
	});
}
