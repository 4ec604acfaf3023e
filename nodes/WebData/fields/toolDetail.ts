import { oneOf } from '../../runtime/form/field';

/** How much comes back of each data tool of a domain (docs/api-notes.md, Requests). */
export const toolDetail = oneOf({
	displayName: 'Tool Detail',
	default: 'summary',
	options: [
		{ name: 'Compact', value: 'compact', description: 'Provider, name and description' },
		{ name: 'Full', value: 'full', description: 'With options, responses and examples' },
		{ name: 'Summary', value: 'summary', description: 'With prices and other details' },
	],
	description: 'How much detail to return for each domain tool',
});
