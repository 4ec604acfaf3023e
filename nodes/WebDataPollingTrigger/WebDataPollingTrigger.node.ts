import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { credentialTest, listSearch } from '../WebData/editorMethods';
import { properties, subtitle } from './properties';

/** Polls what it watches on n8n's schedule, and starts workflows for what is new. */
export class WebDataPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Polling Trigger',
		name: 'webDataPollingTrigger',
		icon: {
			light: 'file:../../icons/webDataPollingTrigger.svg',
			dark: 'file:../../icons/webDataPollingTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle,
		description:
			'Watches pages, prices, websites, searches, papers or monitors on a schedule; needs no public URL',
		defaults: { name: 'Web Data Polling Trigger' },
		polling: true,
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'testConnection' }],
		// n8n puts its own field for the poll times before them.
		properties: [...properties],
	};

	methods = { credentialTest, listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { poll } = await import('./poll');
		return await poll(this);
	}
}
