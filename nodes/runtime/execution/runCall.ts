import type { IExecuteFunctions } from 'n8n-workflow';
import { fileOf } from '../output/binaryFile';
import { callOn, sendPaid, type ItemContext } from '../jobs/itemContext';
import { upload } from '../http/client';
import { atExecutionEnd, startOrCancel } from '../jobs/executionCleanup';
import { runJob } from '../jobs/job';
import type { RunCall, Values } from '../operation/operation';
import { sendWithRetries } from '../http/send';

/** What an operation needs while the execution that it works for runs. */
export const runCallOn = (
	itemContext: ItemContext,
	context: IExecuteFunctions,
	values: Values,
	{ isHosted, memory }: Pick<RunCall, 'isHosted' | 'memory'>,
): RunCall => ({
	...callOn(itemContext),
	isHosted,
	plan: async () => await Promise.resolve(),
	memory,
	runJob: async (job, request) => await runJob(job, request, { ...itemContext, context, values }),
	fileOf: async (data) => await fileOf(data, context.helpers),
	binaryOf: async (content, fileName, mimeType) =>
		await context.helpers.prepareBinaryData(content, fileName, mimeType),
	upload: async (file) => {
		const { inPrivateNetwork } = itemContext.line;
		const uploadOnce = async () => await upload(context, file, inPrivateNetwork);
		return await sendWithRetries(uploadOnce, 'read', {
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
});
