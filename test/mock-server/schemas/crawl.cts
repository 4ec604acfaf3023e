import { z } from 'zod';

import { stamps, strict } from './body.cjs';
import { url, wholeUrl } from './fields.cjs';
import { patterns } from './paths.cjs';
import { scrapeOptions } from './scrapeOptions.cjs';
import { webhookConfig } from './webhook.cjs';

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

/** Body of `POST /crawl/params-preview`. */
export const paramsPreviewRequest = strict({ url: wholeUrl, prompt: prompt.min(1), ...stamps });
