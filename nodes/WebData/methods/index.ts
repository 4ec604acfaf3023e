import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

/** Lists the monitors. Loads its module on demand, like all methods here. */
export async function searchMonitors(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const monitors = await import('./searchMonitors');
	return await monitors.searchMonitors.call(this, filter);
}
