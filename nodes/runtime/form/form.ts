import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import {
	discriminatedUnion,
	objectSchema,
	isOn,
	listSchema,
	membersOf,
	prepared,
	type BlankRules,
	type ListLimits,
	type Refuse,
} from './schema';
import {
	field,
	listField,
	propertyVisibleWhen,
	type Condition,
	type EditorOnly,
	type EmptyRule,
	type Field,
	type Collection,
	type OptionalField,
	type DisplayConditions,
	type FieldTexts,
} from './field';
import { memoized, type Schema } from './effects';
import type { JsonRecord } from '../values/record';

/** Fields by their names. */
export type Members = Record<string, Field<unknown> | EditorOnly>;

type Shape<Fields extends Members> = {
	[Name in keyof Fields as Fields[Name] extends EditorOnly ? never : Name]: Extract<
		Fields[Name],
		Field<unknown>
	>['schema'];
};

/** The request that is made of these fields. */
export type RequestOf<Fields extends Members> = z.output<z.ZodObject<Shape<Fields>, 'strict'>>;

/** Checks fields against each other. */
type Rule<Fields extends Members> = (request: RequestOf<Fields>, refuse: Refuse) => void;

/** The request of an operation: its fields in the editor, how n8n's values become it, and what is checked. */
export interface Form<Request> {
	fields: INodeProperties[];
	read(values: Readonly<JsonRecord>, files?: IBinaryKeyData): unknown;
	schema: Schema<Request>;
}

/** These fields, shown in a group of the editor. */
export const inCollection = <Fields extends Members>(
	collection: Collection,
	members: Fields,
): Fields =>
	// Each entry keeps its name and type; Object.fromEntries cannot say so.
	Object.fromEntries(
		Object.entries(members).map(([name, member]) => [name, { ...member, collection }]),
	) as Fields;

const additional: Collection = {
	name: 'additionalFields',
	displayName: 'Additional Fields',
	placeholder: 'Add Field',
};

/** The fields that few users need. */
export const additionalFields = <Fields extends Members>(
	members: Fields,
	shown: Pick<Collection, 'displayOptions'> = {},
): Fields => inCollection({ ...additional, ...shown }, members);

const sortKey = ({ displayName }: INodeProperties) => displayName.toLowerCase();

/** Fields of a group in the order of their names, as the editor lists them. To load the collation of a language takes 6 ms. */
export const byName = (properties: readonly INodeProperties[]): INodeProperties[] =>
	[...properties].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

/** Marks a field that must be filled in: not in a collection, where it need not be there, nor a choice, which always has a value. */
const mark = ({ property, isRequired, collection }: Members[string]) =>
	isRequired && !collection && property?.type !== 'options' ? { required: true } : {};

/**
 * The properties of the editor, each collection where its first member stands, its members in the order of
 * their names. Those of an object `within` a field are not marked as required.
 */
export function propertiesOf(members: Members, within = false): INodeProperties[] {
	const properties = Object.entries(members).flatMap(([name, member]) => {
		const { property, extraProperties = [], collection } = member;
		const own = property ? [{ ...property, ...(!within && mark(member)), name }] : [];
		return [...own, ...extraProperties].map((each) => ({ collection, property: each }));
	});
	const optionsOf = (wanted: Collection) =>
		properties.flatMap(({ collection, property }) => (collection === wanted ? [property] : []));
	const shown = new Set<Collection>();
	return properties.flatMap(({ collection, property }) => {
		if (!collection) return [property];
		if (shown.has(collection)) return [];
		shown.add(collection);
		const options = byName(optionsOf(collection));
		return [{ ...collection, type: 'collection', default: {}, options }];
	});
}

const isChosen = ({ field: name, value }: Condition, values: Readonly<JsonRecord>) =>
	typeof value === 'boolean' ? isOn(values[name]) === value : values[name] === value;

