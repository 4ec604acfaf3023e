import { pluralize } from '../../../runtime/values/pluralize';
import { operationError } from '../../../runtime/api/errors';
import { operation, type OperationContext } from '../../../runtime/operation/operation';
import { pollSettingsFields, settingsFields } from '../../../runtime/form/options';
import { readingOptions } from '../../fields/pageOptions';
import { summarize } from '../../documents/failures';
import {
	changesIn,
	note,
	pagesAlike,
	type Changes,
	type Doubt,
	type Reading,
	type StateOf,
} from './changes';
import { isDue, chooseStrategy } from './strategy';
import { itemsOf } from './items';
import { noPage } from './knownPages';
import { readByCrawl, readByMap, type SiteReading } from './reading';
import { chunkTokens, syncRequest, type SyncRequest } from './request';
import { startKey, type Visit } from './scope';
import { keepSite, nameOf, recall, stateBy, type SiteMemory } from './siteMemory';
import { costOf } from '../../fields/prices';

const doubts: Record<Doubt, string> = {
	alone: `almost no other page was scraped, as with an error page, a login page or a parked domain ('Start Over' accepts the site as it is)`,
	cut: 'the scrape is incomplete',
	failed: `a page could not be scraped, and only it may link to them ('Exclude Paths' excludes a page that always fails)`,
	limit: `'Limit' was reached`,
	lowered: `the remaining credits lowered 'Limit'`,
	many: 'they are more than half of the scraped site; they will if the next run misses as many',
	'unknown limit': `the server does not report whether the remaining credits lowered 'Limit'`,
};

const words = { crawl: 'a crawl', map: 'a map and a batch', both: 'a map, a batch and a crawl' };

/** One reading of a website, and what has changed in it. */
interface Sync {
	strategy: keyof typeof words;
	reading: SiteReading;
	changes: Changes;
	/** Whether pages turned out to be there that a map does not list. */
	isUnlisted: boolean;
}

const compare = async (
	reading: Reading,
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
): Promise<Changes> => await changesIn(reading, site, { stateOf, start: startKey(request) });

/** Reads by a map and a batch; what the map lacks a crawl looks for, where the way is not fixed. */
async function syncByMap(
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
	context: OperationContext,
): Promise<Sync> {
	const { strategy, rescrapeEvery } = request;
	const { pages, runs } = site;
	const known = new Set(pages.ids);
	const listed = await readByMap(
		request,
		pages,
		(key) => {
			const id = pages.storedIdOf(key);
			const target = pages.leadsTo(key);
			if (id !== undefined) return isDue(id, runs, rescrapeEvery);
			if (target === undefined || (target !== noPage && !known.has(target))) return true;
			return isDue(pages.idOf(key), runs, rescrapeEvery);
		},
		context,
	);
	const first = await compare(listed, request, site, stateOf);
	const isGone = new Set(
		listed.gone.flatMap(({ askedKey, key }) => [pages.storedIdOf(askedKey), pages.storedIdOf(key)]),
	);
	const lacked = [...first.missing, ...first.removed.map(({ pageId }) => pageId)].filter(
		(pageId) => !isGone.has(pageId),
	);
	if (strategy === 'map' || lacked.length === 0) {
		return { strategy: 'map', reading: listed, changes: first, isUnlisted: site.isUnlisted };
	}
	const crawled = await readByCrawl(request, context);
	const reading = {
		...crawled,
		pages: [...crawled.pages, ...listed.pages],
		elsewhere: [...crawled.elsewhere, ...listed.elsewhere],
		credits:
			crawled.credits === null || listed.credits === null ? null : crawled.credits + listed.credits,
	};
	const there = new Set(crawled.pages.map(({ key }) => pages.storedIdOf(key)));
	return {
		strategy: 'both',
		reading,
		changes: await compare(reading, request, site, stateOf),
		isUnlisted: lacked.some((pageId) => there.has(pageId)),
	};
}

async function syncBy(
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
	context: OperationContext,
): Promise<Sync> {
	const { isUnlisted, pages } = site;
	const way = chooseStrategy({ ...request, known: pages.ids.length, isUnlisted });
	if (way === 'map') return await syncByMap(request, site, stateOf, context);
	const reading = await readByCrawl(request, context);
	return {
		strategy: 'crawl',
		reading,
		changes: await compare(reading, request, site, stateOf),
		isUnlisted,
	};
}

