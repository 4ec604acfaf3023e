import { pluralize } from '../../../runtime/values/pluralize';
import { operationError } from '../../../runtime/errors/errors';
import { operation, type RunCall } from '../../../runtime/operation/operation';
import { pollSettingsFields, settingsFields } from '../../../runtime/form/options';
import { readingOptions } from '../../fields/pageOptions';
import { inWords } from '../../documents/failures';
import { changesIn, note, pageIdOf, type Changes, type Doubt, type StateOf } from './changes';
import { isDue, wayOf } from './choice';
import { itemsOf } from './items';
import { readByCrawl, readByMap, type SiteReading } from './reading';
import { chunkTokens, syncRequest, type SyncRequest } from './request';
import { keepSite, nameOf, recall, stateBy, type SiteMemory } from './siteMemory';

const doubts: Record<Doubt, string> = {
	cut: 'the reading is not complete',
	failed: `a page could not be read, and they may be linked from there alone ('Exclude Paths' leaves out one that never can)`,
	limit: `'Limit' left no room for them`,
	many: 'they are more than half of the site; they will, if the next run misses them, too',
};

const words = { crawl: 'a crawl', map: 'a map and a batch', both: 'a map, a batch and a crawl' };

/** One reading of a website, and what has changed in it. */
interface Sync {
	readBy: keyof typeof words;
	reading: SiteReading;
	changes: Changes;
	/** Whether pages turned out to be there that a map does not list. */
	isUnlisted: boolean;
}

/** Reads by a map and a batch; what the map lacks a crawl looks for, where the way is not fixed. */
async function syncByMap(
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
	call: RunCall,
): Promise<Sync> {
	const { readBy, readAgainEvery } = request;
	const known = new Set(site.memory.marks);
	const isWanted = (pageId: string) =>
		!known.has(pageId) || isDue(pageId, site.runs, readAgainEvery);
	const listed = await readByMap(request, isWanted, call);
	const first = changesIn(listed, site, stateOf);
	const gone = new Set(listed.gone.map(pageIdOf));
	const lacked = [...first.missing, ...first.removed.map(({ pageId }) => pageId)].filter(
		(pageId) => !gone.has(pageId),
	);
	if (readBy === 'map' || lacked.length === 0) {
		return { readBy: 'map', reading: listed, changes: first, isUnlisted: site.isUnlisted };
	}
	const crawled = await readByCrawl(request, call);
	const reading = {
		...crawled,
		pages: [...crawled.pages, ...listed.pages],
		credits: crawled.credits + listed.credits,
	};
	const there = new Set(crawled.pages.map(({ url }) => pageIdOf(url)));
	return {
		readBy: 'both',
		reading,
		changes: changesIn(reading, site, stateOf),
		isUnlisted: lacked.some((pageId) => there.has(pageId)),
	};
}

async function syncBy(
	request: SyncRequest,
	site: SiteMemory,
	stateOf: StateOf,
	call: RunCall,
): Promise<Sync> {
	const { isUnlisted, memory } = site;
	const way = wayOf({ ...request, known: memory.marks.length, isUnlisted });
	if (way === 'map') return await syncByMap(request, site, stateOf, call);
	const reading = await readByCrawl(request, call);
	return { readBy: 'crawl', reading, changes: changesIn(reading, site, stateOf), isUnlisted };
}

/** Says how the site was read and what has become of it. */
function noticesOf({ readBy, reading, changes }: Sync): string[] {
	const { added, changed, removed, unchanged, missing, doubt } = changes;
	const { credits, failed, failures } = reading;
	const counts = [
		`${added.length} new`,
		`${changed.length} changed`,
		`${removed.length} removed`,
		`${unchanged} unchanged`,
		`${failed.length} not read`,
	];
	const cost = pluralize(credits, 'credit');
	return [
		`The site was read by ${words[readBy]} for ${cost}. Pages: ${counts.join(', ')}.`,
		...(failures.length > 0 ? [`Could not be read: ${inWords(failures)}.`] : []),
		...(doubt === undefined
			? []
			: [
					`${pluralize(missing.length, 'known page')} did not turn up and ${missing.length === 1 ? 'does' : 'do'} not count as removed: ${doubts[doubt]}.`,
				]),
	];
}

/** Reads a website by a crawl (https://docs.firecrawl.dev/api-reference/endpoint/crawl-post), or by a map and a batch (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape), and gives what has changed since the last run. */
export const sync = operation({
	name: 'Sync',
	value: 'sync',
	action: 'Sync a website',
	description:
		'Reads a website and returns only what is new, changed or removed since the last successful run, as pages or as chunks for a vector store. 1 credit per page that is read. Run by hand or by a model it shows and remembers nothing; to read a website once, use a crawl.',
	request: syncRequest,
	settings: [
		...pollSettingsFields,
		...settingsFields({ starts: true, answers: true }, readingOptions),
	],
	costs: 'as Scrape, per page that is read; 1 for a map',
	// A site that several items name comes out once: each item knows what those before it have read.
	sequential: true,
	async run(request, _values, call) {
		const name = nameOf(request.url);
		const at = new Date();
		const site = recall(request.startOver ? '' : name, call.memory);
		const stateOf = stateBy(chunkTokens(request));
		const outcome = await syncBy(request, site, stateOf, call);
		const { reading, changes, readBy, isUnlisted } = outcome;
		if (reading.pages.length === 0 && reading.others.length === 0 && reading.gone.length === 0) {
			const why = reading.failures.length > 0 ? `: ${inWords(reading.failures)}` : '';
			throw operationError(
				`No page of ${request.url} could be read${why}`,
				'What is remembered of the site stays as it was.',
				call.errorSource,
			);
		}
		noticesOf(outcome).forEach(call.notice);
		note(changes, reading, site.memory, stateOf);
		const wasDoubted = changes.doubt === 'many';
		keepSite(name, { ...site, wasDoubted, isUnlisted, runs: site.runs + 1 }, call.memory, at);
		const { jobId, credits } = reading;
		return itemsOf(changes, chunkTokens(request), {
			readBy: readBy === 'both' ? 'crawl' : readBy,
			creditsUsed: credits,
			...(jobId !== undefined && { jobId }),
		});
	},
});
