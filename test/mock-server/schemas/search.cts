import { z } from 'zod';

import { timeFilter } from '../search/results.cjs';
import { refuse, stamps, strict, whole } from './body.cjs';
import { domain, threatProtection } from './fields.cjs';
import { type ScrapeOptions, searchScrapeOptions } from './scrapeOptions.cjs';

/** A malformed `tbs`, which the service ignores, is refused: a client cannot lose its filter unnoticed. */
const tbs = z.string().refine((text) => timeFilter(text, 0) !== undefined, 'Invalid time filter');
const location = z.string().min(1);

/** An object of a type, or its type alone. */
const named = <T extends z.ZodTypeAny>(item: T) =>
	z.preprocess((given) => (typeof given === 'string' ? { type: given } : given), item);

/** Only the type counts: the server reads the other members at the top level alone. */
const source = z.discriminatedUnion('type', [
	strict({
		type: z.literal('web'),
		tbs: tbs.optional(),
		location: location.optional(),
		country: z.string().optional(),
		lang: z.string().optional(),
		filter: z.string().optional(),
	}),
	strict({ type: z.enum(['images', 'news', 'alexandria']) }),
]);

const sources = z
	.array(z.unknown())
	.min(1)
	.refine(
		(items) => new Set(items.map((item) => typeof item)).size === 1,
		'Sources are all strings or all objects',
	)
	.pipe(z.array(named(source)));

/** The server source also takes `github` (legacy); `gov` is the newest. */
const category = z.enum(['developer', 'gov', 'research', 'pdf']);
export type Category = z.infer<typeof category>;

const categories = z
	.array(named(strict({ type: category })))
	.transform((list) => list.map(({ type }) => type))
	.superRefine((list, check) => {
		for (const alone of ['developer', 'gov'] as const) {
			if (!list.includes(alone) || list.length === 1) continue;
			refuse(check, `The ${alone} category cannot be combined with another category`);
		}
	});

/** Formats that the server does not make of the results of a search. */
const notOfSearches = new Set(
	'attributes audio branding changeTracking deterministicJson rawBase64 video'.split(' '),
);

function checkFormats({ formats = [] }: ScrapeOptions, check: z.RefinementCtx): void {
	formats.forEach(({ type }, index) => {
		if (notOfSearches.has(type)) refuse(check, 'Invalid input', 'formats', index);
	});
}

/** Body of `POST /search`. `objective` and `clientModel` only inform the service. */
export const searchRequest = strict({
	query: z.string().min(1).max(500),
	limit: whole(1, 100).default(10),
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
		const message = 'includeDomains and excludeDomains cannot both be specified';
		refuse(check, message, 'excludeDomains');
	}
});
export type SearchRequest = z.output<typeof searchRequest>;
