import { stringRecord } from '../../runtime/form/schema';
import { field } from '../../runtime/form/field';

/**
 * Name and value pairs, as a list of collections: n8n's editor ignores the default of a fixed
 * collection in a menu, so it would open without an entry. `button` is the text of the button that
 * adds one.
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
