import type { Site } from '../../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { MapRequest } from '../schemas/map.cjs';
import { fetchPage } from '../scrape/fetchPage.cjs';
import { TextIndex } from '../search/textIndex.cjs';
import { addressKey, mainDomain } from './address.cjs';
import { pageLinks } from './links.cjs';
import { siteTexts } from './readText.cjs';
import { placeOf } from './scope.cjs';
import { sitemapPages } from './sitemap.cjs';

export interface MapLink {
	url: string;
	title?: string;
	description?: string;
}

/**
 * The addresses of a site, by its sitemap and the links of the page that was named; each once, up to the
 * limit. With `search` those that have to do with it come first, the best ahead. Throws the 500 when the
 * page cannot be opened.
 */
export async function mapSite(
	request: MapRequest,
	{ site, clock }: { site: Site; clock: Clock },
	signal: AbortSignal,
): Promise<MapLink[]> {
	const start = await openStart(request.url, site, clock, signal);
	const readText = siteTexts(site);
	const found = request.sitemap === 'only' ? [] : [start.url, ...start.links];
	if (request.sitemap !== 'skip') {
		const hosts = new Set([start.url, ...start.links].map((url) => new URL('/', url).href));
		for (const host of hosts) {
			if (mainDomain(new URL(host)) !== mainDomain(new URL(start.url))) continue;
			found.push(...(await sitemapPages(host, readText)));
		}
	}
	const links = new Map<string, MapLink>();
	for (const address of found) {
		if (!isWanted(address, start.url, request)) continue;
		const url = request.ignoreQueryParameters ? withoutQuery(address) : address;
		const key = addressKey(url, { ignoreQueryParameters: false, deduplicateSimilarURLs: true });
		if (!links.has(key)) links.set(key, described(url, site));
	}
	const all = [...links.values()];
	return (request.search ? ranked(all, request.search) : all).slice(0, request.limit);
}

/** The page that was named, after redirects, with its links. */
async function openStart(
	url: string,
	site: Site,
	clock: Clock,
	signal: AbortSignal,
): Promise<{ url: string; links: string[] }> {
	try {
		const page = await fetchPage(site, clock, url, signal);
		const html = page.contentType.startsWith('text/html') ? page.body.toString('utf8') : '';
		return { url: page.url, links: pageLinks(html, page.url) };
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		throw new ApiError(500, { code: 'MAP_FAILED', error: `Failed to map: ${error.message}` });
	}
}

function isWanted(url: string, start: string, request: MapRequest): boolean {
	const place = placeOf(url, start, {
		...request,
		regexOnFullURL: false,
		crawlEntireDomain: !request.filterByPath,
		allowSubdomains: request.includeSubdomains,
	});
	return place !== 'outside';
}

function withoutQuery(address: string): string {
	const url = new URL(address);
	url.search = '';
	return url.href;
}

/** What is known of a page without opening it. */
function described(url: string, site: Site): MapLink {
	const page = site.find(url);
	return page ? { url, title: page.title, description: page.description } : { url };
}

/** The links that match, best first, then the others in their order. */
function ranked(links: readonly MapLink[], search: string): MapLink[] {
	const index = new TextIndex(
		links,
		({ url, title = '', description = '' }) => ({ url, title, description }),
		{ url: 3, title: 2, description: 1 },
	);
	const matches = index.search(search).map(({ item }) => item);
	return [...new Set([...matches, ...links])];
}
