import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../nodes/runtime/operation';

type Entry = NonNullable<INodeProperties['options']>[number];

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;

/** Groups of the editor whose members belong to the request itself. */
const groups = ['additionalFields', 'scrapeOptions'];

/** The fields in the editor that stand for a request of an operation: its own and those of its groups, but for the node's own options and the request as JSON. */
export const requestFields = ({ fields }: Operation): INodeProperties[] =>
	fields
		.flatMap((field) =>
			groups.includes(field.name) ? (field.options ?? []).filter(isProperty) : [field],
		)
		.filter(({ name }) => name !== 'options' && name !== 'requestJson');

/** Their names, sorted; a name that stands for two fields comes twice. */
export const requestFieldNames = (operation: Operation): string[] =>
	requestFields(operation)
		.map(({ name }) => name)
		.sort();

/** The values that a field of an operation offers. */
export const offeredValues = (operation: Operation, name: string): unknown[] =>
	requestFields(operation)
		.filter((field) => field.name === name)
		.flatMap(({ options = [] }) =>
			options.flatMap((option) => ('value' in option ? [option.value] : [])),
		);
