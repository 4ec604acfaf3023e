const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text made safe for HTML content and quoted attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"]/g, (sign) => entities[sign]);

// The lengths are bounded: what is opened again and again and never closed takes linear time, too.
const image = /!\[([^\]]{0,500})\]\(([^)\s]{1,2000})\)/g;
const link = /(?<!!)\[([^[\]]{0,500})\]\(([^)\s]{1,2000})\)/g;

const targets = (pattern: RegExp, markdown: string): string[] => [
	...new Set([...markdown.matchAll(pattern)].map(([, , target]) => target)),
];

/** Addresses of a text's links, and of its images, each once, in their order. */
export const linksIn = (markdown: string): string[] => targets(link, markdown);
export const imagesIn = (markdown: string): string[] => targets(image, markdown);

const inline = (text: string): string =>
	escapeHtml(text).replace(image, '<img src="$2" alt="$1">').replace(link, '<a href="$2">$1</a>');

/** Markdown as HTML, as simple as pages here need it: headings, links and images; all else is paragraphs. */
export const toHtml = (markdown: string): string =>
	markdown
		.split(/\n{2,}/)
		.filter((block) => block.trim() !== '')
		.map((block) => {
			const [marks = '', level] = /^(#{1,6}) /.exec(block) ?? [];
			const tag = level ? `h${level.length}` : 'p';
			return `<${tag}>${inline(block.slice(marks.length))}</${tag}>`;
		})
		.join('\n');

const never = /<(script|style|head|template|noscript)\b[\s\S]*?<\/\1>/gi;

/** What HTML says, as Markdown: headings, lists and links; other elements are their text. */
export const toMarkdown = (html: string): string =>
	html
		.replace(never, '')
		.replace(/<h([1-6])\b[^>]*>/gi, (_, level) => `\n\n${'#'.repeat(Number(level))} `)
		.replace(/<li\b[^>]*>/gi, '\n- ')
		.replace(/<a\b[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/gi, '[$2]($1)')
		.replace(/<\/?(p|div|h\d|ul|ol|table|tr|pre|br)\b[^>]*>/gi, '\n\n')
		.replace(/<[^>]*>/g, '')
		.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => characters[name])
		.replace(/\n{3,}/g, '\n\n')
		.trim();

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

/** The names under which a page's meta tag comes out: of `og:title` also `ogTitle`. */
export function metaNames(name: string): string[] {
	const camel = name.replace(/[:._](\w)/g, (_, letter: string) => letter.toUpperCase());
	return camel !== name && /^(og|dc)/.test(name) ? [name, camel] : [name];
}

/** What an HTML file says about itself. */
export function metadataOfHtml(html: string): Record<string, unknown> {
	const [, title] = /<title>([^<]*)<\/title>/i.exec(html) ?? [];
	const [, language] = /<html\b[^>]*\blang="([^"]*)"/i.exec(html) ?? [];
	const metas = [
		...html.matchAll(/<meta\b[^>]*?\b(?:name|property)="([^"]*)"[^>]*?\bcontent="([^"]*)"/gi),
	];
	return {
		...(title?.trim() && { title: title.trim() }),
		...(language && { language }),
		...Object.fromEntries(
			metas.flatMap(([, name, content]) => metaNames(name).map((each) => [each, content])),
		),
	};
}
