import { keyMark, type SeenSet } from '../../../runtime/memory/seenSet';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { withoutSlashes } from '../../../runtime/values/trimEnd';

/**
 * What tells a page from others: its address without what makes no other page, by which the service tells
 * pages apart in a crawl, too. It reads one of such addresses, now this and now that one.
 */
function pageKey(url: string): string {
	const address = parseUrl(url);
	if (!address) return url;
	const path = address.pathname.replace(/\/index\.(?:html?|php)$/i, '/');
	const host = address.host.replace(/^www\./, '');
	return host + withoutSlashes(path) + address.search;
}

/** The ID of a page: the same at every run, and all that is remembered of its address. */
export const pageIdOf = (url: string): string => keyMark(pageKey(url));

/** A page as it was read. */
export interface SitePage {
	url: string;
	title: string;
	markdown: string;
}

/** What was read of a website. */
export interface Reading {
	pages: SitePage[];
	/** Addresses of which the site itself says that there is nothing. */
	gone: string[];
	/** Addresses that are there and were not read: what they link to is not known. */
	failed: string[];
	/** Addresses that are there, though nothing comes of them: pages without text, those that are not due, and those that robots.txt forbids, behind which no reading looks. */
	others: string[];
	/** Whether nothing was cut off, as far as the service tells. */
	isWhole: boolean;
	/** How many more pages there was room for. */
	room: number;
	/** From how much room on the limit was surely not reached: pages that redirect to others take a place of it and are not told. */
	margin: number;
	/** Whether pages were found by the links of others. */
	byLinks: boolean;
}

/** Why pages that are missing are not taken for removed. */
export type Doubt = 'cut' | 'failed' | 'limit' | 'many';

/** A page that is to be deleted where it was stored. */
export interface Removal {
	pageId: string;
	/** Its address, where it is known. */
	url?: string;
}

/** What has become of a website since the last run. */
export interface Changes {
	removed: Removal[];
	changed: SitePage[];
	added: SitePage[];
	unchanged: number;
	/** The IDs of known pages that were not met and do not count as removed. */
	missing: string[];
	/** Why they do not. */
	doubt?: Doubt;
}

/** What a comparison takes of the last run. */
export interface Known {
	memory: SeenSet;
	/** Whether the last run missed so many pages that it was not believed. */
	wasDoubted: boolean;
}

/** What must be the same of a page for it to be unchanged. */
export type StateOf = (page: SitePage) => string;

/** Each page once: the first of those with the same ID. */
function byId(pages: readonly SitePage[]): Map<string, SitePage> {
	const found = new Map<string, SitePage>();
	for (const page of pages) {
		const id = pageIdOf(page.url);
		if (!found.has(id)) found.set(id, page);
	}
	return found;
}

/** Why the absence of pages from a reading does not prove that they are gone; undefined where it does. */
function doubtIn(
	reading: Reading,
	missing: number,
	known: number,
	wasDoubted: boolean,
): Doubt | undefined {
	if (!reading.isWhole) return 'cut';
	if (reading.room < Math.min(missing, reading.margin)) return 'limit';
	// Also one that was never read may be the only one by now that links to a known page.
	if (reading.byLinks && reading.failed.length > 0) return 'failed';
	return missing > known / 2 && !wasDoubted ? 'many' : undefined;
}

/** Compares what was read of a website with what is remembered of it. */
export function changesIn(
	reading: Reading,
	{ memory, wasDoubted }: Known,
	stateOf: StateOf,
): Changes {
	const known = new Set(memory.marks);
	const pages = byId(reading.pages);
	const judged = [...pages].map(([, page]) => ({
		page,
		found: memory.judge(pageKey(page.url), stateOf(page)),
	}));
	const pagesThatAre = (wanted: string) =>
		judged.filter(({ found }) => found === wanted).map(({ page }) => page);
	const gone = new Map(
		reading.gone
			.map((url): [string, string] => [pageIdOf(url), url])
			.filter(([id]) => known.has(id) && !pages.has(id)),
	);
	const met = new Set([
		...pages.keys(),
		...gone.keys(),
		...[...reading.failed, ...reading.others].map(pageIdOf),
	]);
	const missing = [...known].filter((id) => !met.has(id));
	const doubt =
		missing.length === 0 ? undefined : doubtIn(reading, missing.length, known.size, wasDoubted);
	return {
		removed: [
			...[...gone].map(([pageId, url]) => ({ pageId, url })),
			...(doubt === undefined ? missing.map((pageId) => ({ pageId })) : []),
		],
		changed: pagesThatAre('changed'),
		added: pagesThatAre('new'),
		unchanged: pagesThatAre('known').length,
		missing: doubt === undefined ? [] : missing,
		...(doubt !== undefined && { doubt }),
	};
}

/** Notes that these changes come out: what was read is known from now on, what is gone is not. */
export function note(
	{ removed }: Changes,
	{ pages }: Reading,
	memory: SeenSet,
	stateOf: StateOf,
): void {
	for (const [, page] of byId(pages)) memory.remember(pageKey(page.url), stateOf(page));
	for (const { pageId } of removed) memory.forget(pageId);
}
