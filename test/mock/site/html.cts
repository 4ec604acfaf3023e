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
	escapeHtml(text)
		.replace(image, '<img src="$2" alt="$1">')
		.replace(link, '<a href="$2">$1</a>')
		.replace(/\*\*([^*\n]{1,500})\*\*/g, '<strong>$1</strong>')
		.replace(/`([^`\n]{1,500})`/g, '<code>$1</code>');

const fence = /^(```[^\n]*\n[\s\S]*?\n```)$/m;

/** A text's blocks: what empty lines part, and code in fences as it is. */
const blocksOf = (markdown: string): string[] =>
	markdown
		.split(fence)
		.flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n{2,}/)))
		.filter((block) => block.trim() !== '');

const element = (tag: string, html: string): string => `<${tag}>${html}</${tag}>`;

const list = (tag: string) => (block: string) => {
	const items = block.split('\n').map((line) => inline(line.replace(/^\s*(\S+ )/, '')));
	return element(tag, items.map((item) => element('li', item)).join('\n'));
};

function table(block: string): string {
	const rows = block.split('\n').filter((line) => !/^[|\s:-]+$/.test(line));
	const cells = (row: string) => row.split('|').slice(1, -1);
	const html = (cell: string) => element('td', inline(cell.trim()));
	return element(
		'table',
		rows.map((row) => element('tr', cells(row).map(html).join(''))).join('\n'),
	);
}

/** The elements that blocks are, by how they begin. */
const elements: ReadonlyArray<readonly [start: RegExp, html: (block: string) => string]> = [
	[
		/^#{1,6} /,
		(block) => element(`h${block.indexOf(' ')}`, inline(block.slice(block.indexOf(' ') + 1))),
	],
	[
		/^```/,
		(block) =>
			element('pre', element('code', escapeHtml(block.split('\n').slice(1, -1).join('\n')))),
	],
	[/^\|/, table],
	[/^> /, (block) => element('blockquote', inline(block.slice(2)))],
	[/^(-{3,}|={3,})$/, () => '<hr>'],
	[/^[-*+] /, list('ul')],
	[/^\d+\. /, list('ol')],
];

/** Markdown as HTML, as simple as pages here need it. */
export const toHtml = (markdown: string): string =>
	blocksOf(markdown)
		.map((block) => {
			const [, html] = elements.find(([start]) => start.test(block)) ?? [];
			return html ? html(block) : element('p', inline(block));
		})
		.join('\n');

const never = /<(script|style|head|template|noscript)\b[\s\S]*?<\/\1>/gi;

/** What HTML says, as Markdown: headings, lists, links and images; other elements are their text. */
export const toMarkdown = (html: string): string =>
	html
		.replace(never, '')
		.replace(/<h([1-6])\b[^>]*>/gi, (_, level) => `\n\n${'#'.repeat(Number(level))} `)
		.replace(/<li\b[^>]*>/gi, '\n- ')
		.replace(/<a\b[^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/gi, '[$2]($1)')
		.replace(/<img\b[^>]*?src="([^"]*)"[^>]*>/gi, '![]($1)')
		.replace(/<\/?(p|div|h\d|ul|ol|table|tr|pre|br|main|section|article)\b[^>]*>/gi, '\n\n')
		.replace(/<[^>]*>/g, '')
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&quot;/g, '"')
		.replace(/&amp;/g, '&')
		.replace(/\n{3,}/g, '\n\n')
		.trim();

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
