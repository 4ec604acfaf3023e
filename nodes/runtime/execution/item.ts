import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { stoppedError } from '../errors/webDataError';
import type { RetryPolicy } from '../http/retry';
import type { Settings } from '../form/settings';
import { isTool } from '../tool/tool';
import { completesTurn, delay } from '../values/time';
import type { Charge, Spending } from '../spending/budget';
import { sendPaid, type Payer, type SpendingRun } from '../spending/paid';
import type { ItemRequest, ReadContext, Result, ResultFormat } from '../operation';
import { withFiles } from './files';
import { toItems } from './items';
import { Semaphore, eachConcurrent } from '../values/outcome';

/** State that all items of one execution share, or of one poll of a trigger. It is not stored. */
export interface Run extends SpendingRun {
	format: ResultFormat;
	/** The jobs by ID that it has started or waited for, in words; with its state if a stop has left one. */
	jobs: Map<string, string>;
	/** Limits the concurrency of downloads. */
	fetches: Semaphore;
}

/** Creates the state of an execution or of a poll, for a connection. */
export const newRun = (
	{ account }: Pick<Run, 'account'>,
	format: ResultFormat,
	spending: Spending,
): Run => ({
	format,
	account,
	notices: new Set(),
	ownNotes: new Set(),
	spending,
	jobs: new Map(),
	fetches: new Semaphore(mostFetches),
});

/** One request for one or several items, from its start until its results are items. */
export interface Item extends Payer {
	run: Run;
	/** The requests of its items. */
	requests: ItemRequest[];
}

/** The retry policy of the user's settings. */
export const policyOf = ({ maxRetryTime }: Settings): RetryPolicy => ({
	maxAttempts: 5,
	budget: maxRetryTime * 1000,
	backOffCap: 30_000,
});

/** The functions that an operation calls for one item. They record the cost of the job. */
export const readContextOf = (item: Item, charge?: Charge): ReadContext => ({
	errorSource: item.errorSource,
	settings: item.settings,
	requests: item.requests,
	send: async (request) => await sendPaid(request, item),
	notice: (text) => item.run.notices.add(text),
	remark(text, earlier = '') {
		const { ownNotes, notices } = item.run;
		const remarks = isTool(item.errorSource.node) ? ownNotes : notices;
		remarks.delete(earlier);
		remarks.add(text);
	},
	recordCost: (credits) => {
		if (charge) charge.known ??= credits;
	},
});

/** Most concurrent downloads of an item and of an execution: all files may be on one host. */
const fetchesAtOnce = 5;
const mostFetches = 25;

/** Characters processed in the time that it takes to find the files of a result. */
const workToFindFiles = 100;

/** Downloads the files of results. @throws WebDataError if stopped */
async function fetchFiles(
	results: Result[],
	item: Item,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<void> {
	const { signal, run } = item;
	await eachConcurrent(
		results,
		() => fetchesAtOnce,
		async (result, index) => {
			if (completesTurn(workToFindFiles)) await delay(0);
			results[index] = await run.fetches.during(async () => {
				const files = run.format.filesIn(result.json);
				return await withFiles(result, files, helpers, item);
			});
		},
		() => signal?.aborted === true,
	);
	if (signal?.aborted) throw stoppedError(item.errorSource);
	if (results.some(({ json }) => json.fileErrors !== undefined)) {
		run.notices.add(`Some files were not downloaded. See 'fileErrors' of the items.`);
	}
}

/** Completes every operation: downloads files, trims results and pairs items with their input. */
export async function complete(
	results: Result[],
	item: Item,
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
	simplified: string[] = [],
): Promise<INodeExecutionData[]> {
	const { settings, requests, run } = item;
	const notice = (text: string) => void run.notices.add(text);
	if (settings.downloadFiles) await fetchFiles(results, item, helpers);
	const partial = await run.format.noticeOf(results);
	if (partial !== undefined) notice(partial);
	const requestedBy = requests.map(({ itemIndex }) => itemIndex);
	const transform = run.format.createTransform(settings, requests.at(0)?.body);
	const keepFields = { fields: settings.outputFields, simplified, raw: [] }[settings.output];
	return await toItems(results, { keepFields, transform }, requestedBy, notice);
}
