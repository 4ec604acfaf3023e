import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isOn } from '../../runtime/contract';
import { operationError } from '../../runtime/errors';
import type { Call, Job, Result, Values } from '../../runtime/operation';
import { settle } from '../../runtime/outcome';
import { isFinished } from '../../runtime/poll';
import { label, noticesIn, without } from '../../runtime/results';
import { failureResults, invalidResults } from './failures';
import { isJobState, lookQuery, readDocuments, type Reading, type Span } from './readDocuments';

/** A kind of job that reads pages: batches and crawls answer alike (addendum 5 and 6). */
export interface DocumentJobKind {
	/** What the user calls one, such as "crawl". */
	noun: string;
	/** Its place in the API, such as `/crawl`. */
	root: string;
	/** Puts the documents in the order in which they were asked for, each linked to the items that asked for it. */
	arrange?(results: Result[], call: Call): Result[];
	/** The addresses of the request that the service cannot visit, for when its own list of them is no longer at hand. */
	invalidIn?(call: Call): string[];
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

export const jobPath = ({ root }: DocumentJobKind, id: string) =>
	`${root}/${encodeURIComponent(id)}`;

/** What an answer of the job says beside its documents. */
const aboutJob = (answer: IDataObject): IDataObject =>
	without(answer, 'data', 'success', 'id', 'next', 'url');

/** The job itself as a result, where it has no documents to show. */
export const jobResult = (answer: IDataObject): Result => ({
	json: label({}, { jobId: answer.id, request: aboutJob(answer) }),
});

/** Documents that were read as results, each with its job's ID and state. */
function documentResults({ documents, missing }: Reading, answer: IDataObject): Result[] {
	const about = aboutJob(answer);
	const partial = { read: documents.length, total: answer.total, reason: missing };
	const request = missing === undefined ? about : { ...about, partial };
	return documents.map((document) => ({
		json: label(document, { jobId: answer.id, request }),
	}));
}

function noticeWhatIsMissing(
	{ documents }: Reading,
	answer: IDataObject,
	noun: string,
	call: Call,
): void {
	const { id, total, status } = answer;
	const name = `the ${noun} ${String(id)}`;
	if (status !== 'completed' && isFinished(answer)) {
		call.notice(`The result of ${name} is partial: it ended as ${String(status)}`);
	} else if (typeof total === 'number' && total > documents.length && isFinished(answer)) {
		call.notice(
			`${total - documents.length} of ${total} pages of ${name} could not be read; 'Get Errors' says why`,
		);
	}
}

/** What was read of a job. */
export interface JobReading {
	results: Result[];
	/** The job's last answer, its documents left out. */
	last: IDataObject;
}

/** The job's failed pages. When they cannot be read, a notice says so: the documents are paid for, and stay. */
async function failuresOf(kind: DocumentJobKind, id: string, call: Call): Promise<Result[]> {
	const failures = await settle(failureResults(jobPath(kind, id), id, call));
	if ('value' in failures) return failures.value;
	call.notice(
		`The failed pages of the ${kind.noun} ${id} could not be read (${failures.error.message}); 'Get Errors' reads them`,
	);
	return [];
}

/** Reads a job's documents and makes results of them. `answer` is what is known about the job, its `id` included. */
export async function readJob(
	kind: DocumentJobKind,
	answer: IDataObject,
	{ output, returnFailed }: Values,
	span: Span,
	call: Call,
): Promise<JobReading> {
	const id = String(answer.id);
	const path = jobPath(kind, id);
	const reading = await readDocuments(path, span, call);
	// A look's own documents and the address of its next page are none of the whole result's.
	const last = { ...without(answer, 'data', 'next'), ...reading.state, id };
	noticesIn(last).forEach(call.notice);
	if (reading.missing !== undefined) {
		call.notice(`The result of the ${kind.noun} ${id} is partial: ${reading.missing}`);
	}
	const whole = span.skip === undefined && span.limit === undefined;
	if (whole && !isOn(returnFailed) && reading.missing === undefined) {
		noticeWhatIsMissing(reading, last, kind.noun, call);
	}
	if (output === 'response') {
		return { results: [{ json: { ...last, data: reading.documents } }], last };
	}
	const invalid = answer.invalidURLs ?? kind.invalidIn?.(call);
	const failed = isOn(returnFailed)
		? [...invalidResults(invalid, id), ...(await failuresOf(kind, id, call))]
		: [];
	const results = [...documentResults(reading, last), ...failed];
	return { results: kind.arrange?.(results, call) ?? results, last };
}

/** A kind of job as the runtime follows it: its documents come out also when it failed or was cancelled, for they are paid for. */
export const documentJob = (kind: DocumentJobKind): Job => ({
	noun: kind.noun,
	path: (id) => jobPath(kind, id),
	lookQuery,
	accepts: isJobState,
	endEvents: ['completed', 'failed'],
	async finish(answer, values, call) {
		const { results, last } = await readJob(kind, answer, values, {}, call);
		const { status, error } = last;
		if (results.length > 0 || status === 'completed') return results;
		const words = typeof error === 'string' ? error : `It ended as ${String(status)}`;
		// The job's end is known, so the error names it without advising to read it later.
		const place = { ...call.place, job: undefined };
		throw operationError(
			`${words} (${kind.noun} ${String(answer.id)})`,
			`No page was read. 'Get Errors' says why.`,
			place,
		);
	},
	started: jobResult,
	async unfinished(answer, values, call) {
		const { results, last } = await readJob(kind, answer, values, {}, call);
		return results.length > 0 ? results : [jobResult(last)];
	},
});
