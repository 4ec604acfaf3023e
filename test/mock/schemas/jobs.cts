import { z } from 'zod/v4';

import { ApiError } from '../errors.cjs';
import { optional, pageUrl, parseBody, stamps, url, webhookConfig, whole } from './fields.cjs';
import { checkWaits, optionsObject } from './scrapeOptions.cjs';

/** Patterns of paths. Nothing is compiled before the body is read; for monitors not before the check runs. */
export const patterns = z
	.array(z.string().max(2000, 'A pattern is at most 2000 characters long'))
	.max(1000, 'At most 1000 patterns');

/** Throws the 400 of a pattern that is none. */
export function checkPatterns(list: readonly string[] = []): void {
	try {
		for (const pattern of list) new RegExp(pattern);
	} catch (error) {
		throw new ApiError(400, { error: error instanceof Error ? error.message : String(error) });
	}
}

const flag = z.boolean();
const prompt = z.string().max(10_000);
const pages = {
	webhook: webhookConfig(['completed', 'failed', 'page', 'started']),
	zeroDataRetention: flag,
	...stamps,
};

/** What a crawl takes beside its address and what is done with its pages. `delay` is in seconds. */
export const crawlOptions = optional({
	prompt,
	includePaths: patterns,
	excludePaths: patterns,
	regexOnFullURL: flag,
	maxDiscoveryDepth: whole(0),
	/** Any number: what is below 1 is taken for 1. */
	limit: z.int(),
	sitemap: z.enum(['skip', 'include', 'only']),
	crawlEntireDomain: flag,
	allowExternalLinks: flag,
	allowSubdomains: flag,
	ignoreQueryParameters: flag,
	deduplicateSimilarURLs: flag,
	ignoreRobotsTxt: flag,
	delay: z
		.number()
		.positive()
		.max(60, 'The delay parameter is measured in seconds and cannot exceed 60 seconds.'),
	maxConcurrency: z.int().positive(),
});

/** Body of `POST /crawl`. What is wrong with the waits of its pages is said of the whole. */
export const crawlRequest = crawlOptions
	.extend({ url, ...optional({ ...pages, scrapeOptions: optionsObject }).shape })
	.superRefine(({ scrapeOptions = {} }, check) => checkWaits(scrapeOptions, check));
export type CrawlRequest = z.output<typeof crawlRequest>;

/** What it does not know, it passes over; and it completes no address. */
export const paramsPreviewRequest = z.object({ url: z.url(), prompt: prompt.min(1) });

const batchOptions = optionsObject.extend(
	optional({
		...pages,
		maxConcurrency: z.int().positive(),
		ignoreInvalidURLs: flag,
		appendToId: z.uuid(),
	}).shape,
);
const batchOf = <T extends z.ZodType>(address: T) =>
	batchOptions.extend({ urls: z.array(address).min(1) }).superRefine(checkWaits);
const batchBody = batchOf(url);
const lenientBody = batchOf(z.string());

/** A batch whose addresses are complete; the unusable ones apart. */
type BatchRequest = z.output<typeof batchBody> & { invalidURLs: string[] };

/** Reads the body, or throws the 400; unusable addresses are set aside only where `ignoreInvalidURLs` is true. */
export function parseBatch(body: unknown): BatchRequest {
	const lenient: unknown = Reflect.get(Object(body), 'ignoreInvalidURLs');
	if (lenient !== true) return { ...parseBody(batchBody, body), invalidURLs: [] };
	const request = parseBody(lenientBody, body);
	const urls = request.urls.flatMap((text) => pageUrl(text) ?? []);
	return { ...request, urls, invalidURLs: request.urls.filter((text) => !pageUrl(text)) };
}
