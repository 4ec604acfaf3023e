import type { IDataObject } from 'n8n-workflow';
import { lookAt } from '../../../runtime/job';
import { form } from '../../../runtime/form';
import { operation } from '../../../runtime/operation';
import { isFinished } from '../../../runtime/poll';
import { settingsFields } from '../../../runtime/settings';
import { agentRun, finishRun } from './job';
import { runId } from './jobId';
import { agentOutputField } from './output';

/** GET /agent/{jobId} (addendum 1). */
export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get an agent run',
	description:
		'Returns the state of an agent run and, once it has finished, its result. A failed run is an error, unless it has found something: that comes out marked with request.isPartial. Free.',
	costs: 'free',
	request: form({ jobId: runId }),
	settings: [agentOutputField, ...settingsFields()],
	async run({ jobId }, { output }, call) {
		const answer = await call.send(lookAt(agentRun, jobId));
		const state: IDataObject = { ...(answer.body as IDataObject), id: jobId };
		const place = { ...call.place, job: { id: jobId, noun: agentRun.noun } };
		return isFinished(state)
			? await finishRun(state, output, { ...call, place })
			: [agentRun.started(state, { output })];
	},
});
