import { STATUS_CODES } from 'node:http';

import { renderPdf } from './files.cjs';
import { escapeHtml, linksIn, metaNames, toHtml } from './html.cjs';
import type { Host, SitePage } from './site.cjs';

/** What a page says: Markdown from which HTML is derived. */
export interface Content {
	metadata: Record<string, unknown>;
	/** What HTML's head has beside the title. */
	head?: string;
	/** The main content with absolute addresses. */
	markdown: string;
	/** Header and menus, and what stands below: no main content. */
	before: string;
	after: string;
}

export interface RenderedPage {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Buffer;
	/** What an HTML page says. */
	content?: Content;
}

const image = /!\[([^\]\n]{0,500})\]\((\/media\/[a-z0-9-]{1,150}-(\d+)x(\d+)\.png)\)/g;

/** The images that a page shows; the path says the size: `![title](/media/<name>-<width>x<height>.png)`. */
export const imagesOf = ({ markdown, url }: SitePage) =>
	[...markdown.matchAll(image)].map(([, title, path, width, height]) => ({
		...{ url: new URL(path, url).href, title, pageUrl: url },
		...{ width: Number(width), height: Number(height) },
	}));

/** A page of a host as a web server answers it. */
export function renderPage(host: Host, page: SitePage): RenderedPage {
	const { title, published, author, kind, markdown, description, language, url } = page;
	if (kind === 'pdf') {
		const body = renderPdf(title, markdown);
		return { status: 200, headers: { 'content-type': 'application/pdf' }, body };
	}
	if (page.bare)
		return htmlPage(200, { metadata: { title, language }, markdown, before: '', after: '' });
	const date = kind === 'news' || author ? published.slice(0, 10) : '';
	const byline = [author && `By ${author}`, date].filter(Boolean).join(' · ');
	const metas: Record<string, string | undefined> = {
		...{ description, author, 'article:modified_time': published },
		...{ 'og:type': kind === 'news' ? 'article' : 'website', 'og:title': title },
		...{ 'og:description': description, 'og:url': url, 'og:site_name': host.site },
		...{ 'og:image': imagesOf(page).at(0)?.url },
	};
	const main = [`# ${title}`, byline, markdown].filter(Boolean).join('\n\n');
	const shown = framed(host, title, main, language, metas);
	return htmlPage(200, { ...shown, head: headOf(metas, page) });
}

/** Meta tags, and what a page says about itself as JSON-LD. */
function headOf(metas: Record<string, string | undefined>, { jsonLd }: SitePage): string {
	const tags = Object.entries(metas).flatMap(([name, content]) => {
		const attribute = name.includes(':') ? 'property' : 'name';
		return content ? [`<meta ${attribute}="${name}" content="${escapeHtml(content)}">`] : [];
	});
	const script = jsonLd && `<script type="application/ld+json">${JSON.stringify(jsonLd)}</script>`;
	return [...tags, ...(script ? [script] : [])].join('\n');
}

export const redirectTo = (location: string): RenderedPage => ({
	status: 301,
	headers: { 'content-type': 'text/plain; charset=utf-8', location },
	body: Buffer.from(`Moved to ${location}\n`),
});

export function errorPage(host: Host, status: number): RenderedPage {
	const reason = STATUS_CODES[status] ?? 'Error';
	const main = `# ${reason}\n\nThe server answered ${status}. [Back to the start page](/)`;
	return htmlPage(status, framed(host, `${status} ${reason}`, main));
}

/** A page's HTML, which is derived when it is asked for. */
export function htmlPage(status: number, content: Content): RenderedPage {
	return {
		status,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		get body() {
			return Buffer.from(rawHtml(content));
		},
		content,
	};
}

/** The whole HTML of a page. */
function rawHtml({ metadata, head = '', markdown, before, after }: Content): string {
	return `<!doctype html>
<html lang="${String(metadata.language)}">
<head>
<title>${escapeHtml(String(metadata.title))}</title>
${head}
</head>
<body>
<header>${toHtml(before)}</header>
<main>
${toHtml(markdown)}
</main>
<footer>${toHtml(after)}</footer>
</body>
</html>
`;
}

/** The addresses of all links of a page, also from its header, menus and footer. */
export const allLinks = ({ before, markdown, after }: Content): string[] =>
	linksIn(`${before}\n\n${markdown}\n\n${after}`);

/** Addresses as a reader from outside needs them. */
const absolute = (markdown: string, { name }: { name: string }): string =>
	markdown.replace(/\]\((?=\/)/g, `](https://${name}`);

function framed(
	host: Host,
	title: string,
	main: string,
	language = host.language ?? 'en',
	metas: Record<string, string | undefined> = {},
): Content {
	const { name, site, claim, nav, footer } = host;
	const menu = Object.entries(nav).map(([label, path]) => `- [${label}](${path})`);
	const given = Object.entries(metas).filter(([, value]) => value);
	return {
		metadata: {
			...{ title: `${title} | ${site}`, language, favicon: `https://${name}/favicon.png` },
			...Object.fromEntries(
				given.flatMap(([meta, value]) => metaNames(meta).map((each) => [each, value])),
			),
		},
		markdown: absolute(main, host),
		before: absolute(`[${site}](/)\n\n${claim}\n\n${menu.join('\n')}`, host),
		after: absolute(`${footer}\n\n[Home](/) [Sitemap](/sitemap.xml)`, host),
	};
}
