import { UnknownHostError, type RenderedPage, type Site } from '../../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';

/** A page as its server sent it, after redirects. */
export interface Fetched {
	/** Final address. */
	url: string;
	status: number;
	contentType: string;
	body: Buffer;
}

const maxRedirects = 10;

/** Fetches a page of the small web. A name that does not resolve is 200 with `success:false`. */
export async function fetchPage(
	site: Site,
	clock: Clock,
	url: string,
	signal: AbortSignal,
): Promise<Fetched> {
	let current = url;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		const delay = site.find(current)?.delayMs;
		if (delay) await clock.wait(delay, signal);
		const { status, headers, body } = await render(site, current);
		if (status >= 300 && status < 400 && headers.location) {
			current = new URL(headers.location, current).href;
		} else {
			return { url: current, status, contentType: headers['content-type'] ?? '', body };
		}
	}
	throw new ApiError(500, {
		code: 'SCRAPE_SITE_ERROR',
		error: 'The page redirects too many times',
	});
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
