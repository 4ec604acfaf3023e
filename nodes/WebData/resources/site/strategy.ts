/** How a website is read; `auto` chooses between the others. */
export type Strategy = 'auto' | 'crawl' | 'map';

/** What decides how a website is read. */
export interface Choice {
	strategy: Strategy;
	/** A known page is read again at every so many runs. */
	rescrapeEvery: number;
	/** How many pages are known. */
	known: number;
	/** Whether a map is known not to list all pages. */
	isUnlisted: boolean;
}

/**
 * The cheaper way to read a website. A change shows only in the page itself: neither a map nor a sitemap at
 * the service says when a page was changed. So where all pages are read again, a crawl is cheaper by the 1
 * credit of the map; where only a part is, a map, since a crawl cannot leave pages out.
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

/** Whether a known page is one of those that are read again at a run: each run has its own share. */
export const isDue = (pageId: string, run: number, every: number): boolean =>
	Buffer.from(pageId, 'base64url').readUInt32BE(0) % every === run % every;
