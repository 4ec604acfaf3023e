import type { RenderedPage } from '../site/render.cjs';
import { type Site, UnknownHostError } from '../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';

/** A page as its server sent it, after redirects. */
export interface Fetched {
	url: string;
	page: RenderedPage;
}

const maxRedirects = 10;

/** Fetches a page of the small web. A name that does not resolve is 200 with `success:false`. */
export async function fetchPage(
	site: Site,
	clock: Clock,
	start: string,
	signal: AbortSignal,
): Promise<Fetched> {
	let url = start;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		const delay = site.find(url)?.delayMs;
		if (delay) await clock.wait(delay, signal);
		const page = await render(site, url);
		const { status, headers } = page;
		if (status < 300 || status >= 400 || !headers.location) return { url, page };
		url = new URL(headers.location, url).href;
	}
	const error = 'The page redirects too many times';
	throw new ApiError(500, { code: 'SCRAPE_SITE_ERROR', error });
}

async function render(site: Site, url: string): Promise<RenderedPage> {
	try {
		return await site.render(url);
	} catch (error) {
		if (!(error instanceof UnknownHostError)) throw error;
		throw new ApiError(200, {
			code: 'SCRAPE_DNS_RESOLUTION_ERROR',
			error: `DNS resolution failed for hostname: ${error.host}`,
		});
	}
}
