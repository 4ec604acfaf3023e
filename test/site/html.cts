import { STATUS_CODES } from 'node:http';

import { escapeHtml } from './escapeHtml.cjs';
import type { Host } from './hosts.cjs';
import { markdownToHtml } from './markdown.cjs';
import type { SourcePage } from './pageFiles.cjs';
import { partHtml } from './parts.cjs';
import { structuredData } from './structuredData.cjs';

/** A page in its host's frame. Only `<main>` is content: the rest is what a scrape should drop. */
export function renderHtml(host: Host, source: SourcePage, ofHost: readonly SourcePage[]): string {
	const { page, extras } = source;
	const [image] = page.images;
	const head = `<meta name="description" content="${escapeHtml(page.description)}">
<link rel="canonical" href="${page.url}">
<meta property="og:type" content="${page.kind === 'news' ? 'article' : 'website'}">
<meta property="og:title" content="${escapeHtml(page.title)}">
<meta property="og:description" content="${escapeHtml(page.description)}">
<meta property="og:url" content="${page.url}">
<meta property="og:site_name" content="${escapeHtml(host.site)}">
${image ? `<meta property="og:image" content="${image.url}">` : ''}
<meta property="article:modified_time" content="${page.published}">
${extras.author ? `<meta name="author" content="${escapeHtml(extras.author)}">` : ''}
${page.explicit ? '<meta name="rating" content="adult">' : ''}
${structuredData(host, source).map(jsonLd).join('\n')}`;
	const main = `<article>
<h1>${escapeHtml(page.title)}</h1>
${byline(source)}
${markdownToHtml(page.markdown)}
${page.markup}
${video(source)}
${extras.parts.map(partHtml).join('\n')}
</article>`;
	return framed(host, page.language, page.title, head, main, moreLinks(source, ofHost));
}

/** The host's page for an error status. */
export function renderErrorPage(host: Host, status: number): string {
	const reason = STATUS_CODES[status] ?? 'Error';
	const main = `<h1>${reason}</h1>
<p>The server answered ${status}. <a href="/">Back to the start page</a></p>`;
	return framed(host, host.language, `${status} ${reason}`, '', main, '');
}

function framed(
	host: Host,
	language: string,
	title: string,
	head: string,
	main: string,
	more: string,
): string {
	const nav = Object.entries(host.nav).map(([label, path]) => {
		return `<li><a href="${path}">${escapeHtml(label)}</a></li>`;
	});
	return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | ${escapeHtml(host.site)}</title>
<link rel="icon" type="image/png" href="/favicon.png">
<meta name="theme-color" content="${host.accent}">
<style>
:root { --accent: ${host.accent}; }
body { font-family: Georgia, serif; margin: 0 auto; max-width: 70rem; }
header { background: var(--accent); color: #fff; }
</style>
${head}
</head>
<body>
<div id="cookie-banner" class="cookie-banner" role="dialog">
<p>We use cookies to remember your choices. Do you accept all cookies?</p>
<button type="button" id="accept-cookies" data-removes="#cookie-banner">Accept all</button>
</div>
<header>
<a class="logo" href="/"><strong>${escapeHtml(host.site)}</strong></a>
<p class="claim">${escapeHtml(host.claim)}</p>
<nav aria-label="Main"><ul>
${nav.join('\n')}
</ul></nav>
</header>
<main id="content">
${main}
</main>
<aside class="ad" aria-label="Advertisement"><p>${escapeHtml(host.ad)}</p></aside>
${more}
<footer>
<p>${escapeHtml(host.footer)}</p>
<nav aria-label="Footer"><a href="/">Home</a> <a href="/sitemap.xml">Sitemap</a></nav>
</footer>
</body>
</html>
`;
}

function byline({ page, extras }: SourcePage): string {
	if (page.kind !== 'news' && !extras.author) return '';
	const author = extras.author ? `By ${escapeHtml(extras.author)} · ` : '';
	const time = `<time datetime="${page.published}">${page.published.slice(0, 10)}</time>`;
	return `<p class="byline">${author}${time}</p>`;
}

function video({ extras }: SourcePage): string {
	if (!extras.video) return '';
	const { name, title } = extras.video;
	return `<figure>
<video controls src="/media/${name}.mp4"></video>
<figcaption>${escapeHtml(title)}</figcaption>
</figure>`;
}

/** The newest listed pages of the host, beside the article. */
function moreLinks({ page }: SourcePage, ofHost: readonly SourcePage[]): string {
	const links = ofHost
		.filter((other) => other.extras.listed && other.page !== page && other.page.path !== '/')
		.sort((a, b) => b.page.published.localeCompare(a.page.published))
		.slice(0, 3)
		.map((other) => `<li><a href="${other.page.path}">${escapeHtml(other.page.title)}</a></li>`);
	return `<aside class="more"><h2>More</h2><ul>\n${links.join('\n')}\n</ul></aside>`;
}

/** `<` is escaped so that no text can end the script element. */
function jsonLd(data: object): string {
	const json = JSON.stringify(data).replaceAll('<', '\\u003c');
	return `<script type="application/ld+json">${json}</script>`;
}
