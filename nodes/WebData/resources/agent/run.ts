import { waitFields } from '../../../runtime/jobs/job';
import { operation } from '../../../runtime/operation/operation';
import { settingsFields } from '../../../runtime/form/options';
import { agentRun } from './job';
import { agentOutputField } from './output';
import { agentRequest, agentStart } from './request';

/** POST /agent, then its end (https://docs.firecrawl.dev/api-reference/endpoint/agent). */
export const run = operation({
	name: 'Run',
	value: 'run',
	action: 'Run an agent',
	description:
		"Lets an autonomous agent search and read the web until it has what the prompt asks for, and returns its result as data. Takes minutes and costs what the work takes, up to 'Max Credits'. For one page or one search, use those.",
	request: agentRequest,
	settings: [...waitFields, agentOutputField, ...settingsFields({ starts: true, reuses: true })],
	costs: '5 free runs a day, then by effort; failed runs are free',
	run: async (body, _values, context) => await context.runJob(agentRun, agentStart(body)),
	job: agentRun,
});
