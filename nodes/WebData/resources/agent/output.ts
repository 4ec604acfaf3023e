import type { INodeProperties } from 'n8n-workflow';

/** What the items of a finished agent run are. */
export const agentOutputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'result',
	options: [
		{
			name: 'One Item per List Entry',
			value: 'entries',
			description: 'Splits the list that the result is, or the only list in it',
		},
		{ name: 'One Item per Run', value: 'result' },
		{ name: 'Whole Response', value: 'response', description: "The service's answer as it is" },
	],
	description: "What the node's items are",
};
