import type { IDataObject } from 'n8n-workflow';
import { errorMessageIn } from '../../../runtime/api/errorMessage';
import { operationError } from '../../../runtime/api/errors';
import type {
	ReadContext,
	Job,
	OperationContext,
	Values,
} from '../../../runtime/operation/operation';
import type { Request } from '../../../runtime/http/client';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { eachInTurns } from '../../../runtime/host/turns';
import { settle } from '../../../runtime/values/settle';
import { requirePaidList } from '../../../runtime/output/paidResponse';
import { hasCompleted } from '../../../runtime/jobs/poll';
import { sumOf, type Price } from '../../../runtime/limits/price';
import { fieldOf } from '../../../runtime/values/record';
import { noticesIn } from '../../../runtime/output/results';
import { creditsIn } from '../../../runtime/limits/budget';
import { canonical, pageUrlOf, routeIn } from '../../documents/pageUrl';
import { batchKind } from '../../documents/batchKind';
import { batchStart } from '../../documents/batchStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlStart } from '../../documents/crawlStart';
import { findAppliedLimit } from '../../documents/crawlLimit';
import { creditsOf, type DocumentJobKind } from '../../documents/documentJob';
import { readFailedPages, type FailedPage } from '../../documents/failures';
import { markdownOf } from '../../documents/passages';
import { pollQuery, readDocuments } from '../../documents/readDocuments';
import { mayMeanMissingResults } from '../../documents/warnings';
import { mapPrice, pageKind, pagePrice, pagesPrice, prices } from '../../fields/prices';
import { mapSite } from '../../fields/sharedEndpoints';
import type { Reading, VisitedPage } from './changes';
import type { KnownPages } from './knownPages';
import type { SyncRequest } from './request';
import { belongsTo, isOnSite, startKey, visitOf, workPerVisit, type Visit } from './scope';

/** What a job has read, and what it has not. */
interface JobPages {
	documents: IDataObject[];
	failed: FailedPage[];
	/** Whether the job has done all of its work, and all that it has read is here. */
	isWhole: boolean;
	/** What it cost; null where nobody tells. */
	credits: number | null;
	/** Whether the server counts credits at all, and may lower a limit to those left. */
	countsCredits: boolean;
	jobId?: string;
}

/** A reading, and what the requests say of it. */
export interface SiteReading extends Reading {
	/** Pages that could not be read, with the reason. */
	failures: FailedPage[];
	/** What it cost; null where nobody tells. */
	credits: number | null;
	jobId?: string;
}

const nothing: JobPages = {
	documents: [],
	failed: [],
	isWhole: false,
	credits: 0,
	countsCredits: true,
};

/** What the site itself answers of a page that is not there any more. */
const goneStatuses = new Set<unknown>([404, 410]);

/** The visit that a document comes from; undefined where it names no URL. */
function visitIn({ metadata }: IDataObject): Visit | undefined {
	const source = fieldOf(metadata, 'sourceURL');
	const last = fieldOf(metadata, 'url');
	const asked = typeof source === 'string' ? source : last;
	if (typeof asked !== 'string') return undefined;
	const url = pageUrlOf(typeof last === 'string' ? last : asked);
	// A redirect without a fragment keeps that of the URL that was requested (RFC 9110, 10.2.2).
	const mayLack = asked.includes('#') && !url.includes('#');
	const route = mayLack ? routeIn(parseUrl(canonical(asked))?.hash ?? '') : '';
	return visitOf(asked, url + route);
}

type Places = Pick<Reading, 'pages' | 'gone' | 'failed' | 'others' | 'elsewhere'>;

/** What documents say of the pages of a site. */
async function placesIn(documents: IDataObject[], request: SyncRequest): Promise<Places> {
	const visited: Array<{ document: IDataObject; visit: Visit }> = [];
	await eachInTurns(documents, (document) => {
		const visit = visitIn(document);
		if (visit) visited.push({ document, visit });
		return workPerVisit;
	});
	const pages: VisitedPage[] = [];
	const gone: Visit[] = [];
	const failed: Visit[] = [];
	const others: Visit[] = [];
	const elsewhere: Visit[] = [];
	const isOfSite = belongsTo(
		request,
		visited.map(({ visit }) => visit),
	);
	await eachInTurns(visited, ({ document, visit }) => {
		const markdown = markdownOf(document);
		const status = fieldOf(document.metadata, 'statusCode');
		const title = fieldOf(document.metadata, 'title');
		if (!isOfSite(visit)) elsewhere.push(visit);
		else if (markdown !== undefined) {
			pages.push({ ...visit, title: typeof title === 'string' ? title : '', markdown });
		} else if (goneStatuses.has(status)) gone.push(visit);
		else if (typeof status === 'number' && status >= 400) failed.push(visit);
		else others.push(visit);
		return workPerVisit;
	});
	return { pages, gone, failed, others, elsewhere };
}

