import type { IDataObject } from 'n8n-workflow';
import { errorWords } from '../../../runtime/retry/errorWords';
import { operationError } from '../../../runtime/errors/errors';
import type { Call, Job, RunCall, Values } from '../../../runtime/operation/operation';
import type { Request } from '../../../runtime/http/client';
import { settle } from '../../../runtime/values/settle';
import { requirePaidList } from '../../../runtime/output/paidAnswer';
import { hasCompleted } from '../../../runtime/jobs/poll';
import { fixedPrice, sumOf, type Price } from '../../../runtime/budget/price';
import { memberOf } from '../../../runtime/values/record';
import { asRecord, noticesIn } from '../../../runtime/output/results';
import { creditsIn } from '../../../runtime/budget/budget';
import { pageAt } from '../../documents/address';
import { batchKind } from '../../documents/batchKind';
import { batchStart } from '../../documents/batchStart';
import { crawlKind } from '../../documents/crawlKind';
import { crawlStart } from '../../documents/crawlStart';
import { jobPath, type DocumentJobKind } from '../../documents/documentJob';
import { readFailedPages, type FailedPage } from '../../documents/failures';
import { markdownOf } from '../../documents/passages';
import { pollQuery, readDocuments } from '../../documents/readDocuments';
import { pagePrice, pagesPrice, scanPrice } from '../../fields/prices';
import { pageIdOf, type Reading, type SitePage } from './changes';
import type { SyncRequest } from './request';

/** What a job has read, and what it has not. */
interface JobPages {
	documents: IDataObject[];
	failed: FailedPage[];
	/** Whether the job has done all of its work, and all that it has read is here. */
	isWhole: boolean;
}

/** A reading, and what the requests say of it. */
export interface SiteReading extends Reading {
	/** Pages that could not be read, with the reason. */
	failures: FailedPage[];
	credits: number;
	jobId?: string;
}

const nothing: JobPages = { documents: [], failed: [], isWhole: false };

const none: SiteReading = {
	pages: [],
	gone: [],
	failed: [],
	others: [],
	isWhole: true,
	room: Infinity,
	margin: 0,
	byLinks: false,
	failures: [],
	credits: 0,
};

/** What the site itself answers of a page that is not there any more. */
const goneStatuses = new Set<unknown>([404, 410]);

const addressesOf = ({ metadata }: IDataObject): string[] =>
	[memberOf(metadata, 'sourceURL'), memberOf(metadata, 'url')].flatMap((address) =>
		typeof address === 'string' ? [address] : [],
	);

/** A document that could be read as a page, at the address to which the site leads. */
function pageOf(document: IDataObject): SitePage | undefined {
	const markdown = markdownOf(document);
	const url = addressesOf(document).at(-1);
	if (markdown === undefined || url === undefined) return undefined;
	const title = memberOf(document.metadata, 'title');
	return { url: pageAt(url), title: typeof title === 'string' ? title : '', markdown };
}

/** What documents say of the pages of a site. */
function pagesIn(documents: IDataObject[]): Pick<Reading, 'pages' | 'gone' | 'failed' | 'others'> {
	const pages: SitePage[] = [];
	const gone: string[] = [];
	const failed: string[] = [];
	const others: string[] = [];
	for (const document of documents) {
		const page = pageOf(document);
		const status = memberOf(document.metadata, 'statusCode');
		if (page) pages.push(page);
		else if (goneStatuses.has(status)) gone.push(...addressesOf(document));
		else if (typeof status === 'number' && status >= 400) failed.push(...addressesOf(document));
		else others.push(...addressesOf(document));
	}
	return { pages, gone, failed, others };
}

/** All that a job has read, with the pages that failed; what is not told is not whole. */
async function pagesOf(
	{ noun, root }: DocumentJobKind,
	answer: IDataObject,
	values: Values,
	call: Call,
): Promise<JobPages & { state: IDataObject }> {
	const path = jobPath({ noun, root }, String(answer.id));
	const { documents, state, missing } = await readDocuments(path, {}, values, call);
	const failed = await settle(readFailedPages(path, call));
	const notices = noticesIn(state);
	notices.forEach(call.notice);
	const isWhole = hasCompleted(state) && missing === undefined && failed.ok && notices.length === 0;
	return { documents, failed: failed.ok ? failed.value : [], isWhole, state };
}

/** Starts a job and reads its pages, however it ends. @throws when it comes to nothing */
async function readByJob(
	kind: DocumentJobKind,
	request: Request,
	call: RunCall,
): Promise<JobPages & { credits: number; jobId?: string }> {
	const read: Array<JobPages & { credits: number; jobId: string }> = [];
	const take: Job['finish'] = async (answer, values, inner) => {
		const { state, ...pages } = await pagesOf(kind, answer, values, inner);
		const jobId = String(answer.id);
		if (pages.documents.length === 0 && !hasCompleted(state)) {
			const words = errorWords(state.error) ?? `It ended as ${String(state.status)}`;
			throw operationError(`${words} (${kind.noun} ${jobId})`, noPage, inner.errorSource);
		}
		read.push({ ...pages, credits: creditsIn(state) ?? 0, jobId });
		return [];
	};
	const { noun, root } = kind;
	await call.runJob(
		{
			noun,
			path: (id) => jobPath({ noun, root }, id),
			pollQuery,
			counted: 'pages',
			endEvents: [],
			finish: take,
			unfinished: take,
			started: () => ({ json: {} }),
		},
		request,
	);
	return read.at(0) ?? { ...nothing, credits: 0 };
}

