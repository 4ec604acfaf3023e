import type { IExecuteFunctions } from 'n8n-workflow';
import { fileOf } from './binaryFile';
import { callOn, sendPaid, type Errand } from './call';
import { upload } from './client';
import { atExecutionEnd, startOrEnd } from './executionEnd';
import { runJob } from './job';
import type { RunCall, Values } from './operation';
import { persist } from './send';

/** What an operation needs while the execution that it works for runs. */
export const runCallOn = (
	errand: Errand,
	context: IExecuteFunctions,
	values: Values,
	{ isHosted, memory }: Pick<RunCall, 'isHosted' | 'memory'>,
): RunCall => ({
	...callOn(errand),
	isHosted,
	plan: async () => await Promise.resolve(),
	memory,
	runJob: async (job, request) => await runJob(job, request, { ...errand, context, values }),
	fileOf: async (data) => await fileOf(data, context.helpers),
	binaryOf: async (content, fileName, mimeType) =>
		await context.helpers.prepareBinaryData(content, fileName, mimeType),
	upload: async (file) => {
		const { inPrivateNetwork } = errand.line;
		const uploadOnce = async () => await upload(context, file, inPrivateNetwork);
		return await persist(uploadOnce, 'read', { ...errand.line, rateLimiters: undefined });
	},
	sendStart: async (request, ending) =>
		await sendPaid(request, errand, async (start, line) => await startOrEnd(start, ending, line)),
	atExecutionEnd: (request) => atExecutionEnd(request, context, errand.line),
});
