import type { IBinaryKeyData, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import {
	discriminatedUnion,
	filterSchema,
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
	shownWith,
	type Condition,
	type EditorOnly,
	type Field,
	type Group,
	type OptionalField,
	type Show,
	type Shown,
} from './field';
import { checkedOnce, type Schema } from './effects';
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
export const grouped = <Fields extends Members>(group: Group, members: Fields): Fields =>
	// Each entry keeps its name and type; Object.fromEntries cannot say so.
	Object.fromEntries(
		Object.entries(members).map(([name, member]) => [name, { ...member, group }]),
	) as Fields;

const additional: Group = {
	name: 'additionalFields',
	displayName: 'Additional Fields',
	placeholder: 'Add Field',
};

/** The fields that few users need. */
export const additionalFields = <Fields extends Members>(
	members: Fields,
	shown: Pick<Group, 'displayOptions'> = {},
): Fields => grouped({ ...additional, ...shown }, members);

const sortKey = ({ displayName }: INodeProperties) => displayName.toLowerCase();

/** Fields of a group in the order of their names, as the editor lists them. To load the collation of a language takes 6 ms. */
export const byName = (properties: readonly INodeProperties[]): INodeProperties[] =>
	[...properties].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));

/** The properties of the editor, each group where its first member stands, its members in the order of their names. */
export function propertiesOf(members: Members): INodeProperties[] {
	const properties = Object.entries(members).flatMap(([name, { property, beside = [], group }]) =>
		[...(property ? [{ ...property, name }] : []), ...beside].map((each) => ({
			group,
			property: each,
		})),
	);
	const optionsOf = (wanted: Group) =>
		properties.flatMap(({ group, property }) => (group === wanted ? [property] : []));
	const shown = new Set<Group>();
	return properties.flatMap(({ group, property }) => {
		if (!group) return [property];
		if (shown.has(group)) return [];
		shown.add(group);
		const options = byName(optionsOf(group));
		return [{ ...group, type: 'collection', default: {}, options }];
	});
}

const isChosen = ({ field: name, value }: Condition, values: Readonly<JsonRecord>) =>
	typeof value === 'boolean' ? isOn(values[name]) === value : values[name] === value;

/** The schemas of fields, by their names. */
export const shapeOf = <Fields extends Members>(members: Fields): Shape<Fields> =>
	// Each entry keeps its name and type; Object.fromEntries cannot say so.
	Object.fromEntries(
		Object.entries(members).flatMap(([name, { schema }]) => (schema ? [[name, schema]] : [])),
	) as Shape<Fields>;

/** How blanks of fields are treated, by their names. Those that the user does not add to a group are always shown, and may stand empty. */
export const blanksOf = (members: Members): BlankRules =>
	Object.fromEntries(
		Object.entries(members).map(([name, { blank, group }]) => [
			name,
			blank && !group ? 'refusedUnlessUntouched' : blank,
		]),
	);

/** Schema of the fields of a node or an operation. */
export const schemaOf = <Fields extends Members>(
	members: Fields,
	rule?: Rule<Fields>,
): Schema<RequestOf<Fields>> => objectSchema(shapeOf(members), rule, blanksOf(members));

/** Schema of a group of fields, each of which the user adds. */
const groupSchema = <Fields extends Members>(members: Fields, rule?: Rule<Fields>) =>
	objectSchema(
		shapeOf(members),
		rule,
		Object.fromEntries(Object.entries(members).map(([name, { blank }]) => [name, blank])),
	);

/** These fields, shown only while others hold these values, too. */
export function shownWhen<Fields extends Members>(show: Show, members: Fields): Fields {
	// Each entry keeps its name and type; Object.fromEntries cannot say so.
	return Object.fromEntries(
		Object.entries(members).map(([name, { property, beside, ...rest }]) => [
			name,
			{
				...rest,
				property: property && shownWith(show, property),
				beside: beside?.map((each) => shownWith(show, each)),
			},
		]),
	) as Fields;
}

/** What an object consists of: what the editor shows of it, and what the API takes. */
export interface Parts<Value> {
	properties: INodeProperties[];
	schema: Schema<Value>;
}

