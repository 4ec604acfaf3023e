import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import {
	discriminatedUnion,
	objectSchema,
	isOn,
	listSchema,
	collectionFields,
	prepareFields,
	type BlankRule,
	type ListLimits,
	type Reject,
	type Schema,
} from './schema';
import {
	field,
	optionsOf,
	listField,
	propertyVisibleWhen,
	type Condition,
	type EditorOnly,
	type EmptyRule,
	type Field,
	type Choices,
	type Collection,
	type OptionalField,
	type DisplayConditions,
} from './field';
import { fieldOf, type JsonRecord } from '../values/record';

/** Fields by their names. */
export type FormFields = Record<string, Field<unknown> | EditorOnly>;

type Shape<Fields extends FormFields> = {
	[Name in keyof Fields as Fields[Name] extends EditorOnly ? never : Name]: Extract<
		Fields[Name],
		Field<unknown>
	>['schema'];
};

/** The request with these fields. */
type RequestOf<Fields extends FormFields> = z.output<z.ZodObject<Shape<Fields>, 'strict'>>;

/** Validates fields against each other. */
type Rule<Fields extends FormFields> = (request: RequestOf<Fields>, reject: Reject) => void;

/** The request of an operation: its fields in the editor, how n8n's values become it, and its schema. */
export interface Form<Request> {
	fields: INodeProperties[];
	read(values: Readonly<JsonRecord>, files?: IBinaryKeyData): unknown;
	schema: Schema<Request>;
}

/** Changes what each field has in the editor; it keeps its name and type, which Object.fromEntries loses. */
const mapFields = <Fields extends FormFields>(
	fields: Fields,
	change: (member: FormFields[string]) => FormFields[string],
): Fields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, member]) => [name, change(member)]),
	) as Fields;

/** Shows fields in a collection of the editor. */
export const inCollection = <Fields extends FormFields>(
	collection: Collection,
	fields: Fields,
): Fields => mapFields(fields, (member) => ({ ...member, collection }));

const additional: Collection = {
	name: 'additionalFields',
	displayName: 'Additional Fields',
	placeholder: 'Add Field',
};

/** Shows fields that few users need below Additional Fields. */
export const additionalFields = <Fields extends FormFields>(
	fields: Fields,
	shown: Pick<Collection, 'displayOptions'> = {},
): Fields => inCollection({ ...additional, ...shown }, fields);

const sortKey = ({ displayName }: INodeProperties) => displayName.toLowerCase();

/** Sorts the fields of a group by name, as the editor lists them; without a collation, which takes 6 ms to load. */
export const byName = (properties: readonly INodeProperties[]): INodeProperties[] =>
	[...properties].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

/** Turns a switch on that the user adds to a collection, which says of others that they are on anyway. */
function onWhenAdded(property: INodeProperties): INodeProperties {
	const { type, default: isOnAnyway, description } = property;
	if (type !== 'boolean') return property;
	return isOnAnyway
		? { ...property, description: `${description}; enabled by default` }
		: { ...property, default: true };
}

/** Marks a required field, except in a collection, where it is optional, and a choice, which always has a value. */
const mark = ({ property, isRequired, collection }: FormFields[string]) =>
	isRequired && !collection && property?.type !== 'options' ? { required: true } : {};

/** Creates the properties in the editor: each collection in the place of its first field, sorted by name. */
export function propertiesOf(fields: FormFields, within = false): INodeProperties[] {
	const properties = Object.entries(fields).flatMap(([name, member]) => {
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
		const options = byName(optionsOf(collection)).map(onWhenAdded);
		return [{ ...collection, type: 'collection', default: {}, options }];
	});
}

const isChosen = ({ field: name, value }: Condition, values: Readonly<JsonRecord>) =>
	typeof value === 'boolean' ? isOn(values[name]) === value : values[name] === value;

/** The schema of fields. Those that are always shown may stay empty, unlike those of a group that the user adds. */
export function schemaOf<Fields extends FormFields>(
	fields: Fields,
	rule?: Rule<Fields>,
	within = false,
): Schema<RequestOf<Fields>> {
	const shape: Record<string, Schema<unknown>> = {};
	const blanks: Record<string, BlankRule | undefined> = {};
	for (const [name, { schema, blank, collection }] of Object.entries(fields)) {
		if (schema) shape[name] = schema;
		blanks[name] = blank && !collection && !within ? 'rejectedUnlessUntouched' : blank;
	}
	// Each entry keeps its name and type; Object.entries loses them.
	return objectSchema(shape as Shape<Fields>, rule, blanks);
}

/** Adds to the values of other fields for which fields are shown. */
export const visibleWhen = <Fields extends FormFields>(
	show: DisplayConditions,
	fields: Fields,
): Fields =>
	mapFields(fields, ({ property, extraProperties, ...rest }) => ({
		...rest,
		property: property && propertyVisibleWhen(show, property),
		extraProperties: extraProperties?.map((each) => propertyVisibleWhen(show, each)),
	}));

/** An object: its properties in the editor and its schema. */
export interface ObjectParts<Value> {
	properties: INodeProperties[];
	schema: Schema<Value>;
}

