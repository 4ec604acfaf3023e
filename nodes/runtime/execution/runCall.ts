import type { IExecuteFunctions } from 'n8n-workflow';
import { fileOf } from '../output/binaryFile';
import { callOn, sendPaid, type ItemContext } from '../jobs/itemContext';
import { upload } from '../http/client';
import { atExecutionEnd, startOrCancel } from '../jobs/executionCleanup';
import { runJob, startJob, type JobContext } from '../jobs/job';
import { StartedJobs } from '../jobs/startedJobs';
import type { RunCall, Values } from '../operation/operation';
import { sendWithRetries } from '../http/send';

/** What a job needs of an item and its execution. */
const jobContextOf = (
	itemContext: ItemContext,
	context: IExecuteFunctions,
	values: Values,
	{ account, asleep }: Pick<JobContext, 'account' | 'asleep'>,
): JobContext => ({
	...itemContext,
	context,
	values,
	account,
	asleep,
	started: () => new StartedJobs(context),
});

/** What an operation needs while the execution that it works for runs. */
export const runCallOn = (
	itemContext: ItemContext,
	context: IExecuteFunctions,
	values: Values,
	shared: Pick<RunCall, 'isHosted' | 'memory'> & Pick<JobContext, 'account' | 'asleep'>,
): RunCall => ({
	isHosted: shared.isHosted,
	plan: async () => await Promise.resolve(),
	memory: shared.memory,
	runJob: async (job, request) =>
		await runJob(job, request, jobContextOf(itemContext, context, values, shared)),
	startJob: async (job, request) =>
		await startJob(job, request, jobContextOf(itemContext, context, {}, shared)),
	fileOf: async (data) => await fileOf(data, context.helpers),
	binaryOf: async (content, fileName, mimeType) =>
		await context.helpers.prepareBinaryData(content, fileName, mimeType),
	upload: async (file) => {
		const { inPrivateNetwork } = itemContext.line;
		const uploadOnce = async () => await upload(context, file, inPrivateNetwork);
		return await sendWithRetries(uploadOnce, 'safe', {
			...itemContext.line,
			rateLimiters: undefined,
		});
	},
	sendStart: async (request, ending) =>
		await sendPaid(
			request,
			itemContext,
			async (start, line) => await startOrCancel(start, ending, line),
		),
	atExecutionEnd: (request) => atExecutionEnd(request, context, itemContext.line),
	// Behind the functions: V8 takes 15 µs for each object where they stand behind a spread.
	...callOn(itemContext),
});
