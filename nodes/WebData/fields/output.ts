import type { INodeProperties } from 'n8n-workflow';

/** One item per result, or one for the whole response. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: 'results',
	options: [
		{ name: 'One Item per Result', value: 'results' },
		{
			name: 'Whole Response',
			value: 'response',
			description: 'One item with the unmodified response',
		},
	],
	description: 'What to return as items',
};
