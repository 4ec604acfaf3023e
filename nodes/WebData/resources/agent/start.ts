import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { agentRun } from './job';
import { agentRequest, agentStart } from './request';

/** POST /agent (https://docs.firecrawl.dev/api-reference/endpoint/agent). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start an agent run',
	description:
		'Starts an agent run and returns its job ID immediately, by which the result can be fetched later. Credits depend on the work.',
	request: agentRequest,
	settings: settingsFields({ starts: true }),
	costs: 'as Run',
	async run(body, context) {
		return await context.startJob(agentRun, agentStart(body));
	},
});
