import { bulkAnswer, bulkHost, type Bulk } from './bulk.cjs';
import { loadHosts, type Host } from './hosts.cjs';
import { imagesIn } from './markdown.cjs';
import { loadPages, type SourcePage } from './pageFiles.cjs';
import { respond } from './respond.cjs';

export { UnknownHostError } from './respond.cjs';
export type { Bulk } from './bulk.cjs';

/**
 * A small web of own pages on `.example` hosts, for the stand-in service to search, scrape and
 * crawl. Pages are Markdown files with front matter in `pages/<host>/<path>.md` (`pageFiles.cts`);
 * each host's frame is `pages/<host>/_host.md` (`hosts.cts`). Nothing here listens on a port:
 * `render` answers what a web server would have answered.
 *
 * Besides pages a host answers `/robots.txt`, `/sitemap.xml`, `/favicon.png`, the images and
 * videos that its pages show, the redirects and error statuses declared in `_host.md`, and 404 for
 * the rest. `bulk.example` (`bulk.cts`) is a host of as many generated pages as one asks for.
 *
 * **Parts that appear only after an action or a wait.** HTML pages carry no script; data attributes
 * say what a browser would do. A hidden part is a `<template id>`; showing it means to put its
 * content in the template's place. Values are CSS id selectors unless said otherwise.
 *
 * - `<button data-reveals="#id">`: a click shows the template and removes the button.
 * - `<button data-removes="#id">`: a click removes the element (the cookie banner's button).
 * - `<template data-after-ms="1500">`: shown once the page has been open for so many milliseconds.
 * - `<template data-on-scroll="down">`: shown when the page is scrolled in that direction.
 * - `<input data-filters="#id">`: writing keeps those `<li>` of the list whose text holds the
 *   value, in any case.
 * - `<input data-on-enter="#id" data-expects="text">`: pressing Enter in the focused field shows
 *   the template if the field's trimmed value is the expected text, in any case.
 *
 * The mock server's browser clicks, waits and scrolls; keys do nothing there.
 *
 * A template may hold another part (a second "load more"), so the order of actions matters.
 */
export interface Site {
	/** Every page, by host and path. Hidden parts are not in a page's `markdown`. */
	readonly pages: readonly SitePage[];
	/** The generated pages of `bulk.example`, which are not among `pages`; may be changed in place. */
	readonly bulk: Bulk;
	/** The page at an address; scheme, query, fragment and trailing slash make no difference. */
	find(url: string): SitePage | undefined;
	/** What a web server answers to GET `url`. Throws UnknownHostError for a foreign host. */
	render(url: string): Promise<RenderedPage>;
	/** Changes a page in `pages`, `find` and `render`. Throws when there is no such page. */
	update(
		url: string,
		change: Partial<
			Pick<
				SitePage,
				| 'title'
				| 'description'
				| 'markdown'
				| 'markup'
				| 'published'
				| 'status'
				| 'redirect'
				| 'delayMs'
			>
		>,
	): void;
	/** Adds a page to a host. Throws when the host does not exist, or has the page already. */
	add(page: NewPage): void;
	/** Takes a page away; its address answers 404 then. Throws when there is no such page. */
	remove(url: string): void;
	/** Undoes every `update`, `add` and `remove`. */
	restore(): void;
}

/** A page as it is added; language and country are its host's. */
export type NewPage = Pick<SitePage, 'url' | 'title' | 'markdown' | 'published'> & {
	description?: string;
	kind?: 'page' | 'news';
};

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
	country?: string;
	category?: 'research' | 'developer';
	/** Removed by safe search. */
	explicit?: boolean;
	/** How long the page takes to answer, in milliseconds; `render` itself does not wait. */
	delayMs?: number | undefined;
	/** The error status that the page answers with for now, in the place of itself. */
	status?: number | undefined;
	/** The URL that the page redirects to for now, in the place of itself. */
	redirect?: string | undefined;
	/** How long it takes to read the document once it is there, in milliseconds. */
	processingMs?: number;
	/** The main content's source text: what a perfect scrape contains. Links are as in the file. */
	markdown: string;
	/** HTML behind it that Markdown has no notation for, as pages have it in themselves. */
	markup: string;
	images: SiteImage[];
}

