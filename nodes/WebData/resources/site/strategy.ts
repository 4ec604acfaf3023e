/** The strategies to scrape a website; `auto` chooses one of the others. */
export type Strategy = 'auto' | 'crawl' | 'map';

/** The input of a choice of strategy. */
export interface Choice {
	strategy: Strategy;
	/** Number of runs after which a known page is scraped again. */
	rescrapeEvery: number;
	/** Number of known pages. */
	known: number;
	/** Whether a map is known to be incomplete. */
	isUnlisted: boolean;
}

/**
 * Chooses the cheaper strategy. Only the page itself shows a change: the service's maps and
 * sitemaps have no modification dates. If all pages are scraped again, a crawl saves the map's 1
 * credit. If only some are, a map is cheaper, since a crawl cannot skip pages.
 */
export function chooseStrategy({
	strategy,
	rescrapeEvery,
	known,
	isUnlisted,
}: Choice): 'crawl' | 'map' {
	if (strategy !== 'auto') return strategy;
	const again = Math.ceil(known / rescrapeEvery);
	return known === 0 || isUnlisted || 1 + again >= known ? 'crawl' : 'map';
}

/** Whether a known page is due at a run. Each run has its own share of the pages. */
export const isDue = (pageId: string, run: number, every: number): boolean =>
	Buffer.from(pageId, 'base64url').readUInt32BE(0) % every === run % every;
