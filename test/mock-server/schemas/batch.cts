import { z } from 'zod';

import { badRequest } from '../errors.cjs';
import { parseBody, stamps, strict } from './body.cjs';
import { pageUrl } from './fields.cjs';
import { checkWaits, scrapeOptionFields } from './scrapeOptions.cjs';
import { webhookConfig } from './webhook.cjs';

const batchBody = strict({
	urls: z.array(z.string()).min(1),
	...scrapeOptionFields,
	webhook: webhookConfig(['started', 'page', 'completed', 'failed']).optional(),
	maxConcurrency: z.number().int().positive().optional(),
	ignoreInvalidURLs: z.boolean().optional(),
	appendToId: z.string().uuid().optional(),
	zeroDataRetention: z.boolean().optional(),
	...stamps,
}).superRefine(checkWaits);
type BatchBody = z.output<typeof batchBody>;

/** A batch whose addresses are complete; the unusable ones apart. */
export type BatchRequest = BatchBody & { invalidURLs: string[] };

/** Reads the body, or throws the 400; unusable addresses are set aside only where `ignoreInvalidURLs` is true. */
export function parseBatch(body: unknown): BatchRequest {
	const request = parseBody(batchBody, body);
	const checked = request.urls.map((text) => ({ text, url: pageUrl(text) }));
	const invalid = checked.flatMap(({ text, url }, index) => (url ? [] : [{ text, index }]));
	if (invalid.length > 0 && request.ignoreInvalidURLs !== true) {
		const fault = { code: 'custom', message: 'Invalid URL' };
		const details = invalid.map(({ index }) => ({ ...fault, path: ['urls', index] }));
		throw badRequest(details, fault.message);
	}
	const urls = checked.flatMap(({ url }) => url ?? []);
	return { ...request, urls, invalidURLs: invalid.map(({ text }) => text) };
}
