import { eachInTurns, mapInTurns } from '../../../runtime/host/turns';
import type { SeenStatus } from '../../../runtime/values/seenSet';
import type { KnownPages } from './knownPages';
import { workPerVisit, type Visit } from './scope';

/** Characters that hash in the time of one unit of work. */
const charactersPerUnit = 50;

/** A scraped page. */
export interface SitePage {
	url: string;
	title: string;
	markdown: string;
}

/** A scraped page with its requested URL. */
export type VisitedPage = SitePage & Visit;

/** The result of scraping a website. */
export interface Scan {
	pages: VisitedPage[];
	/** Pages for which the site returns 404 or 410. */
	gone: Visit[];
	/** Pages that exist but could not be scraped; their links are unknown. */
	failed: Visit[];
	/** Scraped pages without text. */
	others: Visit[];
	/** Pages on a map that were not due. */
	listed: Visit[];
	/** Pages that robots.txt forbids, whose links a crawl does not follow. */
	forbidden: Visit[];
	/** URLs that redirect or lead out of the site. */
	elsewhere: Visit[];
	/** The reason why pages may be missing, as far as the service reports it. */
	uncertainty?: 'cut' | 'lowered' | 'unknown limit';
	/** Pages left of the limit. */
	remainingPages: number;
	/**
	 * The remaining pages from which the limit was certainly not reached: unreported redirects
	 * count against it.
	 */
	limitMargin: number;
	/** Whether pages were found by links. */
	byLinks: boolean;
}

/** The reasons why missing pages do not count as removed. */
export type Uncertainty = NonNullable<Scan['uncertainty']> | 'alone' | 'failed' | 'limit' | 'many';

/** A stored page to delete. */
export interface Removal {
	pageId: string;
	/** Its URL, if known. */
	url?: string;
}

/** A page to store. */
export interface Insertion extends SitePage {
	pageId: string;
}

/** A page that replaces its stored version. */
export interface Replacement extends Insertion {
	storedId: string;
}

/** The changes of a website since the last run. */
export interface Changes {
	removed: Removal[];
	changed: Replacement[];
	added: Insertion[];
	unchanged: number;
	/** The IDs of known pages that were not found and do not count as removed. */
	missing: string[];
	/** The reason why they do not. */
	uncertainty?: Uncertainty;
	/** IDs to forget without deletion, because another site may use them. */
	released: string[];
}

/** The state of the last run that a comparison needs. */
export interface Known {
	pages: KnownPages;
	/** Whether the last run missed so many pages that it was not trusted. */
	wasUncertain: boolean;
}

/** Returns the state of a page: the same state means an unchanged page. */
export type StateOf = (page: SitePage) => string;

/** Removes duplicates: the first page of each ID. */
async function firstOfEach(
	pages: readonly VisitedPage[],
	known: KnownPages,
): Promise<VisitedPage[]> {
	const found = new Map<string, VisitedPage>();
	await eachInTurns(pages, (page) => {
		const id = known.idOf(page.key);
		if (!found.has(id)) found.set(id, page);
		return workPerVisit;
	});
	return [...found.values()];
}

/**
 * The text of a page without links, because a login page links to the URL of the requested page.
 */
const textOf = ({ markdown }: SitePage): string =>
	markdown
		.split(/\s+/)
		.filter((word) => !word.includes('/'))
		.join(' ');

/**
 * Returns why missing and gone pages do not count as removed; undefined if they do. A login page, a
 * parked domain or an error page instead of a site leaves fewer pages than it removes, and at most
 * one text beside the start page. That is never trusted, however often it occurs, nor is a change
 * found with it.
 */
async function massLoss(
	lost: number,
	alive: number,
	hasOtherPages: () => Promise<boolean>,
	wasUncertain: boolean,
): Promise<'alone' | 'many' | undefined> {
	if (lost <= alive) return undefined;
	if (!(await hasOtherPages())) return 'alone';
	return wasUncertain ? undefined : 'many';
}

/** Returns why missing pages may still exist; undefined if they do not. */
function absenceUncertainty(scan: Scan, missing: number): Uncertainty | undefined {
	if (scan.uncertainty !== undefined) return scan.uncertainty;
	if (scan.remainingPages < Math.min(missing, scan.limitMargin)) return 'limit';
	// A failed page that was never scraped may have the only link to a known page.
	return scan.byLinks && scan.failed.length > 0 ? 'failed' : undefined;
}

/** The IDs of known pages that exist according to a scan. */
async function idsFound(scan: Scan, known: KnownPages): Promise<Array<string | undefined>> {
	const { pages, failed, others, listed, forbidden } = scan;
	const idOrTarget = (key: string) => known.storedIdOf(key) ?? known.leadsTo(key);
	const ofPages = await mapInTurns(pages, workPerVisit, ({ key }) => known.storedIdOf(key));
	const ofOthers = await mapInTurns(
		[...failed, ...others, ...listed, ...forbidden],
		workPerVisit,
		({ requestedKey, key }) => [idOrTarget(requestedKey), idOrTarget(key)],
	);
	return [...ofPages, ...ofOthers.flat()];
}

