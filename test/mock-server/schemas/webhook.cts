import { z } from 'zod';

import { strict } from './body.cjs';
import { parseUrl } from './fields.cjs';

const address = z
	.string()
	.refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ''), 'Invalid URL');

/** `webhook` of a request: an address, or an object with it. `events` are the family's names. */
export const webhookConfig = (events: readonly [string, ...string[]]) =>
	z.union([address.transform((url) => ({ url })), webhookObject(events)]);

/** The object form, which is the only one for monitors. */
export const webhookObject = (events: readonly [string, ...string[]]) =>
	strict({
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

/** Where a job's events go; all of them where none are named. */
export type WebhookConfig = z.output<ReturnType<typeof webhookObject>>;
