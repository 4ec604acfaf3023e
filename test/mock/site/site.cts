import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { projectRoot } from '../../root.cjs';
import { ApiError } from '../errors.cjs';
import { errorPage, redirectTo, type RenderedPage, renderPage } from './render.cjs';

const pagesFolder = join(projectRoot, 'test/mock/site/pages');

export interface SitePage {
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
	/** `false`: left out of the sitemap, reachable by links alone. */
	listed?: boolean;
	/** Whether it is shown without its host's header and footer, and without a heading: a wall. */
	bare?: boolean;
	/** The cookie without which its server shows the login instead. */
	cookie?: string;
	/** What it says about itself as JSON-LD. */
	jsonLd?: object;
	/** How long the page takes to answer, in milliseconds; `render` itself does not wait. */
	delayMs?: number | undefined;
	/** The error status that the page answers with for now, in the place of itself. */
	status?: number | undefined;
	/** The URL that the page redirects to for now, in the place of itself. */
	redirect?: string | undefined;
	/** The main content's source text. Links are as in the file. */
	markdown: string;
}

const sentence = 'Tide after tide the gauge writes down the height of the water. ';

/** A page as it is added; its language is its host's. */
export type NewPage = Pick<SitePage, 'url' | 'title' | 'markdown' | 'published'> &
	Partial<Pick<SitePage, 'description' | 'kind'>>;

/** A host, from its `_host.md`: name and claim in the header, menu, footer. */
export interface Host {
	name: string;
	site: string;
	claim: string;
	language?: string;
	nav: Record<string, string>;
	footer: string;
	/** Folders that robots.txt forbids; those are not in the sitemap. */
	disallow?: string[];
}

/** An address of a host that is not part of the site: a name that does not resolve is 200 with `success: false`. */
export const unknownHost = (host: string): ApiError =>
	new ApiError(200, {
		code: 'SCRAPE_DNS_RESOLUTION_ERROR',
		error: `DNS resolution failed for hostname: ${host}`,
	});

/** A file of Markdown behind a comment of JSON. */
function readFile<T>(file: string): { front: T; text: string } {
	const [, json, text] =
		/^<!--\n([\s\S]*?)\n-->\n([\s\S]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
	return { front: JSON.parse(json), text: text.trim() };
}

const hour = 3_600_000;
const unitMs: Record<string, number> = {
	...{ min: hour / 60, h: hour, d: 24 * hour },
	...{ w: 7 * 24 * hour, mo: 30 * 24 * hour, y: 365 * 24 * hour },
};

/** What a page's file says of it. `age`: time since the last change, e.g. `20min`, `3h`, `2d`, `5w`, `14mo`, `2y`. */
type Front = Omit<SitePage, 'url' | 'host' | 'path' | 'published' | 'markdown'> & { age: string };

function loadPage(folder: string, file: string, host: Host, now: Date): SitePage {
	const { front, text } = readFile<Front>(file);
	const { age, ...facts } = front;
	const name = relative(folder, file).split(sep).join('/');
	const path = `/${name.replace(/\.md$/, '').replace(/(^|\/)index$/, '')}`;
	const [, count = '', unit = ''] = /^(\d+)(\D+)$/.exec(age) ?? [];
	return {
		...defaultsOf(host),
		...facts,
		...{ url: `https://${host.name}${path}`, path, markdown: text },
		published: new Date(now.getTime() - Number(count) * unitMs[unit]).toISOString(),
	};
}

const defaultsOf = ({ name, language = 'en' }: Host) =>
	({ host: name, language, kind: 'page', description: '' }) as const;

function pageKey(url: string): string {
	const { hostname, pathname } = new URL(url);
	return hostname + (pathname.replace(/\/+$/, '') || '/');
}

/** A small web on `.example` hosts and at the URLs of the examples, from `pages/<host>/<path>.md`: nothing listens, and ages in the files count back from `now`. */
export class Site {
	/** Every page, by host and path. */
	pages: SitePage[] = [];
	private readonly hosts = new Map<string, Host>();
	private readonly initial: SitePage[] = [];
	private byKey = new Map<string, SitePage>();

	constructor(now: Date) {
		for (const name of readdirSync(pagesFolder).sort()) {
			this.load(join(pagesFolder, name), name, now);
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

	/** Changes a page, whose title stays the heading above its markdown. Throws when there is no such page. */
	update(url: string, change: Partial<SitePage>): void {
		Object.assign(this.need(url), change);
	}

	/** Adds a page to a host. Throws when the host does not exist, or has the page already. */
	add(page: NewPage): void {
		const { hostname, pathname: path } = new URL(page.url);
		const host = this.hosts.get(hostname);
		if (!host) throw new Error(`No such host: ${hostname}`);
		if (this.find(page.url)) throw new Error(`There is such a page: ${page.url}`);
		const added = { ...defaultsOf(host), ...page, path, url: `https://${hostname}${path}` };
		this.pages.push(added);
		this.byKey.set(pageKey(page.url), added);
	}

	/** Adds pages of so many characters to `bulk.example`, and a start page with links to them. */
	addMany(count: number, length: number): void {
		const published = new Date().toISOString();
		const start = 'https://bulk.example/';
		const names = Array.from({ length: count }, (_, index) => `pages/${index + 1}`);
		const links = names.map((name) => `- [${name}](/${name})`).join('\n');
		const markdown = sentence.repeat(Math.ceil(length / sentence.length));
		this.add({ url: start, title: 'Bulk', markdown: links, published });
		for (const title of names) this.add({ url: start + title, title, markdown, published });
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

	/** What a web server answers to GET `url`. Throws for a foreign host. */
	async render(url: string): Promise<RenderedPage> {
		const { hostname } = new URL(url);
		const host = this.hosts.get(hostname);
		if (!host) throw unknownHost(hostname);
		const page = this.find(url);
		if (page?.redirect !== undefined) return redirectTo(page.redirect);
		if (page?.status !== undefined) return errorPage(host, page.status);
		if (page) return renderPage(host, page);
		return errorPage(host, 404);
	}

	/** Folders of an address's host that no crawler may visit, as its robots.txt says. */
	disallowed(url: string): readonly string[] {
		return this.hosts.get(new URL(url).hostname)?.disallow ?? [];
	}

	/** The pages that the sitemap of an address's host lists. */
	sitemap(url: string): string[] {
		const { hostname } = new URL(url);
		const disallowed = this.disallowed(url);
		return this.pages
			.filter((page) => page.host === hostname && page.listed !== false)
			.filter(({ path }) => !disallowed.some((folder) => path.startsWith(folder)))
			.map((page) => page.url);
	}

	private need(url: string): SitePage {
		const page = this.find(url);
		if (!page) throw new Error(`No such page: ${url}`);
		return page;
	}
}
