import type { INodeProperties } from 'n8n-workflow';

interface Pairs extends Pick<INodeProperties, 'displayName' | 'name' | 'description'> {
	/** The words of the button that adds a pair. */
	button: string;
}

/**
 * Name and value pairs. A list of collections: of a fixed collection in a menu, n8n's editor passes over
 * the default, so that it would open without an entry.
 */
export const pairs = ({ button, ...base }: Pairs): INodeProperties => ({
	...base,
	type: 'collection',
	typeOptions: { multipleValues: true, multipleValueButtonText: button },
	placeholder: 'Add Field',
	default: { name: '', value: '' },
	options: [
		{ displayName: 'Name', name: 'name', type: 'string', default: '' },
		{ displayName: 'Value', name: 'value', type: 'string', default: '' },
	],
});
