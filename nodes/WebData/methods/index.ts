import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';

/** Lists the monitors; imported when the editor asks, as all of these. */
export async function searchMonitors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const monitors = await import('./searchMonitors');
	return await monitors.searchMonitors.call(this, filter);
}

/** Lists the catalogue's data tools. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const tools = await import('./searchTools');
	return await tools.searchTools.call(this, filter, paginationToken);
}

/** Describes what the picked tool can be asked. */
export async function getToolOptions(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const options = await import('./getToolOptions');
	return await options.getToolOptions.call(this);
}
