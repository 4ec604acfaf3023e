import type { INodeProperties } from 'n8n-workflow';
import { properties as pollFields } from '../../nodes/WebDataPollingTrigger/properties';
import { triggerFields } from '../../nodes/WebDataTrigger/settings';
import type { DirectTriggers } from './directTriggers.cjs';

/** What a trigger does with its parameters, and what these are. */
interface Work {
	name: string;
	fields: INodeProperties[];
	work(triggers: DirectTriggers, parameters: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** All that the triggers do. */
export const triggerWorks: Work[] = [
	{
		name: 'Web Data Polling Trigger: by the schedule',
		fields: pollFields,
		work: async (triggers, parameters) => await triggers.poll(parameters, 'trigger'),
	},
	{
		name: 'Web Data Polling Trigger: by hand',
		fields: pollFields,
		work: async (triggers, parameters) => await triggers.poll(parameters, 'manual'),
	},
	{
		name: 'Web Data Trigger: activation',
		fields: triggerFields,
		work: async (triggers, parameters) => await triggers.activate(parameters),
	},
];