/** Says how the site was read and what has become of it. */
function noticesOf({ strategy, reading, changes }: Sync): string[] {
	const { added, changed, removed, unchanged, missing, doubt } = changes;
	const { credits, elsewhere, failed, failures } = reading;
	const counts = [
		`${added.length} new`,
		`${changed.length} changed`,
		`${removed.length} removed`,
		`${unchanged} unchanged`,
		`${pagesOf(failed)} failed`,
	];
	const cost = credits === null ? 'an unknown number of credits' : pluralize(credits, 'credit');
	return [
		`The site was scraped by ${words[strategy]} for ${cost}. Pages: ${counts.join(', ')}.`,
		...(failures.length > 0 ? [`Could not be read: ${summarize(failures)}.`] : []),
		...(elsewhere.length > 0 ? [describeElsewhere(elsewhere)] : []),
		...(doubt === undefined
			? []
			: [
					`${pluralize(missing.length, 'known page')} ${missing.length === 1 ? 'is' : 'are'} missing and ${missing.length === 1 ? 'does' : 'do'} not count as removed: ${doubts[doubt]}.`,
				]),
	];
}

/** How many pages were requested by these visits. */
const pagesOf = (visits: Visit[]): number => new Set(visits.map(({ askedKey }) => askedKey)).size;

/** URLs out of the site that a notice names. */
const mostNamed = 3;

function describeElsewhere(visits: Visit[]): string {
	const named = visits.slice(0, mostNamed).map(({ asked, url }) => `${asked} (${url})`);
	const more = visits.length > mostNamed ? '; …' : '';
	return `${pluralize(pagesOf(visits), 'URL')} of the site ${pagesOf(visits) === 1 ? 'redirects' : 'redirect'} to another site: ${named.join('; ')}${more}.`;
}

/** Why nothing of the site could be read, as far as is known. */
function reasonIn({ elsewhere, failures, forbidden, gone }: SiteReading): string {
	if (failures.length > 0) return `: ${summarize(failures)}`;
	if (elsewhere.length > 0) return `: it redirects to another site, ${elsewhere[0].url}`;
	if (gone.length > 0) return `: the site returns an error for ${gone[0].asked}`;
	return forbidden.length > 0 ? `: robots.txt disallows ${forbidden[0].asked}` : '';
}

/** Reads a website by a crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post), or by a map and a batch (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape), and gives what has changed since the last run. */
export const sync = operation({
	name: 'Sync',
	value: 'sync',
	action: 'Sync a website',
	description: `Scrapes a website and returns only new, changed and removed pages since the last successful run, as pages or as chunks for a vector store. ${costOf('page')} per scraped page. Manual and tool runs remember nothing; to scrape a website once, use a crawl.`,
	request: syncRequest,
	settings: [
		...pollSettingsFields,
		...settingsFields({ starts: true, answers: true }, readingOptions),
	],
	costs: `as Scrape, per scraped page; ${costOf('map')} for a map`,
	// A site that several items name comes out once: each item knows what those before it have read.
	sequential: true,
	async run(request, _values, context) {
		const name = nameOf(request.url);
		const at = new Date();
		const site = recall(name, context.memory, request.startOver);
		const stateOf = stateBy(chunkTokens(request));
		const outcome = await syncBy(request, site, stateOf, context);
		const { reading, changes, strategy, isUnlisted } = outcome;
		const { pages, others, listed } = reading;
		const keep = 'The remembered state of the site is unchanged.';
		if (pages.length === 0 && others.length === 0 && listed.length === 0) {
			const words = `No page of ${request.url} could be scraped${reasonIn(reading)}`;
			throw operationError(words, keep, context.errorSource);
		}
		const alike = await pagesAlike(changes);
		if (alike > 0) {
			throw operationError(
				`${alike} known pages of ${request.url} now have the same content, as with a login or an error page`,
				`${keep} 'Start Over' accepts the site as it is.`,
				context.errorSource,
			);
		}
		noticesOf(outcome).forEach(context.notice);
		await note(changes, reading, site.pages, stateOf);
		const wasDoubted = changes.doubt === 'many';
		keepSite(name, { ...site, wasDoubted, isUnlisted, runs: site.runs + 1 }, context.memory, at);
		const { jobId, credits } = reading;
		return await itemsOf(changes, chunkTokens(request), {
			strategy: strategy === 'both' ? 'crawl' : strategy,
			creditsUsed: credits,
			...(jobId !== undefined && { jobId }),
		});
	},
});
