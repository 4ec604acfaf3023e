import { z } from 'zod/v4';

import { ApiError } from '../errors.cjs';
import {
	location,
	pageUrl,
	parseBody,
	stamps,
	strict,
	threatProtection,
	url,
	webhookConfig,
} from './fields.cjs';
import { agentSchema } from './jsonSchema.cjs';
import { checkWaits, optionsObject, scrapeOptionFields } from './scrapeOptions.cjs';

/** What the server's engine, which takes linear time, cannot run: looking around, and back at a group. */
const unknownToEngine = /\(\?<?[=!]|\\[1-9k]/;

const text = z.string().max(2000, 'A pattern is at most 2000 characters long');

/** Escapes and classes, in which those signs mean themselves. */
const withoutClasses = (pattern: string): string =>
	pattern.replace(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, '.');

/** Nothing is compiled before the body is read; for monitors not before the check runs. */
const patterns = z.array(text).max(1000, 'At most 1000 patterns');

/** Throws the 400 of a pattern that the server's engine cannot run. */
export function checkPatterns(list: readonly string[] = []): void {
	for (const pattern of list) {
		const fault = patternFault(pattern);
		if (fault) throw new ApiError(400, { error: fault });
	}
}

function patternFault(pattern: string): string | undefined {
	try {
		new RegExp(pattern);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
	const isUnknown = unknownToEngine.test(withoutClasses(pattern));
	return isUnknown ? `Invalid regular expression: /${pattern}/: Unsupported syntax` : undefined;
}

const prompt = z.string().max(10_000);

/** Members of `POST /crawl`. `delay` is in seconds. */
export const crawlFields = strict({
	url,
	prompt: prompt.optional(),
	includePaths: patterns.optional(),
	excludePaths: patterns.optional(),
	regexOnFullURL: z.boolean().optional(),
	maxDiscoveryDepth: z.number().int().nonnegative().optional(),
	/** Any number: what is below 1 is taken for 1. */
	limit: z.int().optional(),
	sitemap: z.enum(['skip', 'include', 'only']).optional(),
	crawlEntireDomain: z.boolean().optional(),
	allowExternalLinks: z.boolean().optional(),
	allowSubdomains: z.boolean().optional(),
	ignoreQueryParameters: z.boolean().optional(),
	deduplicateSimilarURLs: z.boolean().optional(),
	ignoreRobotsTxt: z.boolean().optional(),
	delay: z
		.number()
		.positive()
		.max(60, 'The delay parameter is measured in seconds and cannot exceed 60 seconds.')
		.optional(),
	maxConcurrency: z.number().int().positive().optional(),
	scrapeOptions: optionsObject.optional(),
	webhook: webhookConfig(['completed', 'failed', 'page', 'started']).optional(),
	zeroDataRetention: z.boolean().optional(),
	...stamps,
});
/** Body of `POST /crawl`. What is wrong with the waits of its pages is said of the whole. */
export const crawlRequest = crawlFields.superRefine(({ scrapeOptions = {} }, check) =>
	checkWaits(scrapeOptions, check),
);
export type CrawlRequest = z.output<typeof crawlRequest>;

/** What it does not know, it passes over; and it completes no address. */
export const paramsPreviewRequest = z.object({ url: z.url(), prompt: prompt.min(1) });

export const mapRequest = strict({
	url,
	search: z.string().optional(),
	sitemap: z.enum(['only', 'include', 'skip']).default('include'),
	includeSubdomains: z.boolean().default(true),
	ignoreQueryParameters: z.boolean().default(true),
	ignoreCache: z.boolean().optional(),
	limit: z.number().int().min(1).max(100_000).default(5000),
	timeout: z.number().int().positive().optional(),
	location: location.optional(),
	headers: z.record(z.string(), z.string()).optional(),
	includePaths: patterns.default([]),
	excludePaths: patterns.default([]),
	filterByPath: z.boolean().default(true),
	allowExternalLinks: z.boolean().default(false),
	threatProtection: threatProtection.optional(),
	...stamps,
});
export type MapRequest = z.output<typeof mapRequest>;

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
type BatchRequest = BatchBody & { invalidURLs: string[] };

/** Reads the body, or throws the 400; unusable addresses are set aside only where `ignoreInvalidURLs` is true. */
export function parseBatch(body: unknown): BatchRequest {
	const lenient: unknown = Reflect.get(Object(body), 'ignoreInvalidURLs');
	if (lenient !== true) return { ...parseBody(batchBody, body), invalidURLs: [] };
	const request = parseBody(lenientBody, body);
	const urls = request.urls.flatMap((text) => pageUrl(text) ?? []);
	return { ...request, urls, invalidURLs: request.urls.filter((text) => !pageUrl(text)) };
}

const agentBody = strict({
	prompt: z.string().min(1).max(10_000),
	urls: z.array(url).optional(),
	schema: agentSchema.optional(),
	maxCredits: z.number().positive().optional(),
	strictConstrainToURLs: z.boolean().optional(),
	model: z.enum(['spark-1-pro', 'spark-1-mini', 'spark-2']).optional(),
	effort: z.enum(['low', 'medium', 'high']).optional(),
	webhook: webhookConfig(['started', 'action', 'completed', 'failed', 'cancelled']).optional(),
	threatProtection: threatProtection.optional(),
	threadId: z.string().uuid().optional(),
	mode: z.enum(['extract', 'chat']).optional(),
	/** Which paid tools of third parties it may call: none here. */
	exchange: z.record(z.string(), z.unknown()).optional(),
	...stamps,
});
type AgentRequest = z.output<typeof agentBody>;

/** Reads the body, or throws the 400. */
export const parseAgent = (body: unknown): AgentRequest => parseBody(agentBody, body);
