import type { IDataObject } from 'n8n-workflow';
import type { JobContext, ReadContext } from '../../../runtime/operation/operation';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { eachInTurns, mapInTurns } from '../../../runtime/host/turns';
import { requirePaidList } from '../../../runtime/output/paidResponse';
import { fieldOf } from '../../../runtime/values/record';
import { noticesIn } from '../../../runtime/output/results';
import { creditsIn } from '../../../runtime/limits/budget';
import { errorStatusOf, isGone } from '../../documents/document';
import { canonical, pageUrlOf, routeIn } from '../../documents/pageUrl';
import { batchKind } from '../../documents/batchKind';
import { batchStart } from '../../documents/batchStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlStart } from '../../documents/crawlStart';
import type { FailedPage } from '../../documents/failures';
import { markdownOf } from '../../documents/passages';
import { noPages, scrapeByJob, mayMeanMissingResults } from '../../documents/scrapeByJob';
import { prices } from '../../fields/prices';
import { mapSite } from '../../fields/sharedEndpoints';
import type { Scan, VisitedPage } from './changes';
import type { KnownPages } from './knownPages';
import type { SyncRequest } from './request';
import { belongsTo, isOnSite, startKey, visitOf, workPerVisit, type Visit } from './scope';

/** A scan of a site, with its cost and failures. */
export interface SiteScan extends Scan {
	/** Failed pages with their reasons. */
	failures: FailedPage[];
	/** Its credits; null if unknown. */
	credits: number | null;
	jobId?: string;
}

/** The visit of a document; undefined if it has no URL. */
function visitIn({ metadata }: IDataObject): Visit | undefined {
	const source = fieldOf(metadata, 'sourceURL');
	const last = fieldOf(metadata, 'url');
	const requestedUrl = typeof source === 'string' ? source : last;
	if (typeof requestedUrl !== 'string') return undefined;
	const url = pageUrlOf(typeof last === 'string' ? last : requestedUrl);
	// A redirect without a fragment keeps the requested URL's fragment (RFC 9110, 10.2.2).
	const mayLack = requestedUrl.includes('#') && !url.includes('#');
	const route = mayLack ? routeIn(parseUrl(canonical(requestedUrl))?.hash ?? '') : '';
	return visitOf(requestedUrl, url + route);
}

type SortedPages = Pick<Scan, 'pages' | 'gone' | 'failed' | 'others' | 'elsewhere'>;

/** Sorts the documents of a scan by what happened to their pages. */
async function sortPages(documents: IDataObject[], request: SyncRequest): Promise<SortedPages> {
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
		const title = fieldOf(document.metadata, 'title');
		if (!isOfSite(visit)) elsewhere.push(visit);
		else if (markdown !== undefined) {
			pages.push({ ...visit, title: typeof title === 'string' ? title : '', markdown });
		} else if (isGone(document)) gone.push(visit);
		else if (errorStatusOf(document) !== undefined) failed.push(visit);
		else others.push(visit);
		return workPerVisit;
	});
	return { pages, gone, failed, others, elsewhere };
}

/**
 * The scrape options: markdown, and no cache, because a cached copy would hide a change for two
 * days.
 */
const scrapeOptionsOf = ({ scrapeOptions }: SyncRequest) => ({
	maxAge: 0,
	...scrapeOptions,
	formats: [{ type: 'markdown' as const }],
});

/**
 * The pages that failed for one reason. Pages that the crawl's options exclude do not belong to the
 * site.
 */
const failedBy = async (reason: FailedPage['failed'], failed: FailedPage[]): Promise<Visit[]> =>
	await mapInTurns(
		failed.filter((page) => page.failed === reason),
		workPerVisit,
		({ url }) => visitOf(url),
	);

/** The fields that are not the crawl's. */
const own = new Set(['splitInto', 'maxChunkTokens', 'strategy', 'rescrapeEvery', 'startOver']);

