import { UnknownHostError, type RenderedPage, type Site, type SitePage } from '../../site/site.cjs';

/** The host of the recorded exchanges' pages. */
const host = 'site.example';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Puts the site of the recorded exchanges in the place of the mock server's small web: the same
 * addresses, redirects, heads of pages, robots.txt and sitemap, 60 search results, and pages that take
 * as long as `?ms=` says. `doc.pdf` is the document at `pdfUrl` of the small web.
 */
export function installTestSite(site: Site, pdfUrl: string): void {
	const smallWeb = site.render.bind(site);
	const results = numbers(60).map(searchResult);
	let visits = 0;
	Object.defineProperty(site, 'pages', { get: () => results });
	site.find = (url) => {
		const { pathname, searchParams } = new URL(url);
		if (pathname !== '/slow') return undefined;
		return { ...searchResult(0), delayMs: Number(searchParams.get('ms') ?? 0) };
	};
	site.render = async (url) => {
		const { hostname, pathname, search } = new URL(url);
		if (hostname !== host) throw new UnknownHostError(hostname);
		if (pathname === '/doc.pdf') return await smallWeb(pdfUrl);
		if (pathname === '/changing') visits++;
		return answer(pathname, search, visits);
	};
}

/** The pages that a search finds. */
function searchResult(number: number): SitePage {
	const path = `/page/${number}`;
	return {
		url: `http://${host}${path}`,
		host,
		path,
		kind: 'page',
		title: `Result ${number} for tidal`,
		description: `Snippet ${number}`,
		published: new Date(0).toISOString(),
		language: 'en',
		markdown: `Tidal energy, text ${number}.`,
		markup: '',
		images: [],
	};
}

function answer(path: string, search: string, visits: number): RenderedPage {
	const [, kind, name = ''] = path.split('/');
	switch (kind) {
		case '':
			return html('Home', homeLinks, '<meta property="og:image" content="/img/og.png">');
		case 'page':
			return html(`Page ${name}`, pageText(name), '', '<nav><a href="/">Home</a></nav>');
		case 'docs':
			return html(`Docs ${name}`, `<p>doc ${name}</p>`);
		case 'big':
			return html(`Big ${name}`, links(numbers(10).map((each) => `/big/${Number(name) + each}`)));
		case 'private':
			return html('Secret', '<p>robots forbids me</p>');
		case 'slow':
			return html('Slow', `<p>slow ${search}</p>`);
		case 'changing':
			return html('Changing', `<p>visit ${visits}</p>`);
		case 'unicode':
			return html('日本語 Ünïcode 🎉', '<p>Größe: 5 µm — «кириллица», 漢字 🚀</p>');
		case 'error500':
			return { ...html('Broken', '<p>Server error.</p>'), status: 500 };
		case 'redirect':
			return { ...text('text/plain', ''), status: 302, headers: { location: '/page/2' } };
		case 'loop':
			return { ...text('text/plain', ''), status: 302, headers: { location: '/loop' } };
		case 'empty':
			return text('text/html', '');
		case 'reset':
			throw new UnknownHostError(host);
		case 'plain.txt':
			return text('text/plain', 'plain text');
		case 'data.json':
			return text('application/json', '{"a":1}');
		case 'robots.txt':
			return text('text/plain', 'User-agent: *\nDisallow: /private/\n');
		case 'sitemap.xml':
			return text('application/xml', sitemap);
		default:
			return { ...html('Not Found', '<p>There is nothing here.</p>'), status: 404 };
	}
}

const links = (paths: readonly string[]): string =>
	`<ul>${paths.map((path) => `<li><a href="${path}">${path}</a></li>`).join('')}</ul>`;

const homeLinks = links([
	...numbers(28).map((number) => `/page/${number}`),
	'/docs/a',
	'/redirect',
	'/slow?ms=1500',
]);

const pageText = (name: string): string =>
	`<h2>More</h2><p>Text of page ${name}.</p><img src="/img/${name}.png" alt="">` +
	links([`/page/${Number(name) + 1}`, `/docs/${name}`]);

const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[
	...numbers(12).map((number) => `/page/${number}`),
	'/docs/a',
]
	.map((path) => `<url><loc>http://${host}${path}</loc></url>`)
	.join('')}</urlset>`;

function html(title: string, main: string, head = '', before = ''): RenderedPage {
	return text(
		'text/html; charset=utf-8',
		`<!doctype html><html lang="en"><head><title>${title}</title>` +
			`<meta name="description" content="About ${title}">` +
			`<meta property="og:title" content="OG ${title}"><meta name="keywords" content="a,b">${head}` +
			`</head><body>${before}<main><h1>${title}</h1>${main}</main></body></html>`,
	);
}

function text(contentType: string, body: string): RenderedPage {
	return { status: 200, headers: { 'content-type': contentType }, body: Buffer.from(body) };
}