/** An object of fields. */
export const parts = <Fields extends Members>(
	members: Fields,
	rule?: Rule<Fields>,
): Parts<RequestOf<Fields>> => ({
	properties: propertiesOf(members),
	schema: groupSchema(members, rule),
});

/** A group of fields that is one member of the request, an object. */
export const object = <Fields extends Members>(
	about: Omit<INodeProperties, 'name' | 'type' | 'options'>,
	members: Fields,
	rule?: Rule<Fields>,
): OptionalField<RequestOf<Fields>> => {
	const { properties, schema } = parts(members, rule);
	const property = { ...about, type: 'collection' as const, options: byName(properties) };
	return field(property, checkedOnce(schema));
};

interface EntriesField extends Shown, ListLimits {
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
export const entries = <Value>(about: EntriesField, { properties, schema }: Parts<Value>) =>
	field(entriesProperty(about, properties), checkedOnce(listSchema(schema, about)));

/** A list of objects that says nothing when it is empty, and is then not sent. */
export const entriesIfAny = <Value>(about: EntriesField, { properties, schema }: Parts<Value>) =>
	field(entriesProperty(about, properties), checkedOnce(filterSchema(schema, about)));

/** Fields that objects of these types have. */
interface Section {
	types: readonly string[];
	members: Members;
}

/** Fields that objects of these types have. */
export const of = (types: readonly string[], members: Members): Section => ({ types, members });

/** The fields of an object that few users need: shown in a group of their own, though members of the object itself. */
export const options = <Fields extends Members>(members: Fields): Fields =>
	grouped({ name: 'options', displayName: 'Options', placeholder: 'Add Option' }, members);

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
}: Variants): Parts<JsonRecord & { type: string }> {
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
			propertiesOf(members).map((property) => shownWith({ type: [...wanted] }, property)),
		),
	];
	const kinds = types.map(({ value }) => {
		const own = sections.filter(({ types: wanted }) => wanted.includes(value));
		const members = own.reduce<Members>((all, section) => ({ ...all, ...section.members }), {});
		return [value, prepared(groupSchema(members, rules[value]), prepare)] as const;
	});
	return {
		properties,
		schema: discriminatedUnion(Object.fromEntries(kinds), { editor: properties }),
	};
}

/** Puts the editor's values together as the request; what no field of a group knows is left, to be refused. */
function reading(members: Members) {
	const all = Object.entries(members);
	const beside = all.filter(([, { group, property, schema, read }]) =>
		group ? false : read !== undefined || (property && schema),
	);
	const names = new Set(all.flatMap(([, { group }]) => group?.name ?? []));
	const groups = [...names].map((name) => ({
		name,
		read: all.filter(([, { group, read }]) => group?.name === name && read),
	}));
	return (values: Readonly<JsonRecord>, files?: IBinaryKeyData): unknown => {
		const found: Array<[name: string, value: unknown]> = [];
		// What is not among the values was not set, which is another thing than set to nothing.
		const add = (name: string, value: unknown) => {
			if (value !== undefined) found.push([name, value]);
		};
		for (const [name, { condition, read }] of beside) {
			if (condition && !isChosen(condition, values)) continue;
			add(name, read ? read(values, files) : values[name]);
		}
		for (const group of groups) {
			const own = membersOf(values[group.name]);
			found.push(...Object.entries(own));
			for (const [name, { read }] of group.read) found.push([name, read?.(own)]);
		}
		return Object.fromEntries(found);
	};
}

/** Refuses what a choice needs and does not have. */
function refuseMissing(members: Members, request: JsonRecord, refuse: Refuse) {
	for (const [name, { condition }] of Object.entries(members)) {
		const isNeeded = condition?.isRequired && isChosen(condition, request);
		if (isNeeded && request[name] === undefined) refuse('is required', name);
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
export const within = <Request, Checked>(
	asked: Form<Request>,
	around: (schema: Schema<Request>) => Schema<Checked>,
): Form<Checked> => ({ ...asked, schema: around(asked.schema) });
