import { z } from 'zod';

import { strict } from './body.cjs';
import { parseUrl } from './fields.cjs';

/** Where a job's events go, as requests configure it. */
export interface WebhookConfig {
	url: string;
	/** Sent along with every delivery; the signature's header cannot be set by them. */
	headers?: Record<string, string>;
	metadata?: Record<string, string>;
	/** Which events to deliver, by short or full name; all of them when missing. */
	events?: string[];
}

const address = z
	.string()
	.refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ''), 'Invalid URL');

/** `webhook` of a request: an address, or an object with it. `events` are the family's names. */
export function webhookConfig(
	events: readonly [string, ...string[]],
): z.ZodType<WebhookConfig, z.ZodTypeDef, unknown> {
	return z.union([address.transform((url) => ({ url })), webhookObject(events)]);
}

/** The object form, which is the only one for monitors. */
export function webhookObject(
	events: readonly [string, ...string[]],
): z.ZodType<WebhookConfig, z.ZodTypeDef, unknown> {
	return strict({
		url: address,
		headers: z
			.record(z.string())
			.refine(
				(headers) => !Object.keys(headers).some((name) => /^x-firecrawl-/i.test(name)),
				'Headers named X-Firecrawl-* are reserved',
			)
			.optional(),
		metadata: z.record(z.string()).optional(),
		events: z.array(z.enum([...events])).optional(),
	});
}
