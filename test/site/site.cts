import { loadHosts } from './hosts.cjs';
import { imagesIn } from './markdown.cjs';
import { loadPages } from './pageFiles.cjs';
import { respond } from './respond.cjs';

export { UnknownHostError } from './respond.cjs';

/**
 * A small web of own pages on `.example` hosts, for the stand-in service to search, scrape and
 * crawl. Pages are Markdown files with front matter in `pages/<host>/<path>.md` (`pageFiles.cts`);
 * each host's frame is `pages/<host>/_host.md` (`hosts.cts`). Nothing here listens on a port:
 * `render` answers what a web server would have answered.
 *
 * Besides pages a host answers `/robots.txt`, `/sitemap.xml`, `/favicon.png`, the images and
 * videos that its pages show, the redirects and error statuses declared in `_host.md`, and 404 for
 * the rest.
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
 * A template may hold another part (a second "load more"), so the order of actions matters.
 */
export interface Site {
	/** Every page, by host and path. Hidden parts are not in a page's `markdown`. */
	readonly pages: readonly SitePage[];
	/** The page at an address; scheme, query, fragment and trailing slash make no difference. */
	find(url: string): SitePage | undefined;
	/** What a web server answers to GET `url`. Throws UnknownHostError for a foreign host. */
	render(url: string): Promise<RenderedPage>;
	/** Changes a page in `pages`, `find` and `render`. Throws when there is no such page. */
	update(
		url: string,
		change: Partial<Pick<SitePage, 'title' | 'description' | 'markdown' | 'published'>>,
	): void;
}

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
	delayMs?: number;
	/** The main content's source text: what a perfect scrape contains. Links are as in the file. */
	markdown: string;
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
 * Throws with the file's name when a file is not as it should be.
 */
export function loadSite(now: Date = new Date()): Site {
	const hosts = loadHosts();
	const sources = loadPages(hosts, now);
	const byKey = new Map(sources.map((source) => [pageKey(source.page.url), source]));
	const rendered = new Map<string, Promise<RenderedPage>>();

	return {
		pages: sources.map((source) => source.page),
		find: (url) => byKey.get(pageKey(url))?.page,
		async render(url) {
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
			rendered.clear();
		},
	};
}

function pageKey(url: string): string {
	const { hostname, pathname } = new URL(url);
	return hostname + (pathname.replace(/\/+$/, '') || '/');
}
