import { load } from 'cheerio';

import type { ReadText } from './readText.cjs';
import { readRobots } from './robots.cjs';

/** The pages in the sitemaps of an address's host: those that its robots.txt names, or the usual one. */
export async function sitemapPages(url: string, readText: ReadText): Promise<string[]> {
	const robots = (await readText(new URL('/robots.txt', url).href)) ?? '';
	const { sitemaps } = readRobots(robots, '*');
	const files = sitemaps.length > 0 ? sitemaps : [new URL('/sitemap.xml', url).href];
	const texts = await Promise.all(files.map(readText));
	return texts.flatMap((xml) => sitemapAddresses(xml ?? ''));
}

/** The addresses that a sitemap lists, in its order. */
function sitemapAddresses(xml: string): string[] {
	const $ = load(xml, { xml: true });
	return $('urlset > url > loc')
		.toArray()
		.map((element) => $(element).text().trim());
}
