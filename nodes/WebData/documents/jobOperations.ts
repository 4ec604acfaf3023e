import type { IDataObject } from 'n8n-workflow';
import { cancelJob as endJob } from '../../runtime/cancelJob';
import { fields, flag, isOn, membersOf, wholeNumber } from '../../runtime/contract';
import { operation, type Operation } from '../../runtime/operation';
import { settingsFields } from '../../runtime/settings';
import { jobIdContract, jobIdField, readJobId } from '../fields/jobId';
import { limitFields } from '../fields/limit';
import { outputField } from '../fields/output';
import { uuid } from '../fields/uuid';
import {
	jobPath,
	jobResult,
	noticeLack,
	readJob,
	returnFailedField,
	type DocumentJobKind,
} from './documentJob';
import { failedResults, readFailedPages } from './failures';

const idField = ({ noun }: DocumentJobKind) =>
	jobIdField(`ID of the ${noun}, as Run and Start return it; kept for 24 hours after its end`);

/** GET /batch/scrape/{id} and GET /crawl/{id}. */
export const getJob = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get',
		value: 'get',
		action: `Get the pages of a ${kind.noun}`,
		description: `Returns the pages that a ${kind.noun} has read so far, one item each, or its state alone while there are none. Free.`,
		fields: [
			idField(kind),
			...limitFields({
				all: true,
				initial: 100,
				description: 'Max number of results to return',
			}),
			returnFailedField,
			outputField,
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				options: [
					{
						displayName: 'Skip',
						name: 'skip',
						type: 'number',
						typeOptions: { minValue: 0 },
						default: 0,
						description: 'How many pages to leave out at the beginning',
					},
				],
			},
			...settingsFields({ documents: true, pages: true }),
		],
		costs: 'free',
		contract: fields({
			jobId: uuid(),
			returnAll: flag().optional(),
			limit: wholeNumber({ min: 1 }).optional(),
			skip: wholeNumber({ min: 0 }).optional(),
		}),
		read: ({ jobId, returnAll, limit, additionalFields }) => ({
			jobId,
			returnAll,
			limit: isOn(returnAll) ? undefined : limit,
			...membersOf(additionalFields),
		}),
		async run({ jobId, limit, skip }, values, call) {
			const place = { ...call.place, job: { id: jobId, noun: kind.noun } };
			const about: IDataObject = { id: jobId };
			const here = { ...call, place };
			const reading = await readJob(kind, about, values, { limit, skip }, here);
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
		description: `Stops a running ${kind.noun} and returns its job ID; of one that had ended, the item says alreadyEnded. The pages that it has read are charged and can be read with Get.`,
		fields: [idField(kind), ...settingsFields()],
		costs: 'free',
		contract: jobIdContract,
		read: readJobId,
		async run({ jobId }, _values, call) {
			return await endJob(jobPath(kind, jobId), jobId, call);
		},
	});

/** GET /batch/scrape/{id}/errors and GET /crawl/{id}/errors. */
export const getJobErrors = (kind: DocumentJobKind): Operation =>
	operation({
		name: 'Get Errors',
		value: 'getErrors',
		action: `Get the errors of a ${kind.noun}`,
		description: `Returns the pages of a ${kind.noun} that could not be read and those that robots.txt forbids, one item each. Free.`,
		fields: [idField(kind), ...settingsFields()],
		costs: 'free',
		contract: jobIdContract,
		read: readJobId,
		run: async ({ jobId }, _values, call) =>
			failedResults(await readFailedPages(jobPath(kind, jobId), call), jobId),
	});
