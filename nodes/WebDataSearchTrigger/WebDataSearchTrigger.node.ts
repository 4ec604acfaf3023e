import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { credentialTest } from '../runtime/http/testedBy';
import { properties } from './properties';

/** Repeats a search on a schedule and starts workflows for new results. */
export class WebDataSearchTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Search Trigger',
		name: 'webDataSearchTrigger',
		icon: {
			light: 'file:../../icons/webDataSearchTrigger.svg',
			dark: 'file:../../icons/webDataSearchTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["query"] }}',
		description: 'Starts the workflow when a search of the web or of papers has new results',
		defaults: { name: 'Web Data Search Trigger' },
		polling: true,
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'testConnection' }],
		// n8n puts its own field for the poll times before them.
		properties: [...properties],
	};

	methods = { credentialTest };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { poll } = await import('./poll');
		return await poll(this);
	}
}
