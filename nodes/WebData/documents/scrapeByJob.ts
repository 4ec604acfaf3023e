import type { IDataObject } from 'n8n-workflow';
import { errorMessageIn } from '../../runtime/errors/response';
import { operationError } from '../../runtime/errors/message';
import type { Request } from '../../runtime/http/client';
import { hasCompleted } from '../../runtime/jobs/poll';
import { creditsIn } from '../../runtime/limits/budget';
import type { Job, JobContext, ReadContext } from '../../runtime/operation/operation';
import { noticesIn } from '../../runtime/output/results';
import { settle } from '../../runtime/values/settle';
import {
	creditsOf,
	pollQuery,
	readDocuments,
	readFailedPages,
	type DocumentJobKind,
	type FailedPage,
} from './documentJob';

/** The pages of a job. */
export interface JobPages {
	documents: IDataObject[];
	failed: FailedPage[];
	/** Whether the job completed and all its documents were fetched. */
	isWhole: boolean;
	/** Its credits; null if unknown. */
	credits: number | null;
	/** Whether the server counts credits at all, and may lower a limit to the remaining ones. */
	countsCredits: boolean;
	jobId?: string;
}

/** No pages, of no job. */
export const noPages: JobPages = {
	documents: [],
	failed: [],
	isWhole: false,
	credits: 0,
	countsCredits: true,
};

/**
 * Fetches all documents and failed pages of a job. A failed request makes the result incomplete.
 */
async function pagesOf(
	kind: DocumentJobKind,
	response: IDataObject,
	context: ReadContext,
): Promise<JobPages & { state: IDataObject }> {
	const id = String(response.id);
	const { documents, state, missing } = await readDocuments(kind, id, {}, context);
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

/**
 * Runs a job and fetches its pages, however it ends.
 * @throws NodeOperationError if it has none
 */
export async function scrapeByJob(
	kind: DocumentJobKind,
	request: Request,
	context: JobContext,
): Promise<JobPages> {
	const read: JobPages[] = [];
	const take: Job['finish'] = async (response, inner) => {
		const { state, ...pages } = await pagesOf(kind, response, inner);
		const jobId = String(response.id);
		if (pages.documents.length === 0 && !hasCompleted(state)) {
			const message = errorMessageIn(state.error) ?? `It ended as ${String(state.status)}`;
			throw operationError(`${message} (${kind.noun} ${jobId})`, nothingRead, inner.errorSource);
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
			finish: take,
			unfinished: take,
			started: () => ({ json: {} }),
		},
		request,
	);
	return read.at(0) ?? noPages;
}

const nothingRead = 'No page was scraped, and the remembered state is unchanged.';

/**
 * Warnings of maps, crawls and batches that do not concern pages omitted for lack of time, credits
 * or quota (docs/api-notes.md, Jobs and their status).
 */
const harmless = [
	// The list of errors includes the pages that robots.txt forbids.
	/^One or more pages were unable to be crawled because the robots\.txt file prevented this\b/,
	// Pages below the start page, if that is not the site's root.
	/^Only \d+ result\(s\) found\b/,
];

/** Whether a warning means, or may mean, that results are missing. */
export const mayMeanMissingResults = (warning: string): boolean =>
	!harmless.some((pattern) => pattern.test(warning));
