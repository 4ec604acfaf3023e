import type { IDataObject } from 'n8n-workflow';
import { SeenSet } from '../../../runtime/values/seenSet';
import type { NodeMemory } from '../../../runtime/operation/operation';
import { fieldOf } from '../../../runtime/values/record';
import type { Known, SitePage } from './changes';
import { KnownPages } from './knownPages';
import { pageMark } from './pageKey';
import { mostPages } from './request';

/** The stored state of a website. */
export interface SiteMemory extends Known {
	/** The number of runs. */
	runs: number;
	/** Whether a map is known to be incomplete. */
	isUnlisted: boolean;
}

/** Most websites in a node's memory: the most recent ones. */
const mostSites = 50;

const prefix = 'site ';

/** The key of a website in the memory, by its start page. */
export const nameOf = (url: string): string => prefix + pageMark(url);

const namesOfOthers = (name: string, stored: NodeMemory): string[] =>
	stored.names().filter((each) => each.startsWith(prefix) && each !== name);

/**
 * IDs of earlier builds that other sites of the node have, too: the owner of their chunks is
 * unknown.
 */
const sharedIds = (name: string, stored: NodeMemory): Set<string> =>
	new Set(
		namesOfOthers(name, stored).flatMap(
			(other) => new SeenSet(fieldOf(stored.get(other), 'seen'), mostPages).hashes,
		),
	);

/** Returns a node's memory of a website; empty if it is new or starts over. */
export function recall(name: string, stored: NodeMemory, startOver = false): SiteMemory {
	const site = startOver ? undefined : stored.get(name);
	const [pages, seen, redirects, runs] = ['pages', 'seen', 'redirects', 'runs'].map((field) =>
		fieldOf(site, field),
	);
	const shared = seen === undefined ? undefined : sharedIds(name, stored);
	return {
		pages: new KnownPages(name, { pages, seen, redirects }, shared),
		wasUncertain: fieldOf(site, 'doubted') === true,
		isUnlisted: fieldOf(site, 'unlisted') === true,
		runs: typeof runs === 'number' ? runs : 0,
	};
}

const lastReadAt = (stored: NodeMemory, name: string): string =>
	String(fieldOf(stored.get(name), 'at'));

/** Stores the state of a website. If a node knows too many, the least recent one is removed. */
export function saveSite(
	name: string,
	{ pages, wasUncertain, isUnlisted, runs }: SiteMemory,
	stored: NodeMemory,
	at: Date,
): void {
	const site: IDataObject = {
		...pages.toStored(),
		runs,
		at: at.toISOString(),
		...(wasUncertain && { doubted: true }),
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

/** Returns a page's state: a hash of its text and chunk size. */
export const stateBy =
	(maxTokens: number) =>
	({ markdown }: SitePage): string =>
		`${maxTokens} ${markdown}`;