/** All that a job has read, with the pages that failed; what is not told is not whole. */
async function pagesOf(
	kind: DocumentJobKind,
	response: IDataObject,
	values: Values,
	context: ReadContext,
): Promise<JobPages & { state: IDataObject }> {
	const id = String(response.id);
	const { documents, state, missing } = await readDocuments(kind, id, {}, values, context);
	const failed = await settle(readFailedPages(kind, id, context));
	const notices = noticesIn(state);
	const isWhole =
		hasCompleted(state) &&
		missing === undefined &&
		failed.ok &&
		!notices.some(mayMeanMissingResults);
	const credits = creditsIn(state) ?? creditsOf(documents);
	if (credits !== undefined && missing === undefined) context.recordCost(credits);
	return {
		documents,
		failed: failed.ok ? failed.value : [],
		isWhole,
		credits: credits ?? null,
		countsCredits: state.creditsUsed !== null,
		state,
	};
}

/** Starts a job and reads its pages, however it ends. @throws when it comes to nothing */
async function readByJob(
	kind: DocumentJobKind,
	request: Request,
	context: OperationContext,
	afterStart?: Job['afterStart'],
): Promise<JobPages> {
	const read: JobPages[] = [];
	const take: Job['finish'] = async (response, values, inner) => {
		const { state, ...pages } = await pagesOf(kind, response, values, inner);
		const jobId = String(response.id);
		if (pages.documents.length === 0 && !hasCompleted(state)) {
			const words = errorMessageIn(state.error) ?? `It ended as ${String(state.status)}`;
			throw operationError(`${words} (${kind.noun} ${jobId})`, nothingRead, inner.errorSource);
		}
		read.push({ ...pages, jobId });
		return [];
	};
	const { noun, status, cancel } = kind;
	await context.runJob(
		{
			noun,
			status,
			cancel,
			pollQuery,
			counted: 'pages',
			endEvents: [],
			afterStart,
			finish: take,
			unfinished: take,
			started: () => ({ json: {} }),
		},
		request,
	);
	return read.at(0) ?? nothing;
}

const nothingRead = 'No page was scraped, and the remembered state of the site is unchanged.';

/** How pages are read: as markdown, and anew, for a copy in the service's cache would hide a change for two days. */
const scrapeOptionsOf = ({ scrapeOptions }: SyncRequest) => ({
	maxAge: 0,
	...scrapeOptions,
	formats: [{ type: 'markdown' as const }],
});

/** The pages that failed for one reason. What the crawl's options exclude is not part of the site. */
const failedBy = (reason: FailedPage['failed'], failed: FailedPage[]): Visit[] =>
	failed.filter((page) => page.failed === reason).map(({ url }) => visitOf(url));

/** What the node itself does with a site; all else is the crawl's. */
const own = new Set(['splitInto', 'maxChunkTokens', 'strategy', 'rescrapeEvery', 'startOver']);

/** Reads a site by its links and its sitemap. */
export async function readByCrawl(
	request: SyncRequest,
	context: OperationContext,
): Promise<SiteReading> {
	const { url, limit, zeroDataRetention } = request;
	const members = Object.entries(request).filter(([name]) => !own.has(name));
	const start = crawlStart(
		{
			...Object.fromEntries(members),
			...{ url, limit, zeroDataRetention, scrapeOptions: scrapeOptionsOf(request) },
		},
		context.isHosted,
	);
	let applied: number | undefined;
	const job = await readByJob(crawlKind, start, context, async (started, sent, inner) => {
		applied = await findAppliedLimit(started, sent, inner);
	});
	const { documents, failed, isWhole, countsCredits, credits, jobId } = job;
	const found = await placesIn(documents, request);
	return {
		...found,
		failed: [...found.failed, ...failedBy('error', failed)],
		listed: [],
		forbidden: failedBy('robots', failed),
		doubt: isWhole ? doubtInLimit(limit, applied ?? (countsCredits ? undefined : limit)) : 'cut',
		room: limit - documents.length - failed.length,
		margin: Math.ceil(limit / 10),
		byLinks: true,
		failures: failed.filter((page) => page.failed === 'error'),
		credits,
		jobId,
	};
}

