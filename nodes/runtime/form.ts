import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v3';
import { fields, isOn, membersOf, type Refuse } from './contract';
import {
	field,
	type Condition,
	type Field,
	type Group,
	type OptionalField,
	type Schema,
} from './field';
import type { JsonRecord } from './record';

export type Members = Record<string, Field<unknown>>;

type Shape<Fields extends Members> = { [Name in keyof Fields]: Fields[Name]['schema'] };

/** The request that is made of these fields. */
export type RequestOf<Fields extends Members> = z.output<z.ZodObject<Shape<Fields>, 'strict'>>;

/** The request of an operation: its fields in the editor, how n8n's values become it, and what is checked. */
export interface Form<Request> {
	fields: INodeProperties[];
	read(values: Readonly<JsonRecord>): unknown;
	contract: Schema<Request>;
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
export const additionalFields = <Fields extends Members>(members: Fields): Fields =>
	grouped(additional, members);

/** Fields of a group in the order of their names, as the editor lists them. */
export const byName = (properties: readonly INodeProperties[]): INodeProperties[] =>
	[...properties].sort((one, other) => one.displayName.localeCompare(other.displayName));

/** The properties of the editor, each group where its first member stands, its members in the order of their names. */
export function propertiesOf(members: Members): INodeProperties[] {
	const properties = Object.entries(members).flatMap(([name, { property, group }]) =>
		property ? [{ group, property: { ...property, name } }] : [],
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
		Object.entries(members).map(([name, { schema }]) => [name, schema]),
	) as Shape<Fields>;

/** A group of fields that is one member of the request, an object. */
export const object = <Fields extends Members>(
	about: Omit<INodeProperties, 'name' | 'type' | 'options'>,
	members: Fields,
	rule?: (request: RequestOf<Fields>, refuse: Refuse) => void,
): OptionalField<RequestOf<Fields>> =>
	field(
		{ ...about, type: 'collection', options: propertiesOf(members) },
		fields(shapeOf(members), rule),
	);

/** Puts the editor's values together as the request; what no field of a group knows is left, to be refused. */
function reading(members: Members) {
	const all = Object.entries(members);
	const groups = [...new Set(all.flatMap(([, { group }]) => group?.name ?? []))];
	return (values: Readonly<JsonRecord>): unknown => {
		const beside = all.filter(
			([, { group, condition }]) => !group && (!condition || isChosen(condition, values)),
		);
		return Object.fromEntries([
			...beside.map(([name]) => [name, values[name]]),
			...groups.flatMap((name) => Object.entries(membersOf(values[name]))),
		]);
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
	rule?: (request: RequestOf<Fields>, refuse: Refuse) => void,
): Form<RequestOf<Fields>> {
	const contract = fields(shapeOf(members), (request, refuse) => {
		refuseMissing(members, request, refuse);
		rule?.(request, refuse);
	});
	return { fields: propertiesOf(members), read: reading(members), contract };
}
