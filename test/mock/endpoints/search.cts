import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { requireCredits } from '../access.cjs';
import type { Context } from '../context.cjs';
import { ApiError } from '../errors.cjs';
import type { Answer, ApiCall, Endpoints } from '../pipeline.cjs';
import { resultCredits } from '../prices.cjs';
import {
	domain,
	issuesOf,
	optional,
	refuse,
	stamps,
	strict,
	threatProtection,
	whole,
} from '../schemas/fields.cjs';
import { checkWaits, searchScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { searchResults, type Results } from '../search/search.cjs';

const source = z.enum(['web', 'images', 'news', 'alexandria']);
/** Only the type counts: the server reads the other members at the top level alone. */
const sourceObject = optional({ tbs: z.string(), location: z.string() }).extend({ type: source });
/** `github` lives on beside its successor `developer`; `gov` is the newest. */
const category = z.enum(['developer', 'github', 'gov', 'research', 'pdf']);
export type Category = z.output<typeof category>;

const typeOf = <T,>({ type }: { type: T }): T => type;

/** Body of `POST /search`. */
const searchRequest = optional({
	limit: whole(1, 100),
	/** All of them by their type alone, or all as objects. */
	sources: z.union([z.array(source), z.array(sourceObject.transform(typeOf))]),
	categories: z.union([z.array(category), z.array(strict({ type: category }).transform(typeOf))]),
	toolDetail: z.enum(['compact', 'summary', 'full']),
	includeDomains: z.array(domain),
	excludeDomains: z.array(domain),
	tbs: z.string(),
	location: z.string(),
	country: z.string(),
	lang: z.string(),
	filter: z.string(),
	safe: z.boolean(),
	timeout: z.int().positive(),
	ignoreInvalidURLs: z.boolean(),
	highlights: z.boolean(),
	enterprise: z.array(z.enum(['default', 'anon', 'zdr'])),
	scrapeOptions: searchScrapeOptions,
	threatProtection,
	...stamps,
})
	.extend({ query: z.string().max(500) })
	.superRefine((body, check) => {
		if (body.includeDomains && body.excludeDomains) {
			const message = 'includeDomains and excludeDomains cannot both be specified';
			refuse(check, message, 'excludeDomains');
		}
		const { categories = [] } = body;
		for (const alone of ['developer', 'gov'] as const) {
			if (!categories.includes(alone) || categories.length === 1) continue;
			refuse(check, `the ${alone} category cannot be combined with other categories`);
		}
		checkWaits(body.scrapeOptions ?? {}, check);
	});
export type SearchRequest = z.output<typeof searchRequest>;

/** `POST /search`. */
export function searchEndpoints(context: Context): Endpoints {
	return { 'POST /v2/search': (call) => search(context, call) };
}

async function search(context: Context, call: ApiCall): Promise<Answer> {
	const { data: request, error } = searchRequest.safeParse(call.body);
	if (!request) {
		throw new ApiError(400, { error: 'Invalid request body', details: issuesOf(error) });
	}
	requireCredits(context, call.team, 1);

	const { query, limit = 10, enterprise = [] } = request;
	const id = randomUUID();
	const results = searchResults(context, request);
	const scraped = await scrapeResults(context, call, request, results);
	const count = Object.values(results).reduce((sum, list) => sum + (list?.length ?? 0), 0);
	const credits = resultCredits(count, enterprise.includes('zdr')) + scraped;
	const tools = wantsTools(request) && { tools: context.tools.find(query, limit) };
	call.charge(credits, id);
	const data = { ...results, ...tools };
	return { body: { success: true, data, id, creditsUsed: credits } };
}

const wantsNothingKept = ({ enterprise = [] }: SearchRequest): boolean =>
	enterprise.some((mode) => mode !== 'default');

const wantsTools = ({ sources = [] }: SearchRequest): boolean => sources.includes('alexandria');

/** Scrapes every web and news result. Without a format nothing is scraped and the other options are ignored. */
async function scrapeResults(
	context: Context,
	call: ApiCall,
	request: SearchRequest,
	{ web = [], news = [] }: Results,
): Promise<number> {
	const { scrapeOptions: options } = request;
	if (!options?.formats?.length) return 0;
	const { team } = call;
	const zdr = wantsNothingKept(request);
	const scrapes = [...web, ...news].map(async (item) => {
		const { document, credits } = await context.scraper.scrape({
			url: item.url,
			options,
			team,
			zdr,
		});
		Object.assign(item, document);
		return credits;
	});
	return (await Promise.all(scrapes)).reduce((sum, credits) => sum + credits, 0);
}
