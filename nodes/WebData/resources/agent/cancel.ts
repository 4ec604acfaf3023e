import { cancelJob } from '../../../runtime/jobs/cancelJob';
import { form } from '../../../runtime/form/form';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { agentRun, runId } from './job';

/**
 * DELETE /agent/{jobId} (https://docs.firecrawl.dev/api-reference/endpoint/agent-delete). The run
 * ends a little later.
 */
export const cancel = operation({
	name: 'Cancel',
	value: 'cancel',
	action: 'Cancel an agent run',
	description:
		'Cancels a running agent and returns its job ID, with alreadyEnded if it had ended. The run stops shortly after. Free.',
	costs: 'free',
	request: form({ jobId: runId }),
	settings: settingsFields(),
	async run({ jobId }, context) {
		return await cancelJob(agentRun.cancel, jobId, context);
	},
});
