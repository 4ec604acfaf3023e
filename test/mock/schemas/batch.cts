import { z } from 'zod/v4';

import { parseBody, stamps, strict } from './body.cjs';
import { pageUrl, url } from './fields.cjs';
import { checkWaits, scrapeOptionFields } from './scrapeOptions.cjs';
import { webhookConfig } from './webhook.cjs';

const batchFields = {
	...scrapeOptionFields,
	webhook: webhookConfig(['completed', 'failed', 'page', 'started']).optional(),
	maxConcurrency: z.number().int().positive().optional(),
	ignoreInvalidURLs: z.boolean().optional(),
	appendToId: z.string().uuid().optional(),
	zeroDataRetention: z.boolean().optional(),
	...stamps,
};
const batchBody = strict({ ...batchFields, urls: z.array(url).min(1) }).superRefine(checkWaits);
const lenientBody = strict({ ...batchFields, urls: z.array(z.string()).min(1) }).superRefine(
	checkWaits,
);
type BatchBody = z.output<typeof batchBody>;

/** A batch whose addresses are complete; the unusable ones apart. */
export type BatchRequest = BatchBody & { invalidURLs: string[] };

/** Reads the body, or throws the 400; unusable addresses are set aside only where `ignoreInvalidURLs` is true. */
export function parseBatch(body: unknown): BatchRequest {
	const lenient: unknown = Reflect.get(Object(body), 'ignoreInvalidURLs');
	if (lenient !== true) return { ...parseBody(batchBody, body), invalidURLs: [] };
	const request = parseBody(lenientBody, body);
	const urls = request.urls.flatMap((text) => pageUrl(text) ?? []);
	return { ...request, urls, invalidURLs: request.urls.filter((text) => !pageUrl(text)) };
}