/** The schemas of fields, by their names. */
export const schemasOf = <Fields extends Members>(members: Fields): Shape<Fields> =>
	// Each entry keeps its name and type; Object.fromEntries cannot say so.
	Object.fromEntries(
		Object.entries(members).flatMap(([name, { schema }]) => (schema ? [[name, schema]] : [])),
	) as Shape<Fields>;

/** How blanks of fields are treated, by their names. Those that the user does not add to a group are always shown, and may stand empty. */
export const blanksOf = (members: Members): BlankRules =>
	Object.fromEntries(
		Object.entries(members).map(([name, { blank, collection }]) => [
			name,
			blank && !collection ? 'refusedUnlessUntouched' : blank,
		]),
	);

/** Schema of the fields of a node or an operation. */
export const schemaOf = <Fields extends Members>(
	members: Fields,
	rule?: Rule<Fields>,
): Schema<RequestOf<Fields>> => objectSchema(schemasOf(members), rule, blanksOf(members));

/** Schema of a group of fields, each of which the user adds. */
const collectionSchema = <Fields extends Members>(members: Fields, rule?: Rule<Fields>) =>
	objectSchema(
		schemasOf(members),
		rule,
		Object.fromEntries(Object.entries(members).map(([name, { blank }]) => [name, blank])),
	);

/** These fields, shown only while others hold these values, too. */
export function visibleWhen<Fields extends Members>(
	show: DisplayConditions,
	members: Fields,
): Fields {
	// Each entry keeps its name and type; Object.fromEntries cannot say so.
	return Object.fromEntries(
		Object.entries(members).map(([name, { property, extraProperties, ...rest }]) => [
			name,
			{
				...rest,
				property: property && propertyVisibleWhen(show, property),
				extraProperties: extraProperties?.map((each) => propertyVisibleWhen(show, each)),
			},
		]),
	) as Fields;
}

/** What an object consists of: what the editor shows of it, and what the API takes. */
export interface ObjectParts<Value> {
	properties: INodeProperties[];
	schema: Schema<Value>;
}

/** An object of fields. */
export const objectParts = <Fields extends Members>(
	members: Fields,
	rule?: Rule<Fields>,
): ObjectParts<RequestOf<Fields>> => ({
	properties: propertiesOf(members, true),
	schema: collectionSchema(members, rule),
});

/** A group of fields that is one member of the request, an object. */
export const object = <Fields extends Members>(
	about: Omit<INodeProperties, 'name' | 'type' | 'options'>,
	members: Fields,
	rule?: Rule<Fields>,
): OptionalField<RequestOf<Fields>> => {
	const { properties, schema } = objectParts(members, rule);
	const property = { ...about, type: 'collection' as const, options: byName(properties) };
	return field(property, memoized(schema));
};

interface EntriesField extends FieldTexts, ListLimits, EmptyRule {
	/** What one entry is called. */
	entry: string;
	/** The words of the button that adds one. */
	placeholder: string;
	/** The entries that the editor shows at first. */
	default?: INodeProperties['default'];
	/** Whether the editor lets them be put in another order. */
	isSortable?: boolean;
}

const entriesProperty = (
	{ displayName, placeholder, description, default: initial = {}, entry, isSortable }: EntriesField,
	values: INodeProperties[],
) => ({
	displayName,
	type: 'fixedCollection' as const,
	typeOptions: { multipleValues: true, ...(isSortable && { sortable: true }) },
	placeholder,
	default: initial,
	description,
	options: [{ displayName: entry, name: 'values', values }],
});

/** A list of objects. */
export const entries = <Value>(about: EntriesField, { properties, schema }: ObjectParts<Value>) =>
	listField(entriesProperty(about, properties), memoized(listSchema(schema, about)), about);

/** Fields that objects of these types have. */
interface Section {
	types: readonly string[];
	members: Members;
}

/** Fields that objects of these types have. */
export const section = (types: readonly string[], members: Members): Section => ({
	types,
	members,
});

