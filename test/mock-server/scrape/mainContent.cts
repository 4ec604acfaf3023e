import { load } from 'cheerio';

import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { parseUrl } from '../parseUrl.cjs';
import { matching } from './matching.cjs';

const neverContent = 'script, style, noscript, template, link, meta, iframe';
const adsAndBanners = '.ad, .ads, .advertisement, [class*="cookie"], [id*="cookie"]';
const frame = 'header, footer, nav, aside, [role="dialog"], [role="navigation"]';

/**
 * The part of a page that the options ask for, as HTML with absolute addresses. `includeTags` and
 * `excludeTags` are CSS selectors.
 */
export function mainContent(html: string, url: string, options: ScrapeOptions): string {
	const $ = load(html);
	$(neverContent).remove();
	if (options.blockAds ?? true) $(adsAndBanners).remove();
	if (options.onlyMainContent ?? true) $(frame).remove();
	for (const selector of options.excludeTags ?? []) matching($, selector).remove();
	if (options.includeTags?.length) {
		const wanted = new Set<unknown>(
			options.includeTags.flatMap((selector) => matching($, selector).toArray()),
		);
		const kept = $('*')
			.toArray()
			.filter((element) => wanted.has(element))
			.map((element) => $.html(element));
		$('body').html(kept.join('\n'));
	}
	for (const [tag, attribute] of [
		['a', 'href'],
		['img', 'src'],
		['video', 'src'],
	] as const) {
		$(`${tag}[${attribute}]`).each((_, element) => {
			const value = $(element).attr(attribute) ?? '';
			const absolute = parseUrl(value, url);
			if (absolute) $(element).attr(attribute, absolute.href);
		});
	}
	return $('body').html()?.trim() ?? '';
}

/** Absolute addresses of an attribute, each once, in the page's order. */
export function addresses(html: string, tag: string, attribute: string): string[] {
	const $ = load(html);
	const found = $(`${tag}[${attribute}]`)
		.toArray()
		.map((element) => $(element).attr(attribute) ?? '')
		.filter((value) => /^https?:\/\//.test(value));
	return [...new Set(found)];
}
