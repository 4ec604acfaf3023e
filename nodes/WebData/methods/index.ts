import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	ResourceMapperFields,
} from 'n8n-workflow';

/** Lists the monitors. Loads its module on demand, like all methods here. */
export async function searchMonitors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const monitors = await import('./searchMonitors');
	return await monitors.searchMonitors.call(this, filter);
}

/** Lists the data tools of the catalogue. */
export async function searchTools(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const tools = await import('./searchTools');
	return await tools.searchTools.call(this, filter, paginationToken);
}

/** Lists the options of the selected tool. */
export async function getToolOptions(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const options = await import('./getToolOptions');
	return await options.getToolOptions.call(this);
}
