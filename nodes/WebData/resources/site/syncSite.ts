import type { IDataObject } from 'n8n-workflow';
import { pluralize } from '../../../runtime/values/text';
import { operationError } from '../../../runtime/api/errors';
import type { JobContext, NodeMemory } from '../../../runtime/operation/operation';
import { summarize } from '../../documents/failures';
import {
	changesIn,
	record,
	pagesAlike,
	type Changes,
	type Uncertainty,
	type Scan,
	type StateOf,
} from './changes';
import { isDue, chooseStrategy } from './strategy';
import { noPage } from './knownPages';
import { scrapeByCrawl, scrapeByMap, type SiteScan } from './scan';
import { chunkTokens, type SyncRequest } from './request';
import { startKey, type Visit } from './scope';
import { saveSite, nameOf, recall, stateBy, type SiteMemory } from './siteMemory';
import { fact, forUser } from '../../../runtime/api/sentence';

const uncertaintyTexts: Record<Uncertainty, string> = {
	alone: `almost no other page was scraped, as with an error page, a login page or a parked domain ('Start Over' accepts the site as it is)`,
	cut: 'the scrape is incomplete',
	failed: `a page could not be scraped, and only it may link to them ('Exclude Paths' excludes a page that always fails)`,
	limit: `'Limit' was reached`,
	lowered: `the remaining credits lowered 'Limit'`,
	many: 'they are more than half of the scraped site; they will if the next run misses as many',
	'unknown limit': `the server does not report whether the remaining credits lowered 'Limit'`,
};

const strategyTexts = {
	crawl: 'a crawl',
	map: 'a map and a batch',
	both: 'a map, a batch and a crawl',
};

/** A scan of a website, and its changes. */
interface Sync {
	strategy: keyof typeof strategyTexts;
	scan: SiteScan;
	changes: Changes;
	/** Whether a map lacks pages that exist. */
	isUnlisted: boolean;
}

const compare = async (
	scan: Scan,
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
): Promise<Changes> => await changesIn(scan, site, { stateOf, start: startKey(request) });

/**
 * Scrapes by a map and a batch. With the automatic strategy, a crawl searches for pages that the
 * map lacks.
 */
async function syncByMap(
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
	context: JobContext,
): Promise<Sync> {
	const { strategy, rescrapeEvery } = request;
	const { pages, runs } = site;
	const known = new Set(pages.ids);
	const listed = await scrapeByMap(
		request,
		pages,
		(key) => {
			const id = pages.storedIdOf(key);
			if (id !== undefined) return isDue(id, runs, rescrapeEvery);
			const target = pages.leadsTo(key);
			if (target === undefined || (target !== noPage && !known.has(target))) return true;
			return isDue(pages.idOf(key), runs, rescrapeEvery);
		},
		context,
	);
	const first = await compare(listed, request, site, stateOf);
	const isGone = new Set(
		listed.gone.flatMap(({ requestedKey, key }) => [
			pages.storedIdOf(requestedKey),
			pages.storedIdOf(key),
		]),
	);
	const lacked = [...first.missing, ...first.removed.map(({ pageId }) => pageId)].filter(
		(pageId) => !isGone.has(pageId),
	);
	if (strategy === 'map' || lacked.length === 0) {
		return { strategy: 'map', scan: listed, changes: first, isUnlisted: site.isUnlisted };
	}
	const crawled = await scrapeByCrawl(request, context);
	const scan = {
		...crawled,
		pages: [...crawled.pages, ...listed.pages],
		elsewhere: [...crawled.elsewhere, ...listed.elsewhere],
		credits:
			crawled.credits === null || listed.credits === null ? null : crawled.credits + listed.credits,
	};
	const there = new Set(crawled.pages.map(({ key }) => pages.storedIdOf(key)));
	return {
		strategy: 'both',
		scan,
		changes: await compare(scan, request, site, stateOf),
		isUnlisted: lacked.some((pageId) => there.has(pageId)),
	};
}

async function syncBy(
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
	context: JobContext,
): Promise<Sync> {
	const { isUnlisted, pages } = site;
	const way = chooseStrategy({ ...request, known: pages.ids.length, isUnlisted });
	if (way === 'map') return await syncByMap(request, site, stateOf, context);
	const scan = await scrapeByCrawl(request, context);
	return {
		strategy: 'crawl',
		scan,
		changes: await compare(scan, request, site, stateOf),
		isUnlisted,
	};
}

