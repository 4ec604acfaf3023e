import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** What the options of a property are: choices, groups, or fields. */
type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

export const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
export const isCollection = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;

export const entriesOf = ({ options = [] }: INodeProperties): Entry[] => options;

/** A field with all that it holds. */
export const withInner = (field: INodeProperties): INodeProperties[] => [
	field,
	...entriesOf(field)
		.flatMap((entry) => (isCollection(entry) ? entry.values : entry))
		.filter(isProperty)
		.flatMap(withInner),
];