/** Scrapes a site by its links and its sitemap. */
export async function scrapeByCrawl(request: SyncRequest, context: JobContext): Promise<SiteScan> {
	const { url, limit, zeroDataRetention } = request;
	const fields = Object.entries(request).filter(([name]) => !own.has(name));
	const start = crawlStart(
		{
			...Object.fromEntries(fields),
			...{ url, limit, zeroDataRetention, scrapeOptions: scrapeOptionsOf(request) },
		},
		context.isHosted,
	);
	const job = await scrapeByJob(crawlKind, start, context);
	const { documents, failed, isWhole, countsCredits, credits, jobId } = job;
	const found = await sortPages(documents, request);
	return {
		...found,
		failed: [...found.failed, ...(await failedBy('error', failed))],
		listed: [],
		forbidden: await failedBy('robots', failed),
		uncertainty: isWhole ? limitUncertainty(limit, countsCredits ? undefined : limit) : 'cut',
		remainingPages: limit - documents.length - failed.length,
		limitMargin: Math.ceil(limit / 10),
		byLinks: true,
		failures: failed.filter((page) => page.failed === 'error'),
		credits,
		jobId,
	};
}

/** Returns why the applied limit may hide pages of a crawl. */
function limitUncertainty(limit: number, applied: number | undefined): Scan['uncertainty'] {
	if (applied === undefined) return 'unknown limit';
	return applied < limit ? 'lowered' : undefined;
}

/** Fetches the URLs of a site from a map, and whether the list may be incomplete. */
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
		price: prices.map.credits,
	});
	const notices = noticesIn(response.body);
	const links = requirePaidList(response.body, 'links', context.errorSource);
	const urls = links
		.map((link) => (typeof link === 'string' ? link : fieldOf(link, 'url')))
		.filter((link): link is string => typeof link === 'string');
	const isCut = notices.some(mayMeanMissingResults) || urls.length === 0;
	return { urls, isCut, credits: creditsIn(response.body) ?? prices.map.credits };
}

/** The first URL of each page on a map, known pages first, up to the limit. */
async function pagesListed(visits: Visit[], known: KnownPages, limit: number): Promise<Visit[]> {
	const pages = new Map<string, Visit>();
	for (const visit of visits) if (!pages.has(visit.key)) pages.set(visit.key, visit);
	const first: Visit[] = [];
	const then: Visit[] = [];
	await eachInTurns(pages.values(), (visit) => {
		(known.storedIdOf(visit.key) === undefined ? then : first).push(visit);
		return workPerVisit;
	});
	return [...first, ...then].slice(0, limit);
}

/** Scrapes the wanted pages on a site's map, by their keys; the others count as existing. */
export async function scrapeByMap(
	request: SyncRequest,
	known: KnownPages,
	isWanted: (key: string) => boolean,
	context: JobContext,
): Promise<SiteScan> {
	const { limit, zeroDataRetention } = request;
	const { urls, isCut, credits } = await listedBy(request, context);
	const test = isOnSite(request);
	const onSite: Visit[] = [];
	const offSite: Visit[] = [];
	await eachInTurns(urls, (url) => {
		(test(url) ? onSite : offSite).push(visitOf(url));
		return workPerVisit;
	});
	const pages = await pagesListed(onSite, known, limit);
	const start = startKey(request);
	// The start page shows at each run whether the site exists at all.
	const wanted = pages.filter(({ key }) => key === start || isWanted(key));
	const visited = new Set(wanted);
	const job =
		wanted.length === 0
			? noPages
			: await scrapeByJob(
					batchKind,
					batchStart({
						urls: wanted.map(({ url }) => url),
						zeroDataRetention,
						...scrapeOptionsOf(request),
					}),
					context,
				);
	const found = await sortPages(job.documents, request);
	const visitedKeys = new Set(
		[found.pages, found.gone, found.failed, found.others, found.elsewhere]
			.flat()
			.flatMap(({ requestedKey, key }) => [requestedKey, key]),
	);
	return {
		...found,
		// Only the map defines the site, so a page without a document still exists.
		failed: [...found.failed, ...wanted.filter(({ key }) => !visitedKeys.has(key))],
		listed: pages.filter((visit) => !visited.has(visit)),
		forbidden: [],
		elsewhere: [...found.elsewhere, ...offSite],
		uncertainty: isCut ? 'cut' : undefined,
		remainingPages: limit - urls.length,
		limitMargin: 1,
		byLinks: false,
		failures: job.failed.filter((page) => page.failed !== 'excluded'),
		credits: job.credits === null ? null : credits + job.credits,
		jobId: job.jobId,
	};
}