/** The fields of an object that few users need: shown in a group of their own, though members of the object itself. */
export const options = <Fields extends Members>(members: Fields): Fields =>
	inCollection({ name: 'options', displayName: 'Options', placeholder: 'Add Option' }, members);

interface Variants {
	/** The choice of the type. */
	description?: string;
	types: Array<{ name: string; value: string; description?: string }>;
	default: string;
	/** The fields, in the order in which the editor shows them: each for the types that have it. */
	sections: Section[];
	/** Rules between the fields of a type. */
	rules?: Record<string, (request: Readonly<JsonRecord>, refuse: Refuse) => void>;
	/** Brings the fields of the editor into the shape of the API, before they are checked. */
	prepare?(members: JsonRecord): JsonRecord;
}

/** An object of one of several types, each with its own fields, told apart by `type`. */
export function variants({
	types,
	sections,
	rules = {},
	prepare = (members) => members,
	default: initial,
	...about
}: Variants): ObjectParts<JsonRecord & { type: string }> {
	const properties: INodeProperties[] = [
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			default: initial,
			...about,
			options: types,
		},
		...sections.flatMap(({ types: wanted, members }) =>
			propertiesOf(members, true).map((property) =>
				propertyVisibleWhen({ type: [...wanted] }, property),
			),
		),
	];
	const kinds = types.map(({ value }) => {
		const own = sections.filter(({ types: wanted }) => wanted.includes(value));
		const members = own.reduce<Members>((all, section) => ({ ...all, ...section.members }), {});
		return [value, prepared(collectionSchema(members, rules[value]), prepare)] as const;
	});
	return {
		properties,
		schema: discriminatedUnion(Object.fromEntries(kinds), { editor: properties }),
	};
}

/** Puts the editor's values together as the request; what no field of a group knows is left, to be refused. */
function reading(members: Members) {
	const all = Object.entries(members);
	const uncollected = all.filter(([, { collection, property, schema, read }]) =>
		collection ? false : read !== undefined || (property && schema),
	);
	const names = new Set(all.flatMap(([, { collection }]) => collection?.name ?? []));
	const collections = [...names].map((name) => ({
		name,
		read: all.filter(([, { collection, read }]) => collection?.name === name && read),
	}));
	return (values: Readonly<JsonRecord>, files?: IBinaryKeyData): unknown => {
		const found: Array<[name: string, value: unknown]> = [];
		// What is not among the values was not set, which is another thing than set to nothing.
		const add = (name: string, value: unknown) => {
			if (value !== undefined) found.push([name, value]);
		};
		for (const [name, { condition, read }] of uncollected) {
			if (condition && !isChosen(condition, values)) continue;
			add(name, read ? read(values, files) : values[name]);
		}
		for (const collection of collections) {
			const own = membersOf(values[collection.name]);
			found.push(...Object.entries(own));
			for (const [name, { read }] of collection.read) found.push([name, read?.(own)]);
		}
		return Object.fromEntries(found);
	};
}

/** Refuses what a choice needs and does not have. */
function refuseMissing(members: Members, request: JsonRecord, refuse: Refuse) {
	for (const [name, { condition, isRequired }] of Object.entries(members)) {
		const isMissing = isRequired && condition && isChosen(condition, request);
		if (isMissing && request[name] === undefined) refuse('is required', name);
	}
}

/** Puts fields together as a request. `rule` checks them against each other. */
export function form<Fields extends Members>(
	members: Fields,
	rule?: Rule<Fields>,
): Form<RequestOf<Fields>> {
	const schema = schemaOf(members, (request, refuse) => {
		refuseMissing(members, request, refuse);
		rule?.(request, refuse);
	});
	return { fields: propertiesOf(members), read: reading(members), schema };
}

/** A form whose schema is put into another, such as one that prepares what is checked. */
export const mapSchema = <Request, Checked>(
	asked: Form<Request>,
	around: (schema: Schema<Request>) => Schema<Checked>,
): Form<Checked> => ({ ...asked, schema: around(asked.schema) });
