import type { Endpoint } from '../../runtime/http/endpoint';

/**
 * Scrapes a page, or runs data tools (https://docs.firecrawl.dev/api-reference/endpoint/scrape).
 */
export const scrapePage: Endpoint = {
	method: 'POST',
	path: '/scrape',
	bucket: 'scrape',
	retrySafety: 'mayChargeTwice',
};

/** Lists the URLs of a site (https://docs.firecrawl.dev/api-reference/endpoint/map). */
export const mapSite: Endpoint = {
	method: 'POST',
	path: '/map',
	bucket: 'map',
	retrySafety: 'mayChargeTwice',
};
