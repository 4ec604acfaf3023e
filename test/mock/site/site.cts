import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { STATUS_CODES } from 'node:http';

import { projectRoot } from '../../root.cjs';
import { renderPdf } from './files.cjs';
import { escapeHtml, linksIn, metaNames, toHtml } from './html.cjs';

const pagesFolder = join(projectRoot, 'test/mock/site/pages');

/** Pages at the URLs that the example workflows name, of hosts that exist: a folder of its own, for who runs the examples. */
export const examplePagesFolder = join(projectRoot, 'test/mock/site/examplePages');

/** A host of pages that are made when they are asked for: `/pages/1.md` to `/pages/<pages>.md`. */
export const bulkHost = 'bulk.example';

export interface Bulk {
	/** How many there are besides the start page; with 0 the host does not exist. */
	pages: number;
	/** Size of each, in bytes. */
	bytes: number;
}

/** A part of a page that appears only after a wait or a scroll. */
interface Part {
	on: 'wait' | 'scroll';
	text: string;
}

export interface SiteImage {
	url: string;
	title: string;
	width: number;
	height: number;
	pageUrl: string;
}

/** What a page sells, or a café has on its menu, as the service answers it; and the name of its video. */
interface Offers {
	product?: object;
	menu?: object;
	video?: { name: string };
}

export interface SitePage extends Offers {
	/** Canonical absolute URL, e.g. `https://tidewatch.example/guides/spring-tides`. */
	url: string;
	host: string;
	path: string;
	kind: 'page' | 'news' | 'pdf';
	title: string;
	description: string;
	/** ISO date-time of the last change of the page. */
	published: string;
	/** BCP 47 language tag. */
	language: string;
	category?: 'research' | 'developer';
	author?: string;
	/** `false`: left out of the sitemap and of the lists of further pages, reachable by links alone. */
	listed?: boolean;
	/** How long the page takes to answer, in milliseconds; `render` itself does not wait. */
	delayMs?: number | undefined;
	/** How long it takes to read the document once it is there, in milliseconds. */
	processingMs?: number;
	/** The error status that the page answers with for now, in the place of itself. */
	status?: number | undefined;
	/** The URL that the page redirects to for now, in the place of itself. */
	redirect?: string | undefined;
	/** The main content's source text. Links are as in the file. */
	markdown: string;
	/** HTML behind it that Markdown has no notation for, as pages have it in themselves. */
	markup: string;
	parts?: Part[];
	images: SiteImage[];
}

/** A page as it is added; its language is its host's. */
export type NewPage = Pick<SitePage, 'url' | 'title' | 'markdown' | 'published'> &
	Partial<Pick<SitePage, 'description' | 'kind'>>;

/** What a page says, before any action: Markdown from which HTML is derived. */
export interface Content {
	metadata: Record<string, unknown>;
	/** The main content with absolute addresses. */
	markdown: string;
	/** Header and menus, and what stands below: no main content. */
	before: string;
	after: string;
	markup: string;
	parts: readonly Part[];
	offers: Offers;
}

export interface RenderedPage {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Buffer;
	/** What an HTML page says. */
	content?: Content;
}

/** A host, from its `_host.md`: name and claim in the header, menu, footer, and what it answers elsewhere. */
interface Host {
	name: string;
	site: string;
	claim: string;
	language?: string;
	nav: Record<string, string>;
	footer: string;
	/** Folders that robots.txt forbids; those are not in the sitemap. */
	disallow?: string[];
	redirects?: Record<string, string>;
	/** Paths that answer with an error status. */
	errors?: Record<string, number>;
}

/** The address names a host that is not part of the site (a browser's "name not resolved"). */
export class UnknownHostError extends Error {
	constructor(readonly host: string) {
		super(`Unknown host: ${host}`);
		this.name = 'UnknownHostError';
	}
}

