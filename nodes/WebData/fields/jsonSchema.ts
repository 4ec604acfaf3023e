import { z } from 'zod/v3';
import {
	isEmptyJson,
	jsonObject,
	prepared,
	ValidationFailure,
	tooDeep,
} from '../../runtime/form/schema';
import type { Schema } from '../../runtime/form/effects';
import { editorOnly, field } from '../../runtime/form/field';
import { fromJson, isTooDeep } from '../../runtime/values/json';
import { attempt } from '../../runtime/values/settle';
import { fieldOf, isRecord, type JsonRecord } from '../../runtime/values/record';

/** The use of a JSON Schema: for data of pages, or for an agent's result. */
type SchemaUse = 'page' | 'agent';

/** The JSON Schema type of a JSON value. */
const typeOf = (value: unknown): string =>
	Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

/** The fields of all objects among values, by name. */
function fieldsByName(values: unknown[]): Map<string, unknown[]> {
	const fields = new Map<string, unknown[]>();
	for (const [name, field] of values.filter(isRecord).flatMap((each) => Object.entries(each))) {
		const known = fields.get(name);
		if (known) known.push(field);
		else fields.set(name, [field]);
	}
	return fields;
}

/** The common schema of values: each of their types, or text if there is none. */
function schemaOf(values: unknown[]): JsonRecord {
	const found = new Set(values.map(typeOf));
	const isNullable = found.delete('null');
	const known = found.size === 0 ? ['string'] : [...found];
	const types = isNullable ? [...known, 'null'] : known;
	const properties = [...fieldsByName(values)].map(([name, fields]) => [name, schemaOf(fields)]);
	return {
		type: types.length === 1 ? types[0] : types,
		...(found.has('object') && { properties: Object.fromEntries(properties) }),
		...(found.has('array') && { items: schemaOf(values.filter(Array.isArray).flat()) }),
	};
}

/**
 * The JSON Schema of an example: objects by their fields, lists by all their entries. Each part has
 * a type and each list its items, which the service requires. The example is JSON of limited depth
 * by `fromJson`, so this recursion is bounded.
 */
export const schemaFromExample = (example: unknown): JsonRecord => schemaOf([example]);

/** An object with a list: the service extracts no list without a name. */
const withNamedList = (example: unknown) => (Array.isArray(example) ? { items: example } : example);

/** Whether a schema is that of a list as example, whose entries are the results. */
export function isNamedList(schema: unknown): boolean {
	const properties = fieldOf(schema, 'properties');
	return (
		isRecord(properties) &&
		Object.keys(properties).join() === 'items' &&
		fieldOf(properties.items, 'type') === 'array'
	);
}

/** The schema of an example from the editor or an expression, or the reason why it has none. */
function readExample(given: unknown): JsonRecord | ValidationFailure {
	if (isTooDeep(given)) return new ValidationFailure(tooDeep);
	// Dates from expressions become text, as in JSON; values that JSON cannot represent, such as
	// cycles, are rejected.
	const json = typeof given === 'string' ? given : attempt(() => JSON.stringify(given));
	const written = typeof json === 'string' ? json : json.ok ? json.value : undefined;
	if (written === undefined) return new ValidationFailure('must be a JSON object or list');
	const checked = jsonObject().safeParse(withNamedList(fromJson(written)));
	return checked.success
		? schemaFromExample(checked.data)
		: new ValidationFailure(checked.error.issues[0].message);
}

const likeExample =
	"looks like an example of the result, not a JSON Schema; to use an example, set 'Schema From' to Example";

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/**
 * Whether an object is an example of data instead of a JSON Schema: it has no keyword of a schema.
 */
function isExample(value: JsonRecord): boolean {
	const named: unknown[] = value.type === undefined ? [] : [value.type].flat();
	const isTyped = named.length > 0 && named.every((type) => types.some((known) => known === type));
	const isListed = ['anyOf', 'oneOf', 'allOf', 'enum'].some((key) => Array.isArray(value[key]));
	const isInner = ['properties', 'items', 'not', 'patternProperties'].some((key) =>
		isRecord(value[key]),
	);
	const isReference = typeof value.$ref === 'string';
	return !isTyped && !isListed && !isInner && !isReference && value.const === undefined;
}

const withoutIdentity = (schema: JsonRecord): JsonRecord =>
	Object.fromEntries(
		Object.entries(schema).filter(([keyword]) => keyword !== '$schema' && keyword !== '$id'),
	);

/**
 * A JSON Schema as an object or JSON text; the service validates it before a start. An agent's
 * schema is sent without `$schema` and `$id`: the service knows no newer draft, and accepts an ID
 * only once.
 */
const jsonSchema = (use: SchemaUse) =>
	jsonObject().transform((given, context): JsonRecord => {
		const schema = use === 'agent' ? withoutIdentity(given) : given;
		if (isExample(schema)) context.addIssue({ code: 'custom', message: likeExample });
		return schema;
	});

interface JsonSchemaFields {
	/** Prefix of the fields' names. */
	title?: string;
	use: SchemaUse;
	/** A sentence about the result without an example. */
	ifEmpty: string;
}

/**
 * A JSON Schema from an example or given directly. The editor's own fields `schemaType` and
 * `schemaExample` are never sent: `withSchema` replaces them by the schema.
 */
export const jsonSchemaFields = ({ title = '', use, ifEmpty }: JsonSchemaFields) => ({
	schemaType: editorOnly(
		{
			property: {
				displayName: `${title}Schema From`,
				type: 'options',
				default: 'example',
				options: [
					{
						name: 'Example',
						value: 'example',
						description: 'JSON object or list that shows the expected result',
					},
					{ name: 'JSON Schema', value: 'schema' },
				],
				description: 'How to define the structure of the result',
			},
		},
		({ schemaType }) => schemaType,
	),
	schemaExample: editorOnly(
		{
			property: {
				displayName: `${title}Example`,
				type: 'json',
				// The editor marks an empty text as invalid JSON.
				default: '{}',
				hint: 'e.g. { "product": "Mug", "price": 9.5 }',
				displayOptions: { show: { schemaType: ['example'] } },
				description: `Object with the fields and types of the result, or a list with one such object for several results; null means nullable text, an empty array means array of texts. ${ifEmpty}.`,
			},
		},
		({ schemaExample }) => schemaExample,
	),
	schema: field(
		{
			displayName: `${title}Schema`,
			type: 'json',
			default: '{}',
			displayOptions: { show: { schemaType: ['schema'] } },
			description:
				'JSON Schema of the result, such as {"type": "object", "properties": {"price": {"type": "number"}}}; none if empty',
		},
		jsonSchema(use),
	),
});

/**
 * Replaces the editor's own fields by the schema of the example, before the zod schema validates.
 */
export const withSchema = <Request>(schema: Schema<Request>): Schema<Request> =>
	prepared(schema, (value, context) => {
		const { schemaType, schemaExample, schema, ...fields } = value;
		const isExampleChosen = schemaType === 'example';
		const given = isExampleChosen ? schemaExample : schema;
		if (isEmptyJson(given)) return fields;
		if (!isExampleChosen) return { ...fields, schema };
		const read = readExample(given);
		if (!(read instanceof ValidationFailure)) return { ...fields, schema: read };
		context.addIssue({ code: 'custom', message: read.because, path: ['schemaExample'] });
		return z.NEVER;
	});