/** Why a crawl may lack pages by the limit that the service has applied. */
function doubtInLimit(limit: number, applied: number | undefined): Reading['doubt'] {
	if (applied === undefined) return 'unknown limit';
	return applied < limit ? 'lowered' : undefined;
}

/** What a map costs, which is set aside for it, and the pages that are read after it at the most. */
function syncPrice(request: SyncRequest): Price {
	const { url, limit, strategy, zeroDataRetention } = request;
	const page = pagePrice({ ...scrapeOptionsOf(request), zeroDataRetention }, pageKind(url));
	const map = mapPrice();
	// Where the way is not fixed, a crawl may look for what the map lacks.
	const pages = pagesPrice(strategy === 'auto' ? 2 * limit : limit, page);
	return { ...sumOf([map, pages]), reserved: map.reserved };
}

/** The URLs of a site as a map lists them, and whether they may not be all. */
async function listedBy(request: SyncRequest, context: ReadContext) {
	const {
		url,
		limit,
		allowSubdomains = false,
		crawlEntireDomain,
		excludePaths,
		includePaths,
	} = request;
	const { ignoreQueryParameters = false, sitemap } = request;
	const response = await context.send({
		endpoint: mapSite,
		body: {
			url,
			limit,
			...{ excludePaths, includePaths, sitemap, ignoreQueryParameters },
			includeSubdomains: allowSubdomains,
			ignoreCache: true,
			...(crawlEntireDomain && { filterByPath: false }),
		},
		price: syncPrice(request),
	});
	const notices = noticesIn(response.body);
	const links = requirePaidList(response.body, 'links', context.errorSource);
	const urls = links
		.map((link) => (typeof link === 'string' ? link : fieldOf(link, 'url')))
		.filter((link): link is string => typeof link === 'string');
	const isCut = notices.some(mayMeanMissingResults) || urls.length === 0;
	return { urls, isCut, credits: creditsIn(response.body) ?? prices.map.credits };
}

/** The first URL of each page that a map lists, known pages before others, as many as the limit allows. */
function pagesListed(visits: Visit[], known: KnownPages, limit: number): Visit[] {
	const pages = new Map<string, Visit>();
	for (const visit of visits) if (!pages.has(visit.key)) pages.set(visit.key, visit);
	const isKnown = ({ key }: Visit) => known.storedIdOf(key) !== undefined;
	const [first, then] = [isKnown, (visit: Visit) => !isKnown(visit)].map((passes) =>
		[...pages.values()].filter(passes),
	);
	return [...first, ...then].slice(0, limit);
}

/** Reads those pages of a site that a map lists and that are wanted, by their keys; the others are there. */
export async function readByMap(
	request: SyncRequest,
	known: KnownPages,
	isWanted: (key: string) => boolean,
	context: OperationContext,
): Promise<SiteReading> {
	const { limit, maxConcurrency, zeroDataRetention } = request;
	const { urls, isCut, credits } = await listedBy(request, context);
	const test = isOnSite(request);
	const onSite: Visit[] = [];
	const offSite: Visit[] = [];
	await eachInTurns(urls, (url) => {
		(test(url) ? onSite : offSite).push(visitOf(url));
		return workPerVisit;
	});
	const pages = pagesListed(onSite, known, limit);
	const start = startKey(request);
	// The start page shows at every run whether the site is there at all.
	const wanted = pages.filter(({ key }) => key === start || isWanted(key));
	const visited = new Set(wanted);
	const job =
		wanted.length === 0
			? nothing
			: await readByJob(
					batchKind,
					batchStart({
						urls: wanted.map(({ url }) => url),
						maxConcurrency,
						zeroDataRetention,
						...scrapeOptionsOf(request),
					}),
					context,
				);
	const found = await placesIn(job.documents, request);
	const answered = new Set(
		[found.pages, found.gone, found.failed, found.others, found.elsewhere]
			.flat()
			.flatMap(({ askedKey, key }) => [askedKey, key]),
	);
	return {
		...found,
		// The map alone says what the site is, so that a page without an answer is still there.
		failed: [...found.failed, ...wanted.filter(({ key }) => !answered.has(key))],
		listed: pages.filter((visit) => !visited.has(visit)),
		forbidden: [],
		elsewhere: [...found.elsewhere, ...offSite],
		doubt: isCut ? 'cut' : undefined,
		room: limit - urls.length,
		margin: 1,
		byLinks: false,
		failures: job.failed.filter((page) => page.failed !== 'excluded'),
		credits: job.credits === null ? null : credits + job.credits,
		jobId: job.jobId,
	};
}
