import type { Schema } from '../../runtime/form/effects';
import { field } from '../../runtime/form/field';
import { isRecord } from '../../runtime/values/record';

/** The ID in n8n's value of a resource locator; a plain ID stays unchanged. */
export const pickedId = (value: unknown): unknown => (isRecord(value) ? value.value : value);

interface Picked {
	displayName: string;
	description: string;
	/** The list's placeholder. */
	select: string;
	/** The name of the node's search under `listSearch`. */
	searchListMethod: string;
	/** An example of an ID. */
	exampleId: string;
}

/** A resource to pick from the service's list or by its ID. */
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
