import { waitFields, settingsFields } from '../../../runtime/form/options';
import { operation } from '../../../runtime/operation/operation';
import { agentRun } from './job';
import { outputByExampleField } from '../../../runtime/form/resultSettings';
import { agentRequest, agentStart } from './request';

/** POST /agent, then its result (https://docs.firecrawl.dev/api-reference/endpoint/agent). */
export const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Run an agent',
	description:
		'Runs an autonomous agent that searches and scrapes the web for what the prompt describes, and returns structured data. Takes minutes; credits depend on the work.',
	request: agentRequest,
	settings: [...waitFields, outputByExampleField, ...settingsFields({ starts: true })],
	costs: '5 free runs a day, then depends on effort; failed runs are free',
	run: async (body, context) => await context.runJob(agentRun, agentStart(body)),
	job: agentRun,
});
