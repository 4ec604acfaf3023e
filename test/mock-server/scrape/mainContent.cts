import { type Cheerio, type CheerioAPI, load } from 'cheerio';
import type { Element } from 'domhandler';
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';

import { parseUrl } from '../schemas/fields.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';

const neverContent = 'script, style, noscript, template, link, meta, iframe';
const adsAndBanners = '.ad, .ads, .advertisement, [class*="cookie"], [id*="cookie"]';
const frame = 'header, footer, nav, aside, [role="dialog"], [role="navigation"]';

/** The part of a page that the options ask for, as HTML with absolute addresses. */
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

const turndown = new TurndownService({
	headingStyle: 'atx',
	codeBlockStyle: 'fenced',
	bulletListMarker: '-',
	hr: '---',
}).use(gfm);
turndown.remove(['button', 'video', 'input']);

/** HTML as Markdown. Embedded images keep their alt text; their data gives way to a placeholder. */
export function toMarkdown(html: string, removeBase64Images: boolean): string {
	const markdown = turndown.turndown(html);
	if (!removeBase64Images) return markdown;
	return markdown.replace(/(!\[[^\]]*\])\(data:[^)]*\)/g, '$1(<Base64-Image-Removed>)');
}

/** What a CSS selector matches in a page; one that is not valid matches nothing. */
export function matching($: CheerioAPI, selector: string): Cheerio<Element> {
	try {
		return $<Element, string>(selector);
	} catch {
		return $<Element, string>([]);
	}
}

/** What a page says about itself: title, language, favicon, every meta tag (`og:title` as `ogTitle` too). */
export function pageMetadata(html: string, url: string): Record<string, unknown> {
	const $ = load(html);
	const metadata: Record<string, unknown> = {};
	const title = $('title').first().text().trim();
	if (title) metadata.title = title;
	const language = $('html').attr('lang');
	if (language) metadata.language = language;
	$('meta').each((_, element) => {
		const name = $(element).attr('name') ?? $(element).attr('property');
		const content = $(element).attr('content');
		if (!name || content === undefined) return;
		add(metadata, name, content);
		const camel = name.replace(/[:._](\w)/g, (_match, letter: string) => letter.toUpperCase());
		if (camel !== name && /^(og|dc)/.test(name)) add(metadata, camel, content);
	});
	const icon = $('link[rel~="icon"]').attr('href');
	if (icon) metadata.favicon = new URL(icon, url).href;
	return metadata;
}

function add(metadata: Record<string, unknown>, name: string, content: string): void {
	const before = metadata[name];
	const isOne = before === undefined || name === 'title';
	metadata[name] = isOne ? content : [before, content].flat();
}