export interface SiteImage {
	url: string;
	title: string;
	width: number;
	height: number;
	pageUrl: string;
}

export interface RenderedPage {
	status: number;
	/** Names in lower case. */
	headers: Record<string, string>;
	body: Buffer;
}

/**
 * Loads the site. Ages in the files count back from `now`, so that every time filter finds pages.
 * `moreFolders` have hosts beside those of `pages/`.
 * Throws with the file's name when a file is not as it should be.
 */
export function loadSite(
	now: Date = new Date(),
	bulk: Readonly<Bulk> = { pages: 0, bytes: 200_000 },
	moreFolders: readonly string[] = [],
): Site {
	const hosts = loadHosts(moreFolders);
	const sources = loadPages(hosts, now);
	const byKey = new Map(sources.map((source) => [pageKey(source.page.url), source]));
	const rendered = new Map<string, Promise<RenderedPage>>();

	const initial = sources.map((source) => ({ source, page: { ...source.page } }));
	let restored = true;
	const changed = (): void => {
		restored = false;
		rendered.clear();
	};

	const generated = { ...bulk };

	return {
		get pages() {
			return sources.map((source) => source.page);
		},
		bulk: generated,
		find: (url) => byKey.get(pageKey(url))?.page,
		async render(url) {
			const { hostname, pathname } = new URL(url);
			if (hostname === bulkHost && generated.pages > 0) return bulkAnswer(pathname, generated);
			const key = pageKey(url);
			const answer = rendered.get(key) ?? respond(new URL(url), hosts, sources, byKey.get(key));
			rendered.set(key, answer);
			return await answer;
		},
		update(url, change) {
			const page = byKey.get(pageKey(url))?.page;
			if (!page) throw new Error(`No such page: ${url}`);
			Object.assign(page, change);
			page.images = imagesIn(page.markdown, page.url);
			changed();
		},
		add(page) {
			const added = newSource(page, hosts);
			const key = pageKey(page.url);
			if (byKey.has(key)) throw new Error(`There is such a page: ${page.url}`);
			sources.push(added);
			byKey.set(key, added);
			changed();
		},
		remove(url) {
			const source = byKey.get(pageKey(url));
			if (!source) throw new Error(`No such page: ${url}`);
			sources.splice(sources.indexOf(source), 1);
			byKey.delete(pageKey(url));
			changed();
		},
		restore() {
			if (restored) return;
			const sound = { status: undefined, redirect: undefined, delayMs: undefined };
			for (const { source, page } of initial) Object.assign(source.page, sound, page);
			sources.splice(0, sources.length, ...initial.map(({ source }) => source));
			byKey.clear();
			for (const source of sources) byKey.set(pageKey(source.page.url), source);
			rendered.clear();
			restored = true;
		},
	};
}

function newSource(
	{ url, description = '', kind = 'page', ...page }: NewPage,
	hosts: ReadonlyMap<string, Host>,
): SourcePage {
	const { hostname, pathname } = new URL(url);
	const host = hosts.get(hostname);
	if (!host) throw new Error(`No such host: ${hostname}`);
	return {
		page: {
			...page,
			url: `https://${hostname}${pathname}`,
			host: hostname,
			path: pathname,
			kind,
			description,
			language: host.language,
			country: host.country,
			markup: '',
			images: imagesIn(page.markdown, url),
		},
		extras: { listed: true, parts: [] },
	};
}

function pageKey(url: string): string {
	const { hostname, pathname } = new URL(url);
	return hostname + (pathname.replace(/\/+$/, '') || '/');
}
