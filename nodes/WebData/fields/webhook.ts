import { z } from 'zod/v3';
import { ValidationFailure, preview } from '../../runtime/form/schema';
import {
	anyOf,
	field,
	required,
	string,
	type Choice,
	type OptionalField,
} from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { fromJson } from '../../runtime/values/json';
import { parseUrl } from '../../runtime/values/parseUrl';
import { isRecord } from '../../runtime/values/record';
import { pairs } from './pairs';

/** The events of a batch or a crawl (https://docs.firecrawl.dev/webhooks/events). */
const documentEvents: [Choice<string>, ...Array<Choice<string>>] = [
	{ name: 'Completed', value: 'completed' },
	{ name: 'Failed', value: 'failed' },
	{ name: 'Page', value: 'page', description: 'Each scraped page' },
	{ name: 'Started', value: 'started' },
];

/**
 * The URL of the webhook, with its scheme, which the service does not add here. Its host may be in
 * the service's own network.
 */
function wholeUrl(value: string): string | ValidationFailure {
	const given = value.trim();
	const isWhole = /^https?:\/\//i.test(given) && parseUrl(given) !== undefined;
	return isWhole
		? given
		: new ValidationFailure(
				`must be a URL that starts with http:// or https://, not ${preview(given)}`,
			);
}

/**
 * The webhook for a job's progress, with its events (https://docs.firecrawl.dev/webhooks/overview).
 * A URL alone is a webhook, too.
 */
export function webhook<const Event extends string>(
	events: [Choice<Event>, ...Array<Choice<Event>>],
): OptionalField<{ url: string }> {
	const { property, valueSchema: given } = object(
		{
			displayName: 'Webhook',
			placeholder: 'Add Setting',
			default: { url: '' },
			description: 'Sends each event to a URL, such as that of a Web Data Trigger',
		},
		{
			events: anyOf({
				emptyIsUnset: true,
				displayName: 'Events',
				options: events,
				description: 'Events to send; all if empty',
			}),
			headers: pairs({
				displayName: 'Headers',
				button: 'Add Header',
				description: 'HTTP headers to send with each event, such as a token',
			}),
			metadata: pairs({
				displayName: 'Metadata',
				button: 'Add Entry',
				description: 'Entries to include in each event',
			}),
			url: required(
				string({
					displayName: 'URL',
					normalize: wholeUrl,
					placeholder: 'e.g. https://n8n.example.com/webhook/a',
					description: 'Public URL to send events to',
				}),
			),
		},
	);
	const alone = (value: unknown) =>
		typeof value === 'string' && !isRecord(fromJson(value)) ? { url: value } : value;
	return field(property, z.preprocess(alone, given));
}

/** The webhook of a batch or crawl. */
export const documentWebhook = webhook(documentEvents);
