import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { credentialTest, listSearch } from './editorMethods';
import { properties, subtitle } from './properties';

/** The action node, which is a tool of AI Agents, too. What it does is imported at first use: every n8n loads the class. */
export class WebData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data',
		name: 'webData',
		icon: { light: 'file:../../icons/webData.svg', dark: 'file:../../icons/webData.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle,
		description: 'Search, scrape, crawl, monitor and research the web, also with agents',
		defaults: { name: 'Web Data' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'testConnection' }],
		// n8n adds its own to some nodes' lists.
		properties: [...properties],
	};

	methods = { credentialTest, listSearch };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('../runtime/execution/execute');
		const { loadResource } = await import('./loadResource');
		const { documentFormat } = await import('./documents/document');
		return await execute(this, loadResource, documentFormat);
	}
}
