import type { INodeProperties } from 'n8n-workflow';

/** The form of a finished agent run's items. */
export const agentOutputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'result',
	options: [
		{
			name: 'One Item per List Entry',
			value: 'entries',
			description: 'Splits the result if it is a list or contains a single list',
		},
		{ name: 'One Item per Run', value: 'result' },
		{ name: 'Whole Response', value: 'response', description: 'The unmodified response' },
	],
	description: 'What to return as items',
};
