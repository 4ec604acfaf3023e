import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isOn } from '../../runtime/form/schema';
import type { Endpoint } from '../../runtime/api/endpoint';
import { errorMessageIn } from '../../runtime/api/errorMessage';
import { pluralize } from '../../runtime/values/pluralize';
import { operationError } from '../../runtime/api/errors';
import type { ReadContext, Job, Result, Values } from '../../runtime/operation/operation';
import { settle } from '../../runtime/values/settle';
import { hasCompleted, isFinished } from '../../runtime/jobs/poll';
import { sum } from '../../runtime/values/sum';
import { fieldOf } from '../../runtime/values/record';
import { label, without } from '../../runtime/output/results';
import { pageAt } from './address';
import {
	failedResults,
	invalidPages,
	inWords,
	lackingPages,
	readFailedPages,
	type FailedPage,
} from './failures';
import { noticeMissingFormats } from './missingFormats';
import { pollQuery, readDocuments, type Reading, type Span } from './readDocuments';

/** A kind of job that reads pages: batches and crawls answer alike (https://docs.firecrawl.dev/api-reference/endpoint/batch-scrape). */
export interface DocumentJobKind {
	/** What the user calls one, such as "crawl". */
	noun: string;
	status: Endpoint;
	cancel: Endpoint;
	errors: Endpoint;
	/** Puts the documents in the order in which they were asked for, each linked to the items that asked for it. */
	arrange?(results: Result[], context: ReadContext): Result[];
	/** The addresses that were asked for and have no page among these, each once; undefined where that is not known. */
	missingIn?(documents: IDataObject[], context: ReadContext): string[] | undefined;
	/** The addresses of the request that the service cannot visit, for when its own list of them is no longer at hand. */
	invalidIn?(context: ReadContext): string[];
	/** As that of the runtime's jobs. */
	afterStart?: Job['afterStart'];
}

/** Whether pages that could not be read come out too. */
export const returnFailedField: INodeProperties = {
	displayName: 'Return Failed URLs',
	name: 'returnFailed',
	type: 'boolean',
	default: false,
	description:
		'Whether to add an item for each page that could not be read, that robots.txt forbids or whose address is invalid; its field failed says which',
};

/** The credits that documents cost by their own metadata; undefined where one does not say it. */
export function creditsOf(documents: IDataObject[]): number | undefined {
	const each = documents.map(({ metadata }) => fieldOf(metadata, 'creditsUsed'));
	return each.every((credits) => typeof credits === 'number') ? sum(each) : undefined;
}

/** What an answer of the job says beside its documents. */
const aboutJob = (response: IDataObject): IDataObject =>
	without(response, 'data', 'success', 'id', 'next', 'url');

/** The job itself as a result, where it has no documents to show. */
export const jobResult = (response: IDataObject): Result => ({
	json: label({}, { jobId: response.id, request: aboutJob(response) }),
});

/** Documents that were read as results, each with its job's ID and state. */
function documentResults(
	{ documents, missing }: Reading,
	response: IDataObject,
	failedPages: number,
): Result[] {
	const partial = { read: documents.length, total: response.total, reason: missing };
	const request = {
		...aboutJob(response),
		...(failedPages > 0 && { failedPages }),
		...(missing !== undefined && { partial }),
	};
	return documents.map((document) => ({
		json: label(document, { jobId: response.id, request }),
	}));
}

/** What was read of a job. */
export interface JobReading {
	results: Result[];
	/** The job's last answer, its documents left out. */
	last: IDataObject;
	/** The pages that it should have and has not, unless they are among the results: in words, and whether that is a failure. */
	lack?: { words: string; isFailure: boolean };
}

/** The failed pages that the service lists. When they cannot be read, a notice says so: the documents are paid for, and stay. */
async function listedPages(
	kind: DocumentJobKind,
	id: string,
	context: ReadContext,
): Promise<FailedPage[]> {
	const pages = await settle(readFailedPages(kind, id, context));
	if (pages.ok) return pages.value;
	context.notice(
		`The failed pages of the ${kind.noun} ${id} could not be read (${pages.error.message}); 'Get Errors' reads them`,
	);
	return [];
}

/** The failed pages of a job: all that are known of, and those of them that its result lacks. */
interface Failures {
	all: FailedPage[];
	lacking: FailedPage[];
}

/**
 * Finds out which pages failed. The service's counts do not tell: they leave failed pages out
 * (docs/api-notes.md, Jobs and their status). So its list of them is read, which is free, unless a page
 * came for every address.
 */
async function failuresOf(
	kind: DocumentJobKind,
	response: IDataObject,
	{ documents }: Reading,
	isWhole: boolean,
	isWanted: boolean,
	context: ReadContext,
): Promise<Failures> {
	const invalid = invalidPages(response.invalidURLs ?? kind.invalidIn?.(context));
	const missing = kind.missingIn?.(documents, context);
	const invalidUrls = new Set(invalid.map(({ url }) => pageAt(url)));
	const mayLack = isWhole && missing?.every((url) => invalidUrls.has(pageAt(url))) !== true;
	const listed = isWanted || mayLack ? await listedPages(kind, String(response.id), context) : [];
	const known = [...invalid, ...listed];
	const lacking = isWhole ? lackingPages(known, missing, documents.length === 0) : [];
	return { all: [...known, ...lacking.filter((page) => !known.includes(page))], lacking };
}

