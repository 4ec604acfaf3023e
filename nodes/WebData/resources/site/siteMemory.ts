import type { IDataObject } from 'n8n-workflow';
import { SeenSet } from '../../../runtime/values/seenSet';
import type { NodeMemory } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import type { Known, SitePage } from './changes';
import { KnownPages } from './knownPages';
import { pageMark } from './pageKey';
import { mostPages } from './request';

/** What is remembered of a website. */
export interface SiteMemory extends Known {
	/** How many runs there were. */
	runs: number;
	/** Whether a map is known not to list all pages. */
	isUnlisted: boolean;
}

/** Websites that a node remembers: those that were read last. */
const mostSites = 50;

const prefix = 'site ';

/** The name under which a website is remembered: by its start page. */
export const nameOf = (url: string): string => prefix + pageMark(url);

const namesOfOthers = (name: string, stored: NodeMemory): string[] =>
	stored.names().filter((each) => each.startsWith(prefix) && each !== name);

/** IDs of earlier builds that other sites of the node have: whose chunks carry them cannot be told. */
const sharedIds = (name: string, stored: NodeMemory): Set<string> =>
	new Set(
		namesOfOthers(name, stored).flatMap(
			(other) => new SeenSet(fieldOf(stored.get(other), 'seen'), mostPages).hashes,
		),
	);

/** What a node remembers of a website; nothing of one that it has never read, or where it is to start over. */
export function recall(name: string, stored: NodeMemory, startOver = false): SiteMemory {
	const site = startOver ? undefined : stored.get(name);
	const [pages, seen, redirects, runs] = ['pages', 'seen', 'redirects', 'runs'].map((member) =>
		fieldOf(site, member),
	);
	const shared = seen === undefined ? undefined : sharedIds(name, stored);
	return {
		pages: new KnownPages(name, { pages, seen, redirects }, shared),
		wasDoubted: fieldOf(site, 'doubted') === true,
		isUnlisted: fieldOf(site, 'unlisted') === true,
		runs: typeof runs === 'number' ? runs : 0,
	};
}

const lastReadAt = (stored: NodeMemory, name: string): string =>
	String(fieldOf(stored.get(name), 'at'));

/** Keeps what is known of a website now; where a node knows too many, the one that was not read for longest is forgotten. */
export function keepSite(
	name: string,
	{ pages, wasDoubted, isUnlisted, runs }: SiteMemory,
	stored: NodeMemory,
	at: Date,
): void {
	const site: IDataObject = {
		...pages.toStored(),
		runs,
		at: at.toISOString(),
		...(wasDoubted && { doubted: true }),
		...(isUnlisted && { unlisted: true }),
	};
	stored.set(name, site);
	const others = namesOfOthers(name, stored);
	if (others.length < mostSites) return;
	const oldest = others.reduce((one, other) =>
		lastReadAt(stored, other) < lastReadAt(stored, one) ? other : one,
	);
	stored.set(oldest, undefined);
}

/** What must be the same of a page for it to be unchanged: its text, and how it is cut. */
export const stateBy =
	(maxTokens: number) =>
	({ markdown }: SitePage): string =>
		`${maxTokens} ${markdown}`;
