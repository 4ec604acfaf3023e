import type { INodeProperties } from 'n8n-workflow';
import { describe as propertiesOf } from '../../../../nodes/runtime/execution/describe';
import { resources } from '../../../../nodes/WebData/resources';

const properties = propertiesOf(resources);

/** Whether only the editor of a tool shows a field. */
const isOfTool = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@tool'] !== undefined;

const own = ({ name, displayName, description }: INodeProperties) =>
	JSON.stringify({ name, displayName, description });

/** The fields that n8n shows for an operation, in its order. */
const shownFor = (resource: string, operation: string) =>
	properties
		.filter(({ displayOptions: { show } = {} }) =>
			[show?.resource?.includes(resource), show?.operation?.includes(operation)].every(Boolean),
		)
		.filter((property) => !isOfTool(property))
		.map(own);

describe('the editor', () => {
	it.each(
		resources.flatMap(({ value, operations }) =>
			operations.map((operation) => [value, operation.value, operation] as const),
		),
	)(
		'shows for %s: %s its own fields in their order, and no others',
		(resource, value, operation) => {
			expect(shownFor(resource, value)).toEqual(
				operation.fields.filter((field) => !isOfTool(field)).map(own),
			);
		},
	);
});
