import type { INodeProperties } from 'n8n-workflow';

/** Name and value pairs. */
export const pairs = (
	base: Pick<INodeProperties, 'displayName' | 'name' | 'description'> & { placeholder: string },
): INodeProperties => ({
	...base,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	options: [
		{
			displayName: 'Entry',
			name: 'values',
			values: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
});