/** The notices of a sync: its strategy, cost and changes. */
function noticesOf({ strategy, scan, changes }: Sync): string[] {
	const { added, changed, removed, unchanged, missing, uncertainty } = changes;
	const { credits, elsewhere, failed, failures } = scan;
	const counts = [
		`${added.length} new`,
		`${changed.length} changed`,
		`${removed.length} removed`,
		`${unchanged} unchanged`,
		`${pagesOf(failed)} failed`,
	];
	const cost = credits === null ? 'an unknown number of credits' : pluralize(credits, 'credit');
	return [
		`The site was scraped by ${strategyTexts[strategy]} for ${cost}. Pages: ${counts.join(', ')}.`,
		...(failures.length > 0 ? [`Could not be read: ${summarize(failures)}.`] : []),
		...(elsewhere.length > 0 ? [describeElsewhere(elsewhere)] : []),
		...(uncertainty === undefined
			? []
			: [
					`${pluralize(missing.length, 'known page')} ${missing.length === 1 ? 'is' : 'are'} missing and ${missing.length === 1 ? 'does' : 'do'} not count as removed: ${uncertaintyTexts[uncertainty]}.`,
				]),
	];
}

/** The number of requested pages in visits. */
const pagesOf = (visits: Visit[]): number =>
	new Set(visits.map(({ requestedKey }) => requestedKey)).size;

/** Most external URLs in a notice. */
const mostNamed = 3;

function describeElsewhere(visits: Visit[]): string {
	const named = visits
		.slice(0, mostNamed)
		.map(({ requestedUrl, url }) => `${requestedUrl} (${url})`);
	const more = visits.length > mostNamed ? '; …' : '';
	return `${pluralize(pagesOf(visits), 'URL')} of the site ${pagesOf(visits) === 1 ? 'redirects' : 'redirect'} to another site: ${named.join('; ')}${more}.`;
}

/** The reason why nothing of the site could be scraped, if known. */
function reasonIn({ elsewhere, failures, forbidden, gone }: SiteScan): string {
	if (failures.length > 0) return `: ${summarize(failures)}`;
	if (elsewhere.length > 0) return `: it redirects to another site, ${elsewhere[0].url}`;
	if (gone.length > 0) return `: the site returns an error for ${gone[0].requestedUrl}`;
	return forbidden.length > 0 ? `: robots.txt disallows ${forbidden[0].requestedUrl}` : '';
}

/** The changes of a website since the last sync, and facts about the sync. */
export interface Synced {
	changes: Changes;
	/** Its strategy, credits and job. */
	about: IDataObject;
}

/**
 * Scrapes a website, compares it with the memory, and stores the new state there.
 * @throws NodeOperationError if no page could be scraped, or the site seems to be replaced
 */
export async function syncSite(
	request: SyncRequest,
	memory: NodeMemory,
	context: JobContext,
): Promise<Synced> {
	const name = nameOf(request.url);
	const at = new Date();
	const site = recall(name, memory, request.startOver);
	const stateOf = stateBy(chunkTokens(request));
	const outcome = await syncBy(request, site, stateOf, context);
	const { scan, changes, strategy, isUnlisted } = outcome;
	const { pages, others, listed } = scan;
	const keep = fact('The remembered state of the site is unchanged.');
	if (pages.length === 0 && others.length === 0 && listed.length === 0) {
		const own = `No page of ${request.url} could be scraped`;
		throw operationError({ text: own + reasonIn(scan), own }, [keep], context.errorSource);
	}
	const alike = await pagesAlike(changes);
	if (alike > 0) {
		throw operationError(
			`${alike} known pages of ${request.url} now have the same content, as with a login or an error page`,
			[keep, forUser(`'Start Over' accepts the site as it is.`)],
			context.errorSource,
		);
	}
	noticesOf(outcome).forEach(context.notice);
	await record(changes, scan, site.pages, stateOf);
	const wasUncertain = changes.uncertainty === 'many';
	saveSite(name, { ...site, wasUncertain, isUnlisted, runs: site.runs + 1 }, memory, at);
	const { jobId, credits } = scan;
	return {
		changes,
		about: {
			strategy: strategy === 'both' ? 'crawl' : strategy,
			creditsUsed: credits,
			...(jobId !== undefined && { jobId }),
		},
	};
}
