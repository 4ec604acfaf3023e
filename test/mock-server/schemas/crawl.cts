import { z } from 'zod';

import { stamps, strict } from './body.cjs';
import { auditMetadata, location, threatProtection, url, wholeUrl } from './fields.cjs';
import { scrapeOptions } from './scrapeOptions.cjs';
import { webhookConfig } from './webhook.cjs';

/** What the server's engine, which takes linear time, cannot run: looking around, and back at a group. */
const unknownToEngine = /\(\?<?[=!]|\\[1-9k]/;

function compiles(text: string): boolean {
	try {
		return new RegExp(text) instanceof RegExp;
	} catch {
		return false;
	}
}

const text = z.string().max(2000, 'A pattern is at most 2000 characters long');

/** Escapes and classes, in which those signs mean themselves. */
const withoutClasses = (pattern: string): string =>
	pattern.replace(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, '.');

const pattern = text.refine(
	(value) => compiles(value) && !unknownToEngine.test(withoutClasses(value)),
	'Invalid regular expression',
);

const patterns = z.array(pattern).max(1000, 'At most 1000 patterns');

/** As monitors take them: nothing is compiled before the check runs. */
export const uncheckedPatterns = z.array(text).max(1000, 'At most 1000 patterns');

const prompt = z.string().max(10_000);

/** Body of `POST /crawl`. `delay` is in seconds. */
export const crawlRequest = strict({
	url,
	prompt: prompt.optional(),
	includePaths: patterns.optional(),
	excludePaths: patterns.optional(),
	regexOnFullURL: z.boolean().optional(),
	maxDiscoveryDepth: z.number().int().nonnegative().optional(),
	limit: z.number().int().positive().optional(),
	sitemap: z.enum(['include', 'skip', 'only']).optional(),
	crawlEntireDomain: z.boolean().optional(),
	allowExternalLinks: z.boolean().optional(),
	allowSubdomains: z.boolean().optional(),
	ignoreQueryParameters: z.boolean().optional(),
	deduplicateSimilarURLs: z.boolean().optional(),
	ignoreRobotsTxt: z.boolean().optional(),
	robotsUserAgent: z.string().min(1).optional(),
	delay: z.number().positive().max(60).optional(),
	maxConcurrency: z.number().int().positive().optional(),
	scrapeOptions: scrapeOptions.optional(),
	webhook: webhookConfig(['started', 'page', 'completed', 'failed']).optional(),
	zeroDataRetention: z.boolean().optional(),
	...stamps,
});
export type CrawlRequest = z.output<typeof crawlRequest>;

export const paramsPreviewRequest = strict({ url: wholeUrl, prompt: prompt.min(1), ...stamps });

export const mapRequest = strict({
	url,
	search: z.string().optional(),
	sitemap: z.enum(['include', 'skip', 'only']).default('include'),
	includeSubdomains: z.boolean().default(true),
	ignoreQueryParameters: z.boolean().default(true),
	ignoreCache: z.boolean().optional(),
	limit: z.number().int().min(1).max(100_000).default(5000),
	timeout: z.number().int().positive().optional(),
	location: location.optional(),
	headers: z.record(z.string()).optional(),
	includePaths: patterns.default([]),
	excludePaths: patterns.default([]),
	filterByPath: z.boolean().default(true),
	useIndex: z.boolean().optional(),
	allowExternalLinks: z.boolean().default(false),
	threatProtection: threatProtection.optional(),
	auditMetadata: auditMetadata.optional(),
	...stamps,
});
export type MapRequest = z.output<typeof mapRequest>;
