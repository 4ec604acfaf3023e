import { z } from 'zod/v4';

import { refuse, strict } from './body.cjs';

const address = z.url({ protocol: /^https?$/ });

/** `webhook` of a request: an address, or an object with it. `events` are the family's names. */
export const webhookConfig = (events: readonly [string, ...string[]]) =>
	z.preprocess(
		(given) => (typeof given === 'string' ? { url: given } : given),
		webhookObject(events),
	);

/** The object form, which is the only one for monitors. */
export const webhookObject = (events: readonly [string, ...string[]]) =>
	strict({
		url: address,
		headers: z.record(z.string(), z.string()).optional(),
		metadata: z.record(z.string(), z.string()).optional(),
		events: z.array(z.enum([...events])).optional(),
	}).superRefine(({ headers = {} }, check) => {
		const names = Object.keys(headers).map((name) => name.toLowerCase());
		const reserved = names.filter((name) => name.startsWith('x-firecrawl-'));
		if (reserved.length === 0) return;
		refuse(check, `The following headers are not allowed: ${reserved.join(', ')}`);
	});

/** Where a job's events go; all of them where none are named. */
export type WebhookConfig = z.output<ReturnType<typeof webhookObject>>;
