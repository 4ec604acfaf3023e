import { type Content, htmlPage, type RenderedPage } from '../site/render.cjs';
import { type Site, type SitePage, unknownHost } from '../site/site.cjs';
import { readData } from '../data.cjs';

const hosts = new Set(['site.example', 'other.example']);

/** What lies at each path, or below its first step. In a page's texts, `$` is the next step, `$1` the number after it. */
const site = readData<{
	disallow: string[];
	sitemap: string[];
	pages: Partial<Record<string, TestPage>> & { missing: TestPage };
	files: Partial<
		Record<string, { status?: number; location?: string; type?: string; text?: string; pdf?: true }>
	>;
}>('recorded/testSite.json');

interface TestPage {
	metadata: Record<string, unknown>;
	main: string;
	before?: string;
	status?: number;
	type?: string;
}

/** Puts the site of the recorded exchanges, whose PDF is the document at `pdfUrl`, in the place of the small web. */
export function installTestSite(smallWeb: Site, pdfUrl: string): void {
	const pdf = smallWeb.render(pdfUrl);
	const results = Array.from({ length: 60 }, (_, index) => searchResult(index + 1));
	smallWeb.pages = results;
	smallWeb.find = (url) => {
		const { pathname, searchParams } = new URL(url);
		if (!pathname.endsWith('/slow')) return undefined;
		return { ...searchResult(0), delayMs: Number(searchParams.get('ms') ?? 0) };
	};
	smallWeb.disallowed = () => site.disallow;
	smallWeb.sitemap = () => site.sitemap;
	smallWeb.restore = () => undefined;
	smallWeb.render = async (url) => {
		const { hostname, pathname, origin } = new URL(url);
		if (!hosts.has(hostname) || pathname === '/reset') throw unknownHost(hostname);
		const path = pathname.slice(1);
		const [kind, name = ''] = path.split('/');
		const file = site.files[path] ?? site.files[kind];
		if (path === 'doc.pdf' || file?.pdf) return await pdf;
		if (file) {
			const { status = 200, location, type = 'text/plain', text = '' } = file;
			const headers = { 'content-type': type, ...(location && { location }) };
			const rendered = { status, headers, body: Buffer.from(text) };
			return type === 'text/html' ? { ...rendered, content: empty } : rendered;
		}
		return pageOf(site.pages[path] ?? site.pages[kind] ?? site.pages.missing, name, origin);
	};
}

function searchResult(number: number): SitePage {
	const path = `/page/${number}`;
	return {
		...{ url: `http://site.example${path}`, host: 'site.example', path },
		...{ kind: 'page', language: 'en' },
		title: `Result ${number} for tidal`,
		description: `Snippet ${number}`,
		published: new Date(0).toISOString(),
		markdown: `Tidal energy, text ${number}.`,
	};
}

const empty: Content = { metadata: {}, markdown: '', before: '', after: '' };

function pageOf(template: TestPage, name: string, origin: string): RenderedPage {
	const page: TestPage = JSON.parse(
		JSON.stringify(template)
			.replace(/\$(\d*)/g, (_, more) => (more === '' ? name : String(Number(name) + Number(more))))
			.replace(/\]\((?=\/)/g, `](${origin}`),
	);
	const { metadata, main, before = '', status = 200, type } = page;
	const markdown = `# ${String(metadata.title)}\n\n${main}`;
	const rendered = htmlPage(status, { ...empty, metadata, markdown, before });
	if (type !== undefined) rendered.headers['content-type'] = type;
	return rendered;
}
