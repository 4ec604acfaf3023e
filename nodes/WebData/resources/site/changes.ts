import { eachInTurns } from '../../../runtime/host/turns';
import type { SeenStatus } from '../../../runtime/values/seenSet';
import type { KnownPages } from './knownPages';
import { workPerVisit, type Visit } from './scope';

/** How many characters are hashed in the time in which one is worked on. */
const hashedAtOnce = 50;

/** A page as it was read. */
export interface SitePage {
	url: string;
	title: string;
	markdown: string;
}

/** A page as it was read, with the URL that was requested for it. */
export type VisitedPage = SitePage & Visit;

/** What was read of a website. */
export interface Reading {
	pages: VisitedPage[];
	/** Pages of which the site itself says that there is nothing. */
	gone: Visit[];
	/** Pages that are there and were not read: what they link to is not known. */
	failed: Visit[];
	/** Pages that were visited and have no text. */
	others: Visit[];
	/** Pages that a map lists and that were not due. */
	listed: Visit[];
	/** Pages that robots.txt forbids, behind which no reading looks. */
	forbidden: Visit[];
	/** What leads out of the site, and is no page of it. */
	elsewhere: Visit[];
	/** Why it may lack pages by itself, as far as the service tells. */
	doubt?: 'cut' | 'lowered' | 'unknown limit';
	/** How many more pages there was room for. */
	room: number;
	/** From how much room on the limit was surely not reached: pages that redirect to others take a place of it and are not told. */
	margin: number;
	/** Whether pages were found by the links of others. */
	byLinks: boolean;
}

/** Why pages that are missing are not taken for removed. */
export type Doubt = NonNullable<Reading['doubt']> | 'alone' | 'failed' | 'limit' | 'many';

/** A page that is to be deleted where it was stored. */
export interface Removal {
	pageId: string;
	/** Its URL, where it is known. */
	url?: string;
}

/** A page that is to be stored. */
export interface Insertion extends SitePage {
	pageId: string;
}

/** A page that is to be stored in the place of what was stored of it. */
export interface Replacement extends Insertion {
	storedId: string;
}

/** What has become of a website since the last run. */
export interface Changes {
	removed: Removal[];
	changed: Replacement[];
	added: Insertion[];
	unchanged: number;
	/** The IDs of known pages that were not met and do not count as removed. */
	missing: string[];
	/** Why they do not. */
	doubt?: Doubt;
	/** IDs that are forgotten and not deleted: they may be another site's. */
	released: string[];
}

/** What a comparison takes of the last run. */
export interface Known {
	pages: KnownPages;
	/** Whether the last run missed so many pages that it was not believed. */
	wasDoubted: boolean;
}

/** What must be the same of a page for it to be unchanged. */
export type StateOf = (page: SitePage) => string;

/** Each page once: the first of those with the same ID. */
function firstOfEach(pages: readonly VisitedPage[], known: KnownPages): VisitedPage[] {
	const found = new Map<string, VisitedPage>();
	for (const page of pages) {
		const id = known.idOf(page.key);
		if (!found.has(id)) found.set(id, page);
	}
	return [...found.values()];
}

/** A page's words without its links, which repeat the URL of the page that a login page stands for. */
const wordsOf = ({ markdown }: SitePage): string =>
	markdown
		.split(/\s+/)
		.filter((word) => !word.includes('/'))
		.join(' ');

/**
 * Returns why neither what was not met nor what is gone counts as removed; undefined where it does. A login
 * page, a parked domain or an error page in the place of a site leaves less of it than it takes away, and
 * beside the start page at most one text: that is never believed, however often it is met, nor is a change
 * of a page that was read with it.
 */
async function doubtInAll(
	lost: number,
	alive: number,
	isLiving: () => Promise<boolean>,
	wasDoubted: boolean,
): Promise<'alone' | 'many' | undefined> {
	if (lost <= alive) return undefined;
	if (!(await isLiving())) return 'alone';
	return wasDoubted ? undefined : 'many';
}

/** Returns why the absence of pages from a reading does not prove that they are gone; undefined where it does. */
function doubtInAbsence(reading: Reading, missing: number): Doubt | undefined {
	if (reading.doubt !== undefined) return reading.doubt;
	if (reading.room < Math.min(missing, reading.margin)) return 'limit';
	// Also one that was never read may be the only one by now that links to a known page.
	return reading.byLinks && reading.failed.length > 0 ? 'failed' : undefined;
}

/** The IDs of known pages of which a reading shows that they are there. */
function idsMet(reading: Reading, known: KnownPages): Array<string | undefined> {
	const { pages, failed, others, listed, forbidden } = reading;
	const keys = [...failed, ...others, ...listed, ...forbidden].flatMap(({ askedKey, key }) => [
		askedKey,
		key,
	]);
	return [
		...pages.map(({ key }) => known.storedIdOf(key)),
		...keys.map((key) => known.storedIdOf(key) ?? known.leadsTo(key)),
	];
}

