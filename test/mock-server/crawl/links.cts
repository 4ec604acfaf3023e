import { load } from 'cheerio';

import { linkTarget } from './address.cjs';

/** The pages that a page links to, each once, in its order: also from its header, menus and footer. */
export function pageLinks(html: string, url: string): string[] {
	const $ = load(html);
	const targets = $('a[href]')
		.toArray()
		.flatMap((element) => linkTarget($(element).attr('href') ?? '', url) ?? []);
	return [...new Set(targets)];
}
