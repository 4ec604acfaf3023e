import { UnknownHostError, type RenderedPage, type Site, type SitePage } from '../../site/site.cjs';
import { readData } from '../data.cjs';

const host = 'site.example';

/** What lies below each first step of a path. In a page's texts, `$` is the next step, `$1` the number after it. */
const site = readData<{
	pages: Partial<Record<string, TestPage>>;
	files: Partial<
		Record<string, { status?: number; location?: string; type?: string; text?: string }>
	>;
}>('recorded/testSite.json');

interface TestPage {
	title: string;
	main: string;
	head?: string;
	before?: string;
	status?: number;
}

/**
 * Puts the site of the recorded exchanges in the place of the small web, with 60 search results and pages
 * that take as long as `?ms=` says. `doc.pdf` is the document at `pdfUrl` of the small web.
 */
export function installTestSite(smallWeb: Site, pdfUrl: string): void {
	const render = smallWeb.render.bind(smallWeb);
	const results = Array.from({ length: 60 }, (_, index) => searchResult(index + 1));
	let visits = 0;
	Object.defineProperty(smallWeb, 'pages', { get: () => results });
	smallWeb.find = (url) => {
		const { pathname, searchParams } = new URL(url);
		if (pathname !== '/slow') return undefined;
		return { ...searchResult(0), delayMs: Number(searchParams.get('ms') ?? 0) };
	};
	smallWeb.render = async (url) => {
		const { hostname, pathname } = new URL(url);
		if (hostname !== host || pathname === '/reset') throw new UnknownHostError(hostname);
		if (pathname === '/doc.pdf') return await render(pdfUrl);
		if (pathname === '/changing') visits++;
		const [, kind, name = ''] = pathname.split('/');
		return answer(kind, name, visits);
	};
}

function searchResult(number: number): SitePage {
	const path = `/page/${number}`;
	return {
		...{ url: `http://${host}${path}`, host, path, kind: 'page', language: 'en' },
		title: `Result ${number} for tidal`,
		description: `Snippet ${number}`,
		published: new Date(0).toISOString(),
		markdown: `Tidal energy, text ${number}.`,
		markup: '',
		images: [],
	};
}

const missing: TestPage = {
	title: 'Not Found',
	main: '<p>There is nothing here.</p>',
	status: 404,
};

function answer(kind: string, name: string, visits: number): RenderedPage {
	const file = site.files[kind];
	if (file) {
		const { status = 200, location, type = 'text/plain', text = '' } = file;
		const headers = { 'content-type': type, ...(location && { location }) };
		return { status, headers, body: Buffer.from(text) };
	}
	const { title, main, head = '', before = '', status = 200 } = site.pages[kind] ?? missing;
	const html =
		`<!doctype html><html lang="en"><head><title>${title}</title>` +
		`<meta name="description" content="About ${title}">` +
		`<meta property="og:title" content="OG ${title}"><meta name="keywords" content="a,b">${head}` +
		`</head><body>${before}<main><h1>${title}</h1>${main}</main></body></html>`;
	const named = html
		.replaceAll('$visit', String(visits))
		.replace(/\$(\d*)/g, (_, more) => (more === '' ? name : String(Number(name) + Number(more))));
	return {
		status,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		body: Buffer.from(named),
	};
}
