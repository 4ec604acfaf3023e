import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v3';
import { choice, choices, fields, Refusal, shown, text, textMap } from '../../runtime/contract';
import { fromJson } from '../../runtime/json';
import { parseUrl } from '../../runtime/parseUrl';
import { isRecord } from '../../runtime/record';
import { pairs } from './pairs';

/** The events of a batch or a crawl (addendum 11). */
export const documentEvents: INodePropertyOptions[] = [
	{ name: 'Completed', value: 'completed' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Page', value: 'page', description: 'Each page as it is read' },
	{ name: 'Started', value: 'started' },
];

/** Where the service reports a job's progress (addendum 11). */
export const webhookField = (events: INodePropertyOptions[]): INodeProperties => ({
	displayName: 'Webhook',
	name: 'webhook',
	type: 'collection',
	placeholder: 'Add Setting',
	default: { url: '' },
	description: 'Address that the service calls on each event, such as that of a Web Data Trigger',
	options: [
		{
			displayName: 'Events',
			name: 'events',
			type: 'multiOptions',
			default: [],
			options: events,
			description: 'Events to be called for; all when empty',
		},
		pairs({
			displayName: 'Headers',
			name: 'headers',
			button: 'Add Header',
			description: 'HTTP headers to send with each call, such as a token',
		}),
		pairs({
			displayName: 'Metadata',
			name: 'metadata',
			button: 'Add Entry',
			description: 'Entries that come back with each call',
		}),
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://n8n.example.com/webhook/a',
			description: 'Public address to call',
		},
	],
});

/** The address to call, whole: the service completes those of pages, not this one. Its host may be one of the service's own network. */
const address = () =>
	text({
		mend: (value) => {
			const given = value.trim();
			const isWhole = /^https?:\/\//i.test(given) && parseUrl(given) !== undefined;
			return isWhole
				? given
				: new Refusal(
						`must be an address that starts with http:// or https://, not ${shown(given)}`,
					);
		},
	});

/** The service's own headers: it refuses others of their kind (docs/api-notes.md, Requests). */
const isOwnHeader = (name: string) => name.toLowerCase().startsWith('x-firecrawl-');

const headers = () =>
	textMap().superRefine((value, context) => {
		const own = Object.keys(value).find(isOwnHeader);
		if (own === undefined) return;
		const message = `must not begin with X-Firecrawl-, the service's own, as ${shown(own)} does`;
		context.addIssue({ code: 'custom', message });
	});

/** The contract of a webhook that is called on these events. An address alone is one, too. */
export const webhook = (...events: [string, ...string[]]) =>
	z.preprocess(
		(value) => (typeof value === 'string' && !isRecord(fromJson(value)) ? { url: value } : value),
		fields({
			url: address(),
			headers: headers().optional(),
			metadata: textMap().optional(),
			events: choices(choice(...events)).optional(),
		}),
	);

/** That of a batch or a crawl (addendum 11). */
export const documentWebhook = () => webhook('started', 'page', 'completed', 'failed');