/** How pages are compared with what is remembered of them. */
export interface Comparison {
	stateOf: StateOf;
	/** The key of the start page. */
	start: string;
}

/** A page that was read, beside what is remembered of it. */
interface ComparedPage {
	visit: VisitedPage;
	page: Insertion;
	storedId?: string;
	found: SeenStatus;
}

/** Compares what was read of a website with what is remembered of it. */
export async function changesIn(
	reading: Reading,
	{ pages: known, wasDoubted }: Known,
	{ stateOf, start }: Comparison,
): Promise<Changes> {
	const ids = known.ids;
	const read: ComparedPage[] = [];
	await eachInTurns(firstOfEach(reading.pages, known), (visit) => {
		const { url, title, markdown, key } = visit;
		read.push({
			visit,
			page: { pageId: known.idOf(key), url, title, markdown },
			storedId: known.storedIdOf(key),
			found: known.judge(key, stateOf(visit)),
		});
		return workPerVisit + markdown.length / hashedAtOnce;
	});
	const alive = read.filter(({ storedId }) => storedId !== undefined);
	const met = new Set(idsMet(reading, known));
	const foreign = reading.elsewhere.flatMap(({ key }) => known.formerIdOf(key) ?? []);
	const gone = new Map(
		reading.gone
			.flatMap(({ asked, askedKey, url, key }) => [
				{ url: asked, key: askedKey },
				{ url, key },
			])
			.map(({ url, key }): [string | undefined, string] => [known.storedIdOf(key), url])
			.filter((entry): entry is [string, string] => entry[0] !== undefined && !met.has(entry[0])),
	);
	const others = new Set([...met, ...gone.keys(), ...foreign]);
	const missing = ids.filter((id) => !others.has(id));
	const doubtMissing = missing.length === 0 ? undefined : doubtInAbsence(reading, missing.length);
	const lostCount = gone.size + (doubtMissing === undefined ? missing.length : 0);
	const below = read.filter(({ visit }) => visit.key !== start);
	const isLiving = async () =>
		below.some(({ storedId }) => storedId !== undefined) ||
		(await mostAlike(below.map(({ page }) => page))) < below.length;
	const doubtAll = await doubtInAll(lostCount, alive.length, isLiving, wasDoubted);
	const doubt = doubtMissing ?? doubtAll;
	const lost = doubt === undefined ? missing : [];
	return {
		removed: [
			...(doubtAll === undefined ? [...gone].map(([pageId, url]) => ({ pageId, url })) : []),
			...lost.filter((id) => !known.isShared(id)).map((pageId) => ({ pageId })),
		],
		changed: read.flatMap(({ page, found, storedId }) =>
			found === 'changed' && storedId !== undefined && doubt !== 'alone'
				? [{ ...page, storedId }]
				: [],
		),
		added: read.filter(({ found }) => found === 'new').map(({ page }) => page),
		unchanged: read.filter(({ found }) => found === 'known').length,
		missing: [
			...(doubtAll === undefined ? [] : gone.keys()),
			...(doubt === undefined ? [] : missing),
		],
		released: [...foreign, ...lost.filter((id) => known.isShared(id))],
		...(doubt !== undefined && { doubt }),
	};
}

/** The size of the largest group of pages with the same words. */
async function mostAlike(pages: readonly SitePage[]): Promise<number> {
	const counts = new Map<string, number>();
	let most = 0;
	await eachInTurns(pages, (page) => {
		const words = wordsOf(page);
		const count = (counts.get(words) ?? 0) + 1;
		counts.set(words, count);
		most = Math.max(most, count);
		return page.markdown.length;
	});
	return most;
}

/** Fewest pages that do not become the same by chance. */
const fewestAlike = 3;

/** Returns how many pages have become the same, such as a login page, where they are most of the known pages that were read; else 0. */
export async function pagesAlike({ changed, unchanged }: Changes): Promise<number> {
	const most = await mostAlike(changed);
	return most >= fewestAlike && most > (changed.length + unchanged) / 2 ? most : 0;
}

/** Notes that these changes come out: what was read is known from now on, what is gone is not. */
export async function note(
	{ removed, released, doubt }: Changes,
	reading: Reading,
	known: KnownPages,
	stateOf: StateOf,
): Promise<void> {
	await eachInTurns(firstOfEach(reading.pages, known), (page) => {
		const state = stateOf(page);
		const isDoubtful = doubt === 'alone' && known.judge(page.key, state) === 'changed';
		if (!isDoubtful) known.remember(page.key, state);
		return workPerVisit + page.markdown.length / hashedAtOnce;
	});
	for (const { pageId } of removed) known.forget(pageId);
	for (const id of released) known.forget(id);
	for (const { askedKey, key } of reading.pages) {
		if (askedKey !== key) known.rememberRedirect(askedKey, key);
	}
	for (const { askedKey } of [...reading.elsewhere, ...reading.others]) {
		known.rememberRedirect(askedKey);
	}
}