/** Combines fields into an object. */
export const objectParts = <Fields extends FormFields>(
	fields: Fields,
	rule?: Rule<Fields>,
): ObjectParts<RequestOf<Fields>> => ({
	properties: propertiesOf(fields, true),
	schema: schemaOf(fields, rule, true),
});

/** Creates a group of fields that is an object in the request. */
export const object = <Fields extends FormFields>(
	displayName: string,
	description: string | undefined,
	about: Pick<INodeProperties, 'placeholder' | 'default'>,
	fields: Fields,
	rule?: Rule<Fields>,
): OptionalField<RequestOf<Fields>> => {
	const { properties, schema } = objectParts(fields, rule);
	const options = byName(properties).map(onWhenAdded);
	const texts = { displayName, ...(description && { description }) };
	return field({ ...texts, ...about, type: 'collection', options }, schema);
};

interface EntriesField extends ListLimits, EmptyRule {
	/** Name of an entry. */
	entry: string;
	/** Label of the button that adds one. */
	placeholder: string;
	/** Initial entries in the editor. */
	default?: INodeProperties['default'];
	/** Whether the user can sort them. */
	isSortable?: boolean;
}

/** Creates a field for a list of objects. */
export const entries = <Value>(
	displayName: string,
	description: string,
	{ placeholder, default: initial = {}, entry, isSortable, ...limits }: EntriesField,
	{ properties: values, schema }: ObjectParts<Value>,
) =>
	listField(
		{
			displayName,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, ...(isSortable && { sortable: true }) },
			placeholder,
			default: initial,
			description,
			options: [{ displayName: entry, name: 'values', values }],
		},
		listSchema(schema, limits),
		limits,
	);

/** The fields of the objects of these types. */
interface Section {
	types: readonly string[];
	fields: FormFields;
}

/** Combines fields that objects of these types have. */
export const section = (types: readonly string[], fields: FormFields): Section => ({
	types,
	fields,
});

/** Shows fields of an object that few users need below Options; they stay fields of the object itself. */
export const options = <Fields extends FormFields>(fields: Fields): Fields =>
	inCollection({ name: 'options', displayName: 'Options', placeholder: 'Add Option' }, fields);

interface Variants {
	/** Description of the field Type. */
	description?: string;
	types: Choices<string>;
	default: string;
	/** The fields in the order of the editor, each for the types that have it. */
	sections: Section[];
	/** Rules between the fields by type. */
	rules?: Record<string, (request: Readonly<JsonRecord>, reject: Reject) => void>;
}

/** Combines types of objects into one, distinguished by `type`; n8n may store fields of other types: omitted. */
export function variants({
	types,
	sections,
	rules = {},
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
			options: optionsOf(types),
		},
		...sections.flatMap(({ types: wanted, fields }) =>
			propertiesOf(fields, true).map((property) =>
				propertyVisibleWhen({ type: [...wanted] }, property),
			),
		),
	];
	const fieldsOf = (own: Section[]): FormFields =>
		Object.assign({}, ...own.map(({ fields }) => fields));
	const all = fieldsOf(sections);
	const kinds = Object.keys(types).map((value) => {
		const fields = fieldsOf(sections.filter(({ types: wanted }) => wanted.includes(value)));
		const isOwn = ([name]: [string, unknown]) => name in fields || !(name in all);
		const ownOf = (entry: JsonRecord) => Object.fromEntries(Object.entries(entry).filter(isOwn));
		return [value, prepareFields(schemaOf(fields, rules[value], true), ownOf)] as const;
	});
	return { properties, schema: discriminatedUnion(Object.fromEntries(kinds)) };
}

/** Creates the function that combines the editor's values into the request. */
function reading(fields: FormFields) {
	const read = Object.entries(fields).filter(
		([, { property, schema, collection, read: own }]) =>
			own !== undefined || (property && (schema ?? collection)),
	);
	return (values: Readonly<JsonRecord>, files?: IBinaryKeyData): unknown => {
		const found: JsonRecord = {};
		for (const [name, { collection, condition, read: own }] of read) {
			if (condition && !isChosen(condition, values)) continue;
			const source = collection ? collectionFields(values[collection.name]) : values;
			const value = own ? own(source, files) : source[name];
			// A missing value was not set, unlike a blank one.
			if (value !== undefined) found[name] = value;
		}
		return found;
	};
}

/** Combines fields into a request. `rule` validates them against each other. */
export function form<Fields extends FormFields>(
	fields: Fields,
	rule?: Rule<Fields>,
): Form<RequestOf<Fields>> {
	const requiredByChoice = Object.entries(fields).flatMap(([name, { condition, isRequired }]) =>
		condition && isRequired ? [{ name, condition }] : [],
	);
	const schema = schemaOf(fields, (request, reject) => {
		for (const { name, condition } of requiredByChoice) {
			const isNeeded = isChosen(condition, request);
			if (isNeeded && fieldOf(request, name) === undefined) reject('is required', name);
		}
		rule?.(request, reject);
	});
	return { fields: propertiesOf(fields), read: reading(fields), schema };
}

/** Embeds the schema of a form in another, for example one that prepares the value. */
export const mapSchema = <Request, Checked>(
	inner: Form<Request>,
	around: (schema: Schema<Request>) => Schema<Checked>,
): Form<Checked> => ({ ...inner, schema: around(inner.schema) });
