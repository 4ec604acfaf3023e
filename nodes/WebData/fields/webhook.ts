import { z } from 'zod/v3';
import { ValidationFailure, preview } from '../../runtime/form/schema';
import {
	anyOf,
	field,
	required,
	string,
	type Choices,
	type OptionalField,
} from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { fromJson } from '../../runtime/values/json';
import { parseUrl } from '../../runtime/values/text';
import { isRecord } from '../../runtime/values/record';

/** The URL with its scheme, which the service does not add here. Its host may be private. */
function wholeUrl(value: string): string | ValidationFailure {
	const given = value.trim();
	const isWhole = /^https?:\/\//i.test(given) && parseUrl(given) !== undefined;
	const rule = `must be a URL that starts with http:// or https://, not ${preview(given)}`;
	return isWhole ? given : new ValidationFailure(rule);
}

/** The webhook of a job or monitor: a URL, or with events (https://docs.firecrawl.dev/webhooks/overview). */
export function webhook<const Event extends string>(
	events: Choices<Event>,
): OptionalField<{ url: string }> {
	const { property, valueSchema: given } = object(
		'Webhook',
		"Sends each event to a URL; headers and metadata by 'Request (JSON)'",
		{ placeholder: 'Add Setting', default: { url: '' } },
		{
			events: anyOf('Events', 'Events to send; all if empty', {
				emptyIsUnset: true,
				options: events,
			}),
			url: required(
				string(
					'URL',
					'Public URL, such as that of a Web Data Trigger, or {{ $execution.resumeUrl }} for Wait',
					{ normalize: wholeUrl, placeholder: 'e.g. https://n8n.example.com/webhook/a' },
				),
			),
		},
	);
	const alone = (value: unknown) =>
		typeof value === 'string' && !isRecord(fromJson(value)) ? { url: value } : value;
	return field(property, z.preprocess(alone, given));
}

/** The webhook of a batch or crawl (https://docs.firecrawl.dev/webhooks/events). */
export const documentWebhook = webhook({
	completed: 'Completed',
	failed: 'Failed',
	page: ['Page', 'Each scraped page'],
	started: 'Started',
});
