import {
	NodeConnectionTypes,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { credentialTest } from '../WebData/editorMethods';
import { properties } from './properties';

/** Starts workflows for changes that a monitor finds, and for events of jobs and of other monitors. */
export class WebDataTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Trigger',
		name: 'webDataTrigger',
		icon: {
			light: 'file:../../icons/webDataTrigger.svg',
			dark: 'file:../../icons/webDataTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["source"] === "webhookEvents" ? "webhook events" : $parameter["events"].join(", ") }}',
		description:
			'Search, scrape, crawl and monitor the web, or start when pages change or jobs end (webhook)',
		defaults: { name: 'Web Data Trigger' },
		eventTriggerDescription:
			'A new monitor checks its targets now. Events of jobs come when they are sent to the test URL.',
		usableAsTool: undefined,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataApi', required: true, testedBy: 'testConnection' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'noData',
				path: 'webhook',
				// Only for webhook events does the user enter the webhook URL elsewhere.
				ndvHideUrl: '={{ $parameter["source"] === "newMonitor" }}',
			},
		],
		properties: [...properties],
	};

	methods = { credentialTest };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const { isRegistered } = await import('./registration');
				return await isRegistered(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { activate } = await import('./registration');
				return await activate(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				const { deactivate } = await import('./registration');
				return await deactivate(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { receive } = await import('./webhookEvent');
		return await receive(this);
	}
}