const noPage = 'No page was read, and nothing has changed in what is remembered of the site.';

/** How pages are read: as markdown, and anew, for a copy in the service's cache would hide a change for two days. */
const scrapeOptionsOf = ({ scrapeOptions }: SyncRequest) => ({
	maxAge: 0,
	...scrapeOptions,
	formats: [{ type: 'markdown' as const }],
});

/** The addresses of pages that failed for one reason. What the crawl's options exclude is not part of the site. */
const failedBy = (reason: FailedPage['failed'], failed: FailedPage[]): string[] =>
	failed.filter((page) => page.failed === reason).map(({ url }) => url);

/** What the node itself does with a site; all else is the crawl's. */
const own = new Set(['cutInto', 'maxChunkTokens', 'readBy', 'readAgainEvery', 'startOver']);

/** Reads a site by its links and its sitemap. */
export async function readByCrawl(request: SyncRequest, call: RunCall): Promise<SiteReading> {
	const { url, limit, zeroDataRetention } = request;
	const sent = Object.entries(request).filter(([name]) => !own.has(name));
	const start = crawlStart(
		{
			...Object.fromEntries(sent),
			...{ url, limit, zeroDataRetention, scrapeOptions: scrapeOptionsOf(request) },
		},
		call.isHosted,
	);
	const { documents, failed, isWhole, credits, jobId } = await readByJob(crawlKind, start, call);
	const found = pagesIn(documents);
	return {
		...found,
		failed: [...found.failed, ...failedBy('error', failed)],
		others: [...found.others, ...failedBy('robots', failed)],
		isWhole,
		room: limit - documents.length - failed.length,
		margin: Math.ceil(limit / 10),
		byLinks: true,
		failures: failed.filter((page) => page.failed === 'error'),
		credits,
		jobId,
	};
}

/** What a map costs, which is set aside for it, and the pages that are read after it at the most. */
function mapPrice(request: SyncRequest): Price {
	const { limit, readBy, scrapeOptions, zeroDataRetention } = request;
	const page = pagePrice({ ...scrapeOptionsOf(request), zeroDataRetention });
	const map = sumOf([
		fixedPrice(1, '1 credit for the map'),
		...scanPrice(scrapeOptions?.threatProtection),
	]);
	// Where the way is not fixed, a crawl may look for what the map lacks.
	const pages = pagesPrice(readBy === 'auto' ? 2 * limit : limit, page);
	return { ...sumOf([map, pages]), reserved: map.reserved };
}

/** The addresses of a site as a map lists them, and whether these are all. */
async function listedBy(request: SyncRequest, call: Call) {
	const {
		url,
		limit,
		allowSubdomains = false,
		crawlEntireDomain,
		excludePaths,
		includePaths,
	} = request;
	const { ignoreQueryParameters = false, sitemap } = request;
	const answer = await call.send({
		method: 'POST',
		path: '/map',
		body: {
			url,
			limit,
			...{ excludePaths, includePaths, sitemap, ignoreQueryParameters },
			includeSubdomains: allowSubdomains,
			ignoreCache: true,
			...(crawlEntireDomain && { filterByPath: false }),
		},
		retrySafety: 'mayChargeTwice',
		price: mapPrice(request),
	});
	const notices = noticesIn(asRecord(answer.body));
	notices.forEach(call.notice);
	const links = requirePaidList(answer.body, 'links', call.errorSource);
	const urls = links
		.map((link) => (typeof link === 'string' ? link : memberOf(link, 'url')))
		.filter((address): address is string => typeof address === 'string');
	const isWhole = notices.length === 0 && urls.length > 0 && links.length < limit;
	return { urls, isWhole, credits: creditsIn(answer.body) ?? 1 };
}

/** Reads those pages of a site that a map lists and that are wanted; the others are there. */
export async function readByMap(
	request: SyncRequest,
	isWanted: (pageId: string) => boolean,
	call: RunCall,
): Promise<SiteReading> {
	const { urls, isWhole, credits } = await listedBy(request, call);
	const wanted = urls.filter((url) => isWanted(pageIdOf(url)));
	const listed = {
		...none,
		others: urls.filter((url) => !isWanted(pageIdOf(url))),
		isWhole,
		credits,
	};
	if (wanted.length === 0) return listed;
	const { maxConcurrency, zeroDataRetention } = request;
	const start = batchStart({
		urls: wanted,
		maxConcurrency,
		zeroDataRetention,
		...scrapeOptionsOf(request),
	});
	const job = await readByJob(batchKind, start, call);
	const found = pagesIn(job.documents);
	const answered = new Set(job.documents.flatMap(addressesOf).map(pageIdOf));
	return {
		...listed,
		...found,
		others: [...listed.others, ...found.others],
		// The map alone says what the site is, so that a page without an answer is still there.
		failed: [...found.failed, ...wanted.filter((url) => !answered.has(pageIdOf(url)))],
		failures: job.failed.filter((page) => page.failed !== 'excluded'),
		credits: credits + job.credits,
		jobId: job.jobId,
	};
}
