import { z } from 'zod';

import { isTbs } from '../search/timeFilter.cjs';
import { stamps, strict } from './body.cjs';
import { domain, threatProtection } from './fields.cjs';
import { searchScrapeOptions, type ScrapeOptions } from './scrapeOptions.cjs';

/**
 * The service hands `tbs` to its search provider unchecked; a malformed one is refused here, so that a
 * client cannot lose its filter unnoticed. A custom range needs both of its ends, as in the public API reference.
 */
const tbs = z.string().refine(isTbs, 'Invalid time filter');
const location = z.string().min(1);

const sourceNames = z.enum(['web', 'images', 'news', 'alexandria']);
const sourceObject = z.discriminatedUnion('type', [
	strict({
		type: z.literal('web'),
		tbs: tbs.optional(),
		location: location.optional(),
		country: z.string().optional(),
		lang: z.string().optional(),
		filter: z.string().optional(),
	}),
	strict({ type: z.literal('images') }),
	strict({ type: z.literal('news') }),
	strict({ type: z.literal('alexandria') }),
]);

/** Only its type counts: the server reads the other members at the top level alone. */
export type Source = z.output<typeof sourceObject>;

/** Copies an inner schema's faults to the outer check, with the path in front. */
function adopt<T extends z.ZodTypeAny>(
	schema: T,
	value: unknown,
	path: Array<string | number>,
	check: z.RefinementCtx,
): z.output<T> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	for (const issue of result.error.issues)
		check.addIssue({ ...issue, path: [...path, ...issue.path] });
	return z.NEVER;
}

const sources = z
	.array(z.unknown())
	.min(1)
	.transform((items, check): Source[] => {
		if (new Set(items.map((item) => typeof item)).size > 1) {
			check.addIssue({ code: 'custom', message: 'Sources are all strings or all objects' });
			return z.NEVER;
		}
		return items.map((item, index) =>
			typeof item === 'string'
				? { type: adopt(sourceNames, item, [index], check) }
				: adopt(sourceObject, item, [index], check),
		);
	});

/** The server source also takes `github` (legacy); `gov` is the newest. */
const categoryName = z.enum(['developer', 'gov', 'research', 'pdf']);
export type Category = z.infer<typeof categoryName>;

const categories = z
	.array(z.unknown())
	.transform((items, check) =>
		items.map((item, index) =>
			typeof item === 'string'
				? adopt(categoryName, item, [index], check)
				: adopt(strict({ type: categoryName }), item, [index], check).type,
		),
	)
	.superRefine((list, check) => {
		for (const alone of ['developer', 'gov'] as const) {
			if (!list.includes(alone) || list.length === 1) continue;
			check.addIssue({
				code: 'custom',
				message: `The ${alone} category cannot be combined with another category`,
			});
		}
	});

/** Formats that the server does not make of the results of a search. */
const notOfSearches = new Set([
	'attributes',
	'audio',
	'branding',
	'changeTracking',
	'deterministicJson',
	'rawBase64',
	'video',
]);

function checkFormats({ formats = [] }: ScrapeOptions, check: z.RefinementCtx): void {
	formats.forEach(({ type }, index) => {
		if (!notOfSearches.has(type)) return;
		check.addIssue({ code: 'custom', message: 'Invalid input', path: ['formats', index] });
	});
}

/**
 * Body of `POST /search`. `objective` and `clientModel` only inform the service. The server source still
 * takes `asyncScraping`, which it no longer reads: it is refused. `toolDetail` is taken, as the official
 * SDK has it.
 */
export const searchRequest = strict({
	query: z.string().min(1).max(500),
	limit: z.number().int().min(1).max(100).default(10),
	sources: sources.default(['web']),
	domainTools: z.boolean().optional(),
	toolDetail: z.enum(['compact', 'summary', 'full']).optional(),
	categories: categories.default([]),
	includeDomains: z.array(domain).optional(),
	excludeDomains: z.array(domain).optional(),
	tbs: tbs.optional(),
	location: location.optional(),
	country: z.string().min(1).optional(),
	lang: z.string().optional(),
	filter: z.string().optional(),
	objective: z.string().min(1).max(5000).optional(),
	clientModel: z.string().min(1).max(128).optional(),
	safe: z.boolean().optional(),
	timeout: z.number().int().positive().default(60_000),
	ignoreInvalidURLs: z.boolean().default(false),
	highlights: z.boolean().default(true),
	enterprise: z.array(z.enum(['default', 'anon', 'zdr'])).default([]),
	scrapeOptions: searchScrapeOptions.superRefine(checkFormats).optional(),
	threatProtection: threatProtection.optional(),
	...stamps,
}).superRefine((body, check) => {
	if (body.includeDomains && body.excludeDomains) {
		check.addIssue({
			code: 'custom',
			message: 'includeDomains and excludeDomains cannot both be specified',
			path: ['excludeDomains'],
		});
	}
});
export type SearchRequest = z.output<typeof searchRequest>;