/** The IDs of stored pages for which the site returns 404 or 410, each with a URL. */
async function goneIds({ gone }: Scan, known: KnownPages): Promise<Array<[string, string]>> {
	const ids = await mapInTurns(gone, workPerVisit, ({ requestedUrl, requestedKey, url, key }) => [
		{ id: known.storedIdOf(requestedKey), url: requestedUrl },
		{ id: known.storedIdOf(key), url },
	]);
	return ids.flat().flatMap(({ id, url }) => (id === undefined ? [] : [[id, url]]));
}

/** The options of a comparison. */
export interface Comparison {
	stateOf: StateOf;
	/** The key of the start page. */
	start: string;
}

/** A scraped page and its stored state. */
interface ComparedPage {
	visit: VisitedPage;
	page: Insertion;
	storedId?: string;
	found: SeenStatus;
}

/** Compares a scan of a website with the stored state. */
export async function changesIn(
	scan: Scan,
	{ pages: known, wasUncertain }: Known,
	{ stateOf, start }: Comparison,
): Promise<Changes> {
	const ids = known.ids;
	const read: ComparedPage[] = [];
	await eachInTurns(await firstOfEach(scan.pages, known), (visit) => {
		const { url, title, markdown, key } = visit;
		read.push({
			visit,
			page: { pageId: known.idOf(key), url, title, markdown },
			storedId: known.storedIdOf(key),
			found: known.judge(key, stateOf(visit)),
		});
		return workPerVisit + markdown.length / charactersPerUnit;
	});
	const alive = read.filter(({ storedId }) => storedId !== undefined);
	const met = new Set(await idsFound(scan, known));
	const formerIds = await mapInTurns(scan.elsewhere, workPerVisit, ({ key }) =>
		known.formerIdOf(key),
	);
	const foreign = formerIds.flatMap((id) => id ?? []);
	const gone = new Map((await goneIds(scan, known)).filter(([id]) => !met.has(id)));
	const others = new Set([...met, ...gone.keys(), ...foreign]);
	const missing = ids.filter((id) => !others.has(id));
	const missingUncertainty =
		missing.length === 0 ? undefined : absenceUncertainty(scan, missing.length);
	const lostCount = gone.size + (missingUncertainty === undefined ? missing.length : 0);
	const below = read.filter(({ visit }) => visit.key !== start);
	const hasOtherPages = async () =>
		below.some(({ storedId }) => storedId !== undefined) ||
		(await mostAlike(below.map(({ page }) => page))) < below.length;
	const lossUncertainty = await massLoss(lostCount, alive.length, hasOtherPages, wasUncertain);
	const uncertainty = missingUncertainty ?? lossUncertainty;
	const lost = uncertainty === undefined ? missing : [];
	return {
		removed: [
			...(lossUncertainty === undefined ? [...gone].map(([pageId, url]) => ({ pageId, url })) : []),
			...lost.filter((id) => !known.isShared(id)).map((pageId) => ({ pageId })),
		],
		changed: read.flatMap(({ page, found, storedId }) =>
			found === 'changed' && storedId !== undefined && uncertainty !== 'alone'
				? [{ ...page, storedId }]
				: [],
		),
		added: read.filter(({ found }) => found === 'new').map(({ page }) => page),
		unchanged: read.filter(({ found }) => found === 'known').length,
		missing: [
			...(lossUncertainty === undefined ? [] : gone.keys()),
			...(uncertainty === undefined ? [] : missing),
		],
		released: [...foreign, ...lost.filter((id) => known.isShared(id))],
		...(uncertainty !== undefined && { uncertainty }),
	};
}

/** The size of the largest group of pages with the same text. */
async function mostAlike(pages: readonly SitePage[]): Promise<number> {
	const counts = new Map<string, number>();
	let most = 0;
	await eachInTurns(pages, (page) => {
		const text = textOf(page);
		const count = (counts.get(text) ?? 0) + 1;
		counts.set(text, count);
		most = Math.max(most, count);
		return page.markdown.length;
	});
	return most;
}

/** Fewest pages whose equality is no coincidence. */
const fewestAlike = 3;

/**
 * Returns the number of changed pages with the same text, such as a login page, if they are most of
 * the known pages in the scan; else 0.
 */
export async function pagesAlike({ changed, unchanged }: Changes): Promise<number> {
	const most = await mostAlike(changed);
	return most >= fewestAlike && most > (changed.length + unchanged) / 2 ? most : 0;
}

/** Records the changes as returned: scraped pages are known from now on, removed ones are not. */
export async function record(
	{ removed, released, uncertainty }: Changes,
	scan: Scan,
	known: KnownPages,
	stateOf: StateOf,
): Promise<void> {
	await eachInTurns(await firstOfEach(scan.pages, known), (page) => {
		const state = stateOf(page);
		const isDoubtful = uncertainty === 'alone' && known.judge(page.key, state) === 'changed';
		if (!isDoubtful) known.remember(page.key, state);
		return workPerVisit + page.markdown.length / charactersPerUnit;
	});
	for (const { pageId } of removed) known.forget(pageId);
	for (const id of released) known.forget(id);
	await eachInTurns(scan.pages, ({ requestedKey, key }) => {
		if (requestedKey !== key) known.rememberRedirect(requestedKey, key);
		return workPerVisit;
	});
	await eachInTurns([...scan.elsewhere, ...scan.others], ({ requestedKey }) => {
		known.rememberRedirect(requestedKey);
		return workPerVisit;
	});
}
