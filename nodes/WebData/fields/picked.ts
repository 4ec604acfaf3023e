import type { Schema } from '../../runtime/form/effects';
import { field } from '../../runtime/form/field';
import { isRecord } from '../../runtime/values/record';

/** The ID in what n8n stores for a pick; a bare ID is taken as it is. */
export const pickedId = (value: unknown): unknown => (isRecord(value) ? value.value : value);

interface Picked {
	displayName: string;
	description: string;
	/** What the list says before something is picked. */
	select: string;
	/** The node's own search of the list, by its name under `listSearch`. */
	searchListMethod: string;
	/** What an ID looks like. */
	exampleId: string;
}

/** Something that is picked from a list of the service, or named by its ID. */
export const picked = <Value>(
	{ displayName, description, select, searchListMethod, exampleId }: Picked,
	schema: Schema<Value>,
) =>
	field(
		{
			displayName,
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: select,
					typeOptions: { searchListMethod, searchable: true },
				},
				{ displayName: 'By ID', name: 'id', type: 'string', placeholder: exampleId },
			],
			description,
		},
		schema,
	);