function noticeEnd({ id, status }: IDataObject, noun: string, context: ReadContext): void {
	if (!isFinished({ status }) || hasCompleted({ status })) return;
	context.notice(
		`The result of the ${noun} ${String(id)} is partial: it ended as ${String(status)}`,
	);
}

/** Says how many pages a completed job lacks, with the first reasons; undefined when it lacks none. */
function describeLack(
	lacking: FailedPage[],
	read: number,
	{ id, total }: IDataObject,
	noun: string,
): string | undefined {
	const count = Math.max(lacking.length, typeof total === 'number' ? total - read : 0);
	if (count <= 0) return undefined;
	const which = lacking.length === 0 ? '' : `: ${inWords(lacking)}`;
	const pages = `${count} of ${pluralize(read + count, 'page')}`;
	return `${pages} of the ${noun} ${String(id)} could not be read${which}`;
}

/** Where the failed pages are told in full. */
const failuresAdvice = `'Get Errors' and the option 'Return Failed URLs' list them.`;

/** Shows the pages that a job lacks as a notice. */
export function noticeLack({ lack }: JobReading, context: ReadContext): void {
	if (lack) context.notice(`${lack.words}. ${failuresAdvice}`);
}

/** Reads a job's documents and makes results of them. `answer` is what is known about the job, its `id` included. */
export async function readJob(
	kind: DocumentJobKind,
	response: IDataObject,
	values: Values,
	span: Span,
	context: ReadContext,
): Promise<JobReading> {
	const { output, returnFailed } = values;
	const id = String(response.id);
	const reading = await readDocuments(kind, id, span, values, context);
	// A poll's own documents and the address of its next page are none of the whole result's.
	const last = { ...without(response, 'data', 'next'), ...reading.state, id };
	const credits = creditsOf(reading.documents);
	if (credits !== undefined && reading.missing === undefined) context.recordCost(credits);
	noticeMissingFormats(context.requests.at(0)?.body, reading.documents, context);
	if (reading.missing !== undefined) {
		context.notice(`The result of the ${kind.noun} ${id} is partial: ${reading.missing}`);
	}
	const { skip = 0, limit = Infinity } = span;
	const isWhole = skip === 0 && reading.documents.length < limit && reading.missing === undefined;
	const isWanted = isOn(returnFailed) && output !== 'response';
	const hasAll = isWhole && hasCompleted(last);
	const failures = await failuresOf(kind, last, reading, hasAll, isWanted, context);
	if (isWhole) noticeEnd(last, kind.noun, context);
	const { lacking } = failures;
	const words =
		hasAll && !isWanted
			? describeLack(lacking, reading.documents.length, last, kind.noun)
			: undefined;
	const isFailure = lacking.some((page) => page.failed !== 'excluded');
	const about = { last, ...(words !== undefined && { lack: { words, isFailure } }) };
	if (output === 'response') {
		return { results: [{ json: { ...last, data: reading.documents } }], ...about };
	}
	const failed = isWanted ? failedResults(failures.all, id) : [];
	const results = [...documentResults(reading, last, lacking.length), ...failed];
	return { results: kind.arrange?.(results, context) ?? results, ...about };
}

/** A kind of job as the runtime follows it: its documents come out also when it failed or was cancelled, for they are paid for. */
export const documentJob = (kind: DocumentJobKind): Job => ({
	noun: kind.noun,
	status: kind.status,
	cancel: kind.cancel,
	pollQuery,
	counted: 'pages',
	isReusable: true,
	endEvents: ['completed', 'failed'],
	afterStart: kind.afterStart,
	async finish(response, values, context) {
		const reading = await readJob(kind, response, values, {}, context);
		const { results, last, lack } = reading;
		const isEmpty = results.length === 0;
		// The job's end is known, so the error names it without advising to read it later.
		const errorSource = { ...context.errorSource, job: undefined };
		if (isEmpty && lack?.isFailure) throw operationError(lack.words, failuresAdvice, errorSource);
		noticeLack(reading, context);
		if (!isEmpty || hasCompleted(last)) return results;
		const words = errorMessageIn(last.error) ?? `It ended as ${String(last.status)}`;
		throw operationError(
			`${words} (${kind.noun} ${String(response.id)})`,
			`No page was read. 'Get Errors' says why.`,
			errorSource,
		);
	},
	started: jobResult,
	async unfinished(response, values, context) {
		const reading = await readJob(kind, response, values, {}, context);
		noticeLack(reading, context);
		return reading.results.length > 0 ? reading.results : [jobResult(reading.last)];
	},
});
