import { oneOf } from '../../runtime/form/field';

/** The level of detail of a domain's data tools (docs/api-notes.md, Requests). */
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
