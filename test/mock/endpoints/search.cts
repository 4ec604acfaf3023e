import { randomUUID } from 'node:crypto';

import { permitThreats, requireTools, requireBalance } from '../access.cjs';
import { withTimeout } from '../clock.cjs';
import type { Context } from '../context.cjs';
import { ApiError, type Detail, forbidden, timedOut } from '../errors.cjs';
import { type Answer, type ApiCall, type ApiEndpoint, endpoints } from '../pipeline.cjs';
import { resultCredits } from '../prices.cjs';
import { issuesOf } from '../schemas/fields.cjs';
import { searchRequest, type SearchRequest } from '../schemas/search.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import { type Results, searchResults } from '../search/search.cjs';

/** `POST /search`. */
export function searchEndpoints(context: Context): ApiEndpoint[] {
	const access = { scope: 'search', rate: 'search', work: true } as const;
	return endpoints(access, ['POST /v2/search', (call) => search(context, call)]);
}

async function search(context: Context, call: ApiCall): Promise<Answer> {
	const request = parseSearch(call.body);
	requireBalance(context, call.caller);
	checkRights(call, request);

	const work = (expired?: AbortSignal): Promise<Answer> => answer(context, call, request, expired);
	// Without anything to wait for the search is over at once: no timer is needed.
	if (!call.stall && !scrapes(request)) return work();
	const left = request.timeout - (context.clock.now() - call.entry.at);
	return withTimeout(context.clock, left, timedOut, async (expired) => {
		await call.stall?.();
		return work(expired);
	});
}

function parseSearch(body: unknown): SearchRequest {
	const { data: request, error } = searchRequest.safeParse(body);
	if (!request) throw refused(issuesOf(error));
	if (request.query.trim() !== '') return request;
	const details = [{ code: 'custom', path: ['query'], message: 'A query is required' }];
	throw refused(
		details,
		wantsToolSearch(request) ? 'A query is required for tool search.' : undefined,
	);
}

const refused = (details: readonly Detail[], error = 'Invalid request body'): ApiError =>
	new ApiError(400, { error, details });

const privacy = ({ enterprise }: SearchRequest): Array<'anon' | 'zdr'> =>
	enterprise.flatMap((mode) => (mode === 'default' ? [] : mode));

/** The 403s: features that the team lacks, and combinations that zero data retention forbids. */
function checkRights(call: ApiCall, request: SearchRequest): void {
	const { team } = call.caller;
	const modes = privacy(request);
	if (wantsToolSearch(request)) requireTools(call.caller, modes.length > 0);
	for (const mode of modes) {
		if (!team.features.includes(mode)) {
			throw forbidden(
				'Zero Data Retention (ZDR) search is not enabled for your team. Contact support@firecrawl.com to enable this feature.',
			);
		}
	}
	permitThreats(team, request.threatProtection);
	permitThreats(team, request.scrapeOptions?.threatProtection);
}

async function answer(
	context: Context,
	call: ApiCall,
	request: SearchRequest,
	expired?: AbortSignal,
): Promise<Answer> {
	const id = randomUUID();
	const results = searchResults(context, request);
	const scraped = scrapes(request) ? await scrapeResults(context, call, request, results) : 0;
	expired?.throwIfAborted();
	const credits = resultCredits(results.counted, request.enterprise.includes('zdr')) + scraped;
	const { query, limit, toolDetail = 'full' } = request;
	const tools = wantsToolSearch(request) && context.tools.find(query, limit, toolDetail);
	call.charge(credits, id);
	return {
		body: {
			success: true,
			data: { ...results.data, ...(tools && { tools }) },
			...agentHints(call, results),
			id,
			creditsUsed: credits,
		},
	};
}

/** The hint to a model that finds nothing, if the request asks for hints. */
const agentHints = ({ headers }: ApiCall, { data }: Results): { agent_hints?: string[] } =>
	headers['x-firecrawl-agent-hints'] === 'true' && (data.web ?? []).length === 0
		? { agent_hints: ['No web results were returned. Search again with a broader query.'] }
		: {};

/** Scrapes every web and news result; one that fails stays in the list, its metadata says why. */
async function scrapeResults(
	context: Context,
	call: ApiCall,
	request: SearchRequest,
	results: Results,
): Promise<number> {
	const options = request.scrapeOptions ?? {};
	const { team } = call.caller;
	const zdr = privacy(request).length > 0;
	const items = [...(results.data.web ?? []), ...(results.data.news ?? [])];
	const documents = await Promise.all(
		items.map((item) =>
			context.scraper
				.scrape({ url: item.url, options, team, zdr })
				.catch((error: unknown) => failed(item, error)),
		),
	);
	documents.forEach(({ document }, index) => Object.assign(items[index], document));
	return documents.reduce((sum, { credits }) => sum + credits, 0);
}

function failed({ url, title }: { url: string; title: string }, error: unknown): Scraped {
	if (!(error instanceof ApiError)) throw error;
	const statusCode = error.status >= 400 ? error.status : 500;
	return {
		document: { metadata: { title, sourceURL: url, url, statusCode, error: error.message } },
		credits: 0,
	};
}

const wantsToolSearch = ({ sources }: Pick<SearchRequest, 'sources'>): boolean =>
	sources.some(({ type }) => type === 'alexandria');

/** Without a format nothing is scraped and the other options are ignored. */
const scrapes = (request: SearchRequest): boolean =>
	(request.scrapeOptions?.formats?.length ?? 0) > 0;
