import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { cancelJob as endJob } from '../../runtime/jobs/job';
import { integer } from '../../runtime/form/field';
import { additionalFields, form } from '../../runtime/form/form';
import { operation, type Operation } from '../../runtime/operation/operation';
import { settingsFields } from '../../runtime/form/settings';
import { jobId } from '../fields/ids';
import { limit } from '../fields/limit';
import { jobResult, noticeLack, readJob, type DocumentJobKind } from './documentJob';
import { failedResults, readFailedPages } from './failures';

/** The settings of an operation that runs a job. */
export const runSettings: INodeProperties[] = settingsFields(
	'wait',
	'passageQuery',
	'output',
	'downloadFiles',
	'maxCreditsPerExecution',
	'maxRetryTime',
	'maxWait',
);

const idOf = ({ noun }: DocumentJobKind) =>
	jobId(`ID of the ${noun}, returned by Run and Start; retained for 24 hours after it ends`);

/** GET /batch/scrape/{id} and GET /crawl/{id}. */
export const getJob = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get',
		value: 'get',
		action: `Get the pages of a ${kind.noun}`,
		description: `Returns the pages that a ${kind.noun} has scraped so far, one item each, or only its status if there are none. Free.`,
		costs: 'free',
		request: form({
			jobId: idOf(kind),
			...limit({ all: true, default: 100, description: 'Max number of results to return' }),
			...additionalFields({
				skip: integer({
					displayName: 'Skip',
					min: 0,
					default: 0,
					description: 'How many pages to skip at the start',
				}),
			}),
		}),
		settings: settingsFields('passageQuery', 'output', 'downloadFiles'),
		async run({ jobId: id, limit: most, skip }, context) {
			const errorSource = { ...context.errorSource, job: { id, noun: kind.noun } };
			const about: IDataObject = { id };
			const here = { ...context, errorSource };
			const reading = await readJob(kind, about, { limit: most, skip }, here);
			noticeLack(reading, here);
			return reading.results.length > 0 ? reading.results : [jobResult(reading.last)];
		},
	});

/** DELETE /batch/scrape/{id} and DELETE /crawl/{id}. */
export const cancelJob = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Cancel',
		value: 'cancel',
		action: `Cancel a ${kind.noun}`,
		description: `Cancels a running ${kind.noun} and returns its job ID, with alreadyEnded if it had ended. Pages scraped so far are charged and can still be fetched.`,
		costs: 'free',
		request: form({ jobId: idOf(kind) }),
		settings: [],
		async run({ jobId: id }, context) {
			return await endJob(kind.cancel, id, context);
		},
	});

/** GET /batch/scrape/{id}/errors and GET /crawl/{id}/errors. */
export const getJobErrors = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get Errors',
		value: 'getErrors',
		action: `Get the errors of a ${kind.noun}`,
		description: `Returns the pages of a ${kind.noun} that failed and those that robots.txt disallows, one item each. Free.`,
		costs: 'free',
		request: form({ jobId: idOf(kind) }),
		settings: [],
		run: async ({ jobId: id }, context) =>
			failedResults(await readFailedPages(kind, id, context), id),
	});
