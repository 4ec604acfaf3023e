import { operation } from '../../../runtime/operation';
import { settingsFields } from '../../../runtime/settings';
import { startedAs } from '../../../runtime/started';
import { agentRun } from './job';
import { agentRequest, agentStart } from './request';

/** POST /agent (addendum 1). */
export const start = operation({
	name: 'Start',
	value: 'start',
	action: 'Start an agent run',
	description:
		"Starts an agent run and returns its job ID at once, without the result; Get reads it later. Costs what the work takes, up to 'Max Credits'.",
	request: agentRequest,
	settings: settingsFields({ starts: true }),
	costs: 'as Run',
	async run(body, _values, call) {
		const answer = await call.send(agentStart(body));
		return [agentRun.started(startedAs(agentRun.noun, answer, call.place), {})];
	},
});
