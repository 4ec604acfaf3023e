import type { INodeProperties } from 'n8n-workflow';
import { choice } from '../../runtime/contract';

/** How much comes back of each data tool of a domain (addendum 3 and 4, `toolDetail`). */
export const toolDetailField: INodeProperties = {
	displayName: 'Tool Detail',
	name: 'toolDetail',
	type: 'options',
	default: 'summary',
	options: [
		{ name: 'Compact', value: 'compact', description: 'Provider, name and description' },
		{ name: 'Full', value: 'full', description: 'With options, answers and examples' },
		{ name: 'Summary', value: 'summary', description: 'With prices and the like' },
	],
	description: 'How much is said about each domain tool',
};

export const toolDetail = () => choice('compact', 'summary', 'full');
