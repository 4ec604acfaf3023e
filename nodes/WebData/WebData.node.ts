import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { describe } from '../runtime/describe';
import { execute } from '../runtime/execute';
import { resume } from '../runtime/resume';
import { getToolOptions } from './methods/getToolOptions';
import { searchMonitors } from './methods/searchMonitors';
import { searchTools } from './methods/searchTools';
import { resources } from './resources';

/** Where the service calls back an execution that sleeps until its job has ended. */
const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: 'noData',
		path: '',
		restartWebhook: true,
	},
];

/** The action node, and the tool that AI Agents call: declarative parameters in front of one shared execute helper. */
export class WebData implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data',
		name: 'webData',
		icon: { light: 'file:../../icons/webData.svg', dark: 'file:../../icons/webData.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Search, read, crawl, watch and research the web, and let agents do it',
		defaults: { name: 'Web Data' },
		usableAsTool: true,
		waitingNodeTooltip: 'Execution sleeps until the service calls back',
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataApi', required: true }],
		webhooks: resumeWebhooks,
		properties: describe(resources),
	};

	methods = {
		listSearch: { searchMonitors, searchTools },
		resourceMapping: { getToolOptions },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, resources);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await resume(this, resources);
	}
}
