import type {
	GenericValue,
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** A field of a node, wherever it is. */
export interface FieldPlace {
	/** The names of the fields down to it. */
	way: string[];
	field: INodeProperties;
	/** Parameters in which it holds a value and is shown. */
	holding(value: GenericValue): INodeParameters;
}

/** Fields beside each other, and the parameters that hold them. */
interface Level {
	fields: readonly INodeProperties[];
	way: string[];
	put(members: IDataObject): IDataObject;
}

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isGroup = (entry: Entry): entry is INodePropertyCollection => 'values' in entry;

/** A value of a field that shows others: of a choice of several it is one of those. */
const chosen = (fields: readonly INodeProperties[], name: string, value: GenericValue) =>
	fields.some((field) => field.name === name && field.type === 'multiOptions') ? [value] : value;

/** Values with which a field is shown: of fields beside it, and of the node's own. */
function companions({ displayOptions }: INodeProperties, fields: readonly INodeProperties[]) {
	const shown = Object.entries(displayOptions?.show ?? {}).map(
		([name, wanted = []]): [string, GenericValue] => [
			name,
			chosen(fields, name, wanted[0] as GenericValue),
		],
	);
	const hidden = Object.keys(displayOptions?.hide ?? {}).map((name): [string, GenericValue] => [
		name,
		'tide',
	]);
	const all = [...shown, ...hidden];
	return {
		beside: Object.fromEntries(all.filter(([name]) => !/^[/@]/.test(name))),
		above: Object.fromEntries(
			all.filter(([name]) => name.startsWith('/')).map(([name, value]) => [name.slice(1), value]),
		),
	};
}

function placesIn({ fields, way, put }: Level): FieldPlace[] {
	return fields.flatMap((field) => {
		const own = [...way, field.name];
		const { beside, above } = companions(field, fields);
		const holding = (value: GenericValue | IDataObject) =>
			({ ...put({ ...beside, [field.name]: value }), ...above }) as INodeParameters;
		const isList = field.typeOptions?.multipleValues === true;
		const entries: Entry[] = field.options ?? [];
		const inList = (members: IDataObject) => (isList ? [members] : members);
		return [
			{ way: own, field, holding },
			...placesIn({
				fields: entries.filter(isProperty),
				way: own,
				put: (members) => holding(inList(members) as IDataObject),
			}),
			...entries.filter(isGroup).flatMap((group) =>
				placesIn({
					fields: group.values,
					way: own,
					put: (members) => holding({ [group.name]: inList(members) } as IDataObject),
				}),
			),
		];
	});
}

/** All fields of a node or an operation, at any depth. Those that only a tool's editor shows are not among them. */
export const fieldPlaces = (fields: readonly INodeProperties[]): FieldPlace[] =>
	placesIn({ fields, way: [], put: (members) => members }).filter(
		({ field }) => field.displayOptions?.show?.['@tool'] === undefined,
	);
