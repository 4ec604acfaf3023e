import { load } from 'cheerio';

/**
 * What a page says about itself: title, language, description, favicon and every meta tag under its
 * own name (`og:title` as `ogTitle` too). A tag given several times is an array.
 */
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
	if (before === undefined || name === 'title') metadata[name] = content;
	else
		metadata[name] = Array.isArray(before)
			? [...(before as unknown[]), content]
			: [before, content];
}