/** A file of Markdown behind a comment of JSON. */
function readFile<T>(file: string): { front: T; text: string } {
	if (!existsSync(file)) throw new Error(`${file} is missing`);
	const [, json, text] =
		/^<!--\n([\s\S]*?)\n-->\n([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
	try {
		return { front: JSON.parse(json) as T, text: text.trim() };
	} catch (error) {
		throw new Error(`${file}: ${String(error)}`);
	}
}

const hour = 3_600_000;
const unitMs: Record<string, number> = {
	...{ min: hour / 60, h: hour, d: 24 * hour },
	...{ w: 7 * 24 * hour, mo: 30 * 24 * hour, y: 365 * 24 * hour },
};

interface Front extends Offers, Pick<SitePage, 'title' | 'description' | 'author' | 'listed'> {
	/** Time since the last change, e.g. `20min`, `3h`, `2d`, `5w`, `14mo`, `2y`. */
	age: string;
	delay?: number;
	processing?: number;
	[fact: string]: unknown;
}

function loadPage(folder: string, file: string, host: Host, now: Date): SitePage {
	const { front, text } = readFile<Front>(file);
	const { age, delay, processing, ...facts } = front;
	const name = relative(folder, file).split(sep).join('/');
	const path = `/${name.replace(/\.md$/, '').replace(/(^|\/)index$/, '')}`;
	const url = `https://${host.name}${path}`;
	const [, count = '', unit = ''] = /^(\d+)(\D+)$/.exec(age) ?? [];
	return {
		...{ language: host.language ?? 'en', kind: 'page', markup: '' },
		...facts,
		...{ url, path, host: host.name, markdown: text, images: imagesOf(text, url) },
		published: new Date(now.getTime() - Number(count) * unitMs[unit]).toISOString(),
		...(delay && { delayMs: delay }),
		...(processing && { processingMs: processing }),
	};
}

const image = /!\[([^\]\n]{0,500})\]\((\/media\/[a-z0-9-]{1,150}-(\d+)x(\d+)\.png)\)/g;

/** The images that a page shows; the path says the size: `![title](/media/<name>-<width>x<height>.png)`. */
const imagesOf = (markdown: string, pageUrl: string): SiteImage[] =>
	[...markdown.matchAll(image)].map(([, title, path, width, height]) => ({
		...{ url: new URL(path, pageUrl).href, title, pageUrl },
		...{ width: Number(width), height: Number(height) },
	}));

function pageKey(url: string): string {
	const { hostname, pathname } = new URL(url);
	return hostname + (pathname.replace(/\/+$/, '') || '/');
}

/**
 * A small web of own pages on `.example` hosts, for the mock server to search, scrape and crawl: Markdown files in
 * `pages/<host>/<path>.md`, and a host's own facts in `_host.md`. Nothing here listens on a port: `render` returns
 * what a web server would. Ages in the files count back from `now`, so that every time filter finds pages.
 */
export class Site {
	/** Every page, by host and path. Hidden parts are not in a page's `markdown`. */
	pages: readonly SitePage[] = [];
	/** The generated pages of `bulk.example`, which are not among `pages`; may be changed in place. */
	readonly bulk: Bulk;
	private readonly hosts = new Map<string, Host>();
	private readonly initial: SitePage[] = [];
	private byKey = new Map<string, SitePage>();

	constructor(
		now: Date = new Date(),
		bulk: Readonly<Bulk> = { pages: 0, bytes: 200_000 },
		moreFolders: readonly string[] = [],
	) {
		this.bulk = { ...bulk };
		for (const folder of [pagesFolder, ...moreFolders]) {
			for (const name of readdirSync(folder).sort()) this.load(join(folder, name), name, now);
		}
		this.restore();
	}

	private load(folder: string, name: string, now: Date): void {
		const host = { ...readFile<Host>(join(folder, '_host.md')).front, name };
		this.hosts.set(name, host);
		const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.md') && file !== '_host.md')
			.map((file) => loadPage(folder, join(folder, file), host, now));
		this.initial.push(...pages.sort((a, b) => a.path.localeCompare(b.path, 'en')));
	}

	/** The page at an address; scheme, query, fragment and trailing slash make no difference. */
	find(url: string): SitePage | undefined {
		return this.byKey.get(pageKey(url));
	}

	/** Changes a page. Throws when there is no such page. */
	update(url: string, change: Partial<SitePage>): void {
		const page = this.need(url);
		Object.assign(page, change);
		page.images = imagesOf(page.markdown, page.url);
	}

	/** Adds a page to a host. Throws when the host does not exist, or has the page already. */
	add({ url, ...page }: NewPage): void {
		const { hostname, pathname: path } = new URL(url);
		const host = this.hosts.get(hostname);
		if (!host) throw new Error(`No such host: ${hostname}`);
		if (this.find(url)) throw new Error(`There is such a page: ${url}`);
		const { language = 'en' } = host;
		const added: SitePage = {
			...{ kind: 'page', description: '', language, markup: '', host: hostname, path },
			...page,
			url: `https://${hostname}${path}`,
			images: imagesOf(page.markdown, url),
		};
		this.pages = [...this.pages, added];
		this.byKey.set(pageKey(url), added);
	}

	/** Takes a page away; its address answers 404 then. Throws when there is no such page. */
	remove(url: string): void {
		const page = this.need(url);
		this.pages = this.pages.filter((each) => each !== page);
		this.byKey.delete(pageKey(url));
	}

	/** Undoes every `update`, `add` and `remove`. */
	restore(): void {
		this.pages = this.initial.map((page) => ({ ...page }));
		this.byKey = new Map(this.pages.map((page) => [pageKey(page.url), page]));
	}

	/** What a web server answers to GET `url`. Throws UnknownHostError for a foreign host. */
	async render(url: string): Promise<RenderedPage> {
		const { hostname, pathname } = new URL(url);
		if (hostname === bulkHost && this.bulk.pages > 0) return bulkAnswer(pathname, this.bulk);
		const host = this.hosts.get(hostname);
		if (!host) throw new UnknownHostError(hostname);
		const page = this.find(url);
		if (page?.redirect !== undefined) return redirectTo(page.redirect);
		if (page?.status !== undefined) return errorPage(host, page.status);
		if (page?.kind === 'pdf') {
			const body = renderPdf(page.title, page.markdown);
			return { status: 200, headers: { 'content-type': 'application/pdf' }, body };
		}
		if (page) return htmlPage(200, this.contentOf(host, page));
		const path = pathname.replace(/\/+$/, '');
		const target = host.redirects?.[path];
		if (target) return redirectTo(new URL(target, url).href);
		return errorPage(host, host.errors?.[path] ?? 404);
	}

	/** Folders of an address's host that no crawler may visit, as its robots.txt says. */
	disallowed(url: string): readonly string[] {
		return this.hosts.get(new URL(url).hostname)?.disallow ?? [];
	}

	/** The pages that the sitemap of an address's host lists. */
	sitemap(url: string): string[] {
		const { hostname } = new URL(url);
		if (hostname === bulkHost)
			return bulkPaths(this.bulk).map((path) => `https://${bulkHost}${path}`);
		const hidden = ({ path }: SitePage) =>
			this.disallowed(url).some((each) => path.startsWith(each));
		return this.pages
			.filter((page) => page.host === hostname && page.listed !== false && !hidden(page))
			.map((page) => page.url);
	}

	private need(url: string): SitePage {
		const page = this.find(url);
		if (!page) throw new Error(`No such page: ${url}`);
		return page;
	}

	private pagesOf(host: Host): SitePage[] {
		return this.pages.filter((page) => page.host === host.name);
	}

	private contentOf(host: Host, page: SitePage): Content {
		const { title, published, author, kind, markdown, markup, description } = page;
		const date = kind === 'news' || author ? published.slice(0, 10) : '';
		const byline = [author && `By ${author}`, date].filter(Boolean).join(' · ');
		const texts = [`# ${title}`, byline, markdown];
		const newest = this.pagesOf(host)
			.filter((other) => other.listed !== false && other !== page && other.path !== '/')
			.sort((a, b) => b.published.localeCompare(a.published))
			.slice(0, 3)
			.map((other) => `- [${other.title}](${other.path})`);
		const metas: Record<string, string | undefined> = {
			...{ description, author, 'article:modified_time': published },
			...{ 'og:type': kind === 'news' ? 'article' : 'website', 'og:title': title },
			...{ 'og:description': description, 'og:url': page.url, 'og:site_name': host.site },
			...{ 'og:image': page.images.at(0)?.url },
		};
		const { product, menu, video, parts = [] } = page;
		const main = texts.filter(Boolean).join('\n\n');
		return {
			...framed(host, title, page.language, main, metas),
			after: absolute(`## More\n\n${newest.join('\n')}\n\n${footer(host)}`, host),
			...{ markup, parts, offers: { product, menu, video } },
		};
	}
}

const redirectTo = (location: string): RenderedPage => ({
	status: 301,
	headers: { 'content-type': 'text/plain; charset=utf-8', location },
	body: Buffer.from(`Moved to ${location}\n`),
});

function errorPage(host: Host, status: number): RenderedPage {
	const reason = STATUS_CODES[status] ?? 'Error';
	const main = `# ${reason}\n\nThe server answered ${status}. [Back to the start page](/)`;
	return htmlPage(status, framed(host, `${status} ${reason}`, host.language ?? 'en', main));
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

/** The whole HTML of a page; `main` in the place of its content after actions. */
export function rawHtml(content: Content, main = content.markdown): string {
	const { metadata, before, after, markup } = content;
	const metas = Object.entries(metadata)
		.filter(([name]) => !/^(title|language|favicon|og[A-Z])/.test(name))
		.map(([name, value]) => `<meta name="${name}" content="${escapeHtml(String(value))}">`);
	return `<!doctype html>
<html lang="${String(metadata.language)}">
<head>
<title>${escapeHtml(String(metadata.title))}</title>
${metas.join('\n')}
</head>
<body>
<header>${toHtml(before)}</header>
<main>
${[toHtml(main), markup].join('\n')}
</main>
<footer>${toHtml(after)}</footer>
</body>
</html>
`;
}

/** Addresses as a reader from outside needs them. */
const absolute = (markdown: string, { name }: { name: string }): string =>
	markdown.replace(/\]\((?=\/)/g, `](https://${name}`);

const footer = ({ footer: text }: Host): string => `${text}\n\n[Home](/) [Sitemap](/sitemap.xml)`;

function framed(
	host: Host,
	title: string,
	language: string,
	main: string,
	metas: Record<string, string | undefined> = {},
): Content {
	const nav = Object.entries(host.nav).map(([label, path]) => `- [${label}](${path})`);
	const given = Object.entries(metas).filter(([, value]) => value);
	return {
		metadata: {
			...{
				title: `${title} | ${host.site}`,
				language,
				favicon: `https://${host.name}/favicon.png`,
			},
			...Object.fromEntries(
				given.flatMap(([name, value]) => metaNames(name).map((each) => [each, value])),
			),
		},
		markdown: absolute(main, host),
		before: absolute(`[${host.site}](/)\n\n${host.claim}\n\n${nav.join('\n')}`, host),
		after: absolute(footer(host), host),
		...{ markup: '', parts: [], offers: {} },
	};
}

/** The addresses of all links of a page, also from its header, menus and footer, after actions from its new parts, too. */
export const allLinks = ({ before, after }: Content, main: string): string[] =>
	linksIn(`${before}\n\n${main}\n\n${after}`);

const sentence = 'Tide after tide the gauge writes down the height of the water. ';
/** Kept from page to page: the pages differ by their headings. */
let filler = sentence;

const bulkPaths = ({ pages }: Bulk): string[] =>
	Array.from({ length: pages }, (_, index) => `/pages/${index + 1}.md`);

/** The pages of the bulk host are Markdown files; its start page lists them all. */
function bulkAnswer(path: string, bulk: Bulk): RenderedPage {
	const { pages, bytes } = bulk;
	const host = { name: bulkHost, site: 'Bulk', claim: '', nav: {}, footer: '' };
	const [, number = '0'] = /^\/pages\/([1-9]\d*)\.md$/.exec(path) ?? [];
	if (Number(number) >= 1 && Number(number) <= pages) {
		const heading = `# Bulk page ${number}\n\n`;
		if (filler.length < bytes) filler = sentence.repeat(Math.ceil(bytes / sentence.length));
		const body = Buffer.from(heading + filler.slice(0, Math.max(0, bytes - heading.length)));
		return { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body };
	}
	if (path !== '/') return errorPage(host, 404);
	const list = bulkPaths(bulk)
		.map((each) => `- [${each}](${each})`)
		.join('\n');
	return htmlPage(200, framed(host, 'Bulk', 'en', `# Bulk\n\n${list}`));
}
