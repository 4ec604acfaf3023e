import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

import { allLinks } from '../site/render.cjs';
import type { Site } from '../site/site.cjs';
import { requireCredits } from '../access.cjs';
import { withTimeout } from '../clock.cjs';
import type { Context } from '../context.cjs';
import { addressKey, isInside, mainDomain, pageLinks } from '../crawl.cjs';
import { ApiError } from '../errors.cjs';
import { endpoints, type Answer, type ApiCall, type ApiEndpoint } from '../pipeline.cjs';
import { location, optional, parseBody, stamps, url, whole } from '../schemas/fields.cjs';
import { checkPatterns, patterns } from '../schemas/jobs.cjs';
import { fetchPage } from '../scrape/scraper.cjs';
import { TextIndex } from '../search/textIndex.cjs';

/** Body of `POST /map`. */
const mapRequest = optional({
	search: z.string(),
	sitemap: z.enum(['only', 'include', 'skip']),
	includeSubdomains: z.boolean(),
	ignoreQueryParameters: z.boolean(),
	ignoreCache: z.boolean(),
	limit: whole(1, 100_000),
	timeout: z.int().positive(),
	location,
	headers: z.record(z.string(), z.string()),
	includePaths: patterns,
	excludePaths: patterns,
	filterByPath: z.boolean(),
	...stamps,
}).extend({ url });
type MapRequest = z.output<typeof mapRequest>;

/** `POST /map`. */
export function mapEndpoints(context: Context): ApiEndpoint[] {
	const access = { scope: 'map', rate: 'map', work: true } as const;
	return endpoints(access, ['POST /v2/map', (call) => map(context, call)]);
}

async function map(context: Context, call: ApiCall): Promise<Answer> {
	const request = parseBody(mapRequest, call.body);
	for (const list of [request.includePaths, request.excludePaths]) checkPatterns(list);
	const { timeout } = request;
	const { clock } = context;
	requireCredits(context, call.caller, 1);
	const work = async (expired: AbortSignal): Promise<Answer> => {
		const links = await mapSite(request, context, expired);
		expired.throwIfAborted();
		const id = randomUUID();
		call.charge(1, id);
		const { pathname, hostname } = new URL(request.url);
		const narrow = links.length <= 1 && request.limit !== 1 && pathname !== '/';
		const warning = `Only ${links.length} result(s) found. For broader coverage, try mapping the base domain: ${hostname}`;
		return { body: { success: true, id, links, ...(narrow && { warning }) } };
	};
	if (timeout === undefined) return await work(new AbortController().signal);
	const late = (): Error => new ApiError(408, { code: 'MAP_TIMEOUT', error: timeoutText });
	return await withTimeout(clock, timeout - (clock.now() - call.entry.at), late, work);
}

const timeoutText =
	'The map operation timed out before completing. This happens when discovering URLs on a large website takes too long. Try using a more specific starting URL, or increase the timeout parameter if available.';

interface MapLink {
	url: string;
	title?: string;
	description?: string;
}

/** The addresses of a site, by its sitemap and the links of the page named; those that match `search` come first. */
async function mapSite(
	request: MapRequest,
	{ site, clock }: Context,
	signal: AbortSignal,
): Promise<MapLink[]> {
	const { sitemap, ignoreQueryParameters = true, search, limit = 5000 } = request;
	const fetched = await fetchPage(site, clock, request.url, signal).catch(unreadable);
	if (!fetched) return [];
	const start = fetched.url;
	const { content } = fetched.page;
	const near = [start, ...pageLinks(content ? allLinks(content) : [], start)];
	const found = sitemap === 'only' ? [] : near;
	for (const host of new Set(near.map((url) => new URL('/', url).href))) {
		const isOther = mainDomain(new URL(host)) !== mainDomain(new URL(start));
		if (sitemap !== 'skip' && !isOther) found.push(...site.sitemap(host));
	}
	const reach = {
		...{ includePaths: [], excludePaths: [], ...request },
		...{ regexOnFullURL: false, allowExternalLinks: false },
		crawlEntireDomain: request.filterByPath === false,
		allowSubdomains: request.includeSubdomains !== false,
	};
	const links = new Map<string, MapLink>();
	for (const address of found) {
		if (!isInside(address, start, reach)) continue;
		const url = new URL(address);
		if (ignoreQueryParameters) url.search = '';
		const key = addressKey(url.href, false);
		if (!links.has(key)) links.set(key, described(url.href, site));
	}
	const all = [...links.values()];
	const best = search ? matching(all, search) : [];
	return [...new Set([...best, ...all])].slice(0, limit);
}

/** A site that cannot be reached has no addresses; that is no error. */
function unreadable(error: unknown): undefined {
	if (!(error instanceof ApiError)) throw error;
}

function described(url: string, site: Site): MapLink {
	const page = site.find(url);
	return page ? { url, title: page.title, description: page.description } : { url };
}

function matching(links: readonly MapLink[], search: string): MapLink[] {
	const textOf = ({ url, title = '', description = '' }: MapLink) => ({ url, title, description });
	const index = new TextIndex(links, textOf, { url: 3, title: 2, description: 1 });
	return index.search(search).map(({ item }) => item);
}
