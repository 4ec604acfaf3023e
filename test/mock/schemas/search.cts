import { z } from 'zod/v4';

import { domain, refuse, stamps, strict, threatProtection, whole } from './fields.cjs';
import { checkWaits, searchScrapeOptions } from './scrapeOptions.cjs';

/** Only the type counts: the server reads the other members at the top level alone. */
const source = z.union([
	strict({
		type: z.literal('web'),
		...{ tbs: z.string().optional(), location: z.string().min(1).optional() },
	}),
	...(['images', 'news', 'alexandria'] as const).map((type) => strict({ type: z.literal(type) })),
]);

/** All of them by their type alone, or all as objects. */
const sources = z
	.union([z.array(z.enum(['web', 'images', 'news', 'alexandria'])).min(1), z.array(source).min(1)])
	.transform((list) => list.map((item) => (typeof item === 'string' ? { type: item } : item)));

/** `github` lives on beside its successor `developer`; `gov` is the newest. */
const category = z.enum(['developer', 'github', 'gov', 'research', 'pdf']);
export type Category = z.infer<typeof category>;

const categories = z
	.union([z.array(category), z.array(strict({ type: category }))])
	.transform((list) => list.map((item) => (typeof item === 'string' ? item : item.type)));

/** Body of `POST /search`. `objective` only informs the service. */
export const searchRequest = strict({
	query: z.string().min(1).max(500),
	limit: whole(1, 100).default(10),
	sources: sources.default([{ type: 'web' }]),
	toolDetail: z.enum(['compact', 'summary', 'full']).optional(),
	categories: categories.default([]),
	includeDomains: z.array(domain).optional(),
	excludeDomains: z.array(domain).optional(),
	tbs: z.string().optional(),
	location: z.string().min(1).optional(),
	country: z.string().min(1).optional(),
	lang: z.string().optional(),
	filter: z.string().optional(),
	objective: z.string().min(1).max(5000).optional(),
	safe: z.boolean().optional(),
	timeout: z.number().int().positive().default(60_000),
	ignoreInvalidURLs: z.boolean().default(false),
	highlights: z.boolean().default(true),
	enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).default([]),
	scrapeOptions: searchScrapeOptions.optional(),
	threatProtection: threatProtection.optional(),
	...stamps,
}).superRefine((body, check) => {
	if (body.includeDomains && body.excludeDomains) {
		const message = 'includeDomains and excludeDomains cannot both be specified';
		refuse(check, message, 'excludeDomains');
	}
	for (const alone of ['developer', 'gov'] as const) {
		if (!body.categories.includes(alone) || body.categories.length === 1) continue;
		refuse(check, `the ${alone} category cannot be combined with other categories`);
	}
	checkWaits(body.scrapeOptions ?? {}, check);
});
export type SearchRequest = z.output<typeof searchRequest>;
