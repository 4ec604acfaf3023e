import { load } from 'cheerio';
import robotsParser from 'robots-parser';

import type { ReadText } from './readText.cjs';

/** The pages in the sitemaps of an address's host: those that its robots.txt names, or the usual one. */
export async function sitemapPages(url: string, readText: ReadText): Promise<string[]> {
	const { href } = new URL('/robots.txt', url);
	const sitemaps = robotsParser(href, (await readText(href)) ?? '').getSitemaps();
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
