import type { IDataObject } from 'n8n-workflow';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { isFinished, statusRequest } from '../../../runtime/jobs/poll';
import { settingsFields } from '../../../runtime/form/options';
import { agentRun, finishRun, runId } from './job';
import { agentOutputField } from '../../../runtime/form/resultSettings';

/** GET /agent/{jobId} (https://docs.firecrawl.dev/api-reference/endpoint/agent-get). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get an agent run',
	description:
		'Returns the status of an agent run and, once finished, its result. A failed run is an error unless it has a partial result, which is marked with request.isPartial. Free.',
	costs: 'free',
	request: form({ jobId: runId }),
	settings: [agentOutputField, ...settingsFields()],
	async run({ jobId }, context) {
		const { output } = context.settings;
		const response = await context.send(statusRequest(agentRun, jobId));
		const state: IDataObject = { ...(response.body as IDataObject), id: jobId };
		const errorSource = { ...context.errorSource, job: { id: jobId, noun: agentRun.noun } };
		return isFinished(state)
			? await finishRun(state, output, { ...context, errorSource })
			: [agentRun.started(state, context.settings)];
	},
});
