import { stringRecord } from '../../runtime/form/schema';
import { field } from '../../runtime/form/field';

/**
 * Name and value pairs. A list of collections: of a fixed collection in a menu, n8n's editor passes over
 * the default, so that it would open without an entry. `button` are the words of the button that adds one.
 */
export const pairs = ({
	button,
	...about
}: {
	displayName: string;
	description: string;
	button: string;
}) =>
	field(
		{
			...about,
			type: 'collection',
			typeOptions: { multipleValues: true, multipleValueButtonText: button },
			placeholder: 'Add Field',
			default: { name: '', value: '' },
			options: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
		stringRecord(),
	);
