import { z } from 'zod/v3';
import { editorOnly, jsonField, oneOf } from '../../runtime/form/field';
import {
	forwardIssues,
	isEmptyJson,
	jsonObject,
	prepareFields,
	tooDeep,
	type Schema,
} from '../../runtime/form/schema';
import { fromJson, isTooDeep } from '../../runtime/values/json';
import { fieldOf, isRecord, type JsonRecord } from '../../runtime/values/record';
import { attempt } from '../../runtime/values/outcome';

/** The JSON Schema type of a JSON value. */
const typeOf = (value: unknown): string =>
	Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

/** The common schema of values: each of their types, or text if there is none. */
function commonSchema(values: unknown[]): JsonRecord {
	const found = new Set(values.map(typeOf));
	const isNullable = found.delete('null');
	const named = found.size === 0 ? ['string'] : [...found];
	const types = isNullable ? [...named, 'null'] : named;
	const fields = new Map<string, unknown[]>();
	for (const [name, value] of values.filter(isRecord).flatMap((each) => Object.entries(each))) {
		const known = fields.get(name);
		if (known) known.push(value);
		else fields.set(name, [value]);
	}
	const properties = [...fields].map(([name, each]) => [name, commonSchema(each)]);
	return {
		type: types.length === 1 ? types[0] : types,
		...(found.has('object') && { properties: Object.fromEntries(properties) }),
		...(found.has('array') && { items: commonSchema(values.filter(Array.isArray).flat()) }),
	};
}

/**
 * The JSON Schema of an example: objects by their fields, lists by all their entries. Each part has
 * a type and each list its items, which the service requires. The example is JSON of limited depth
 * by `fromJson`, so this recursion is bounded.
 */
export const schemaFromExample = (example: unknown): JsonRecord => commonSchema([example]);

/** Whether a schema is that of a list as example, whose entries are the results. */
export function isNamedList(schema: unknown): boolean {
	const properties = fieldOf(schema, 'properties');
	return (
		isRecord(properties) &&
		Object.keys(properties).join() === 'items' &&
		fieldOf(properties.items, 'type') === 'array'
	);
}

/** Whether an object has a keyword that says what a value is like. */
const isSchema = (value: unknown): boolean =>
	isRecord(value) &&
	['type', 'properties', 'items', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum'].some(
		(keyword) => keyword in value,
	);

/** Why what other tools call a schema is none, of which the service would extract nothing. */
function mistakeIn(schema: JsonRecord): string | undefined {
	const wrapper = ['schema', 'json_schema'].find((name) => isRecord(schema[name]));
	if (wrapper !== undefined && !('properties' in schema)) {
		return `wraps its schema: give what is below "${wrapper}" alone`;
	}
	if ('_def' in schema) return 'is an object of zod: convert it to JSON Schema';
	const fields = Object.values(schema);
	return !isSchema(schema) && fields.length > 0 && fields.every(isSchema)
		? 'lists fields without the object around them: write {"type": "object", "properties": {…}}'
		: undefined;
}

/** A JSON Schema as an object or JSON text, without `$schema` and `$id`, which the service may reject. */
const jsonSchema = jsonObject().transform((given, context): JsonRecord => {
	const schema = Object.fromEntries(
		Object.entries(given).filter(([name]) => name !== '$schema' && name !== '$id'),
	);
	const message = mistakeIn(schema);
	if (message !== undefined) context.addIssue({ code: 'custom', message });
	return schema;
});

/** The schema of an example from the editor or an expression. */
const exampleSchema = z.unknown().transform((given, context): JsonRecord => {
	const reject = (message: string) => {
		context.addIssue({ code: 'custom', message });
		return z.NEVER;
	};
	if (isTooDeep(given)) return reject(tooDeep);
	// Dates from expressions become text, as in JSON; values that JSON cannot represent, such as
	// cycles, are rejected.
	const json = typeof given === 'string' ? given : attempt(() => JSON.stringify(given));
	const written = typeof json === 'string' ? json : json.ok ? json.value : undefined;
	if (written === undefined) return reject('must be a JSON object or list');
	const example = fromJson(written);
	// The service extracts no list without a name.
	const named = jsonObject().safeParse(Array.isArray(example) ? { items: example } : example);
	if (!named.success) return reject(named.error.issues[0].message);
	return isRecord(named.data.properties) && isSchema(named.data)
		? reject("is a JSON Schema: set 'Schema From' to JSON Schema")
		: schemaFromExample(named.data);
});

interface JsonSchemaFields {
	/** Prefix of the fields' names. */
	title?: string;
	/** A sentence about the result without an example. */
	ifEmpty: string;
	/** What a result without a schema is like, if it may have none; then it has none by default. */
	withoutSchema?: string;
}

/** A JSON Schema, given or from an example; `withSchema` replaces the editor's own fields by it. */
export const jsonSchemaFields = ({ title = '', ifEmpty, withoutSchema }: JsonSchemaFields) => ({
	schemaType: editorOnly(
		oneOf<string>(`${title}Schema From`, 'How to define the structure of the result', {
			default: withoutSchema === undefined ? 'example' : 'none',
			options: {
				example: ['Example', 'JSON object or list that shows the expected result'],
				schema: 'JSON Schema',
				...(withoutSchema !== undefined && { none: ['None', withoutSchema] }),
			},
		}),
		({ schemaType }) => schemaType,
	),
	schemaExample: editorOnly(
		jsonField(
			`${title}Example`,
			`Example of a result, or a list with one for several. ${ifEmpty}.`,
			exampleSchema,
			{
				hint: 'e.g. { "product": "Mug", "price": 9.5 }',
				displayOptions: { show: { schemaType: ['example'] } },
			},
		),
		({ schemaExample }) => schemaExample,
	),
	schema: jsonField(`${title}Schema`, 'JSON Schema of the result; none if empty', jsonSchema, {
		hint: 'e.g. { "type": "object", "properties": { "price": { "type": "number" } } }',
		displayOptions: { show: { schemaType: ['schema'] } },
	}),
});

/** Replaces the editor's own fields by the schema of the example, before validation. */
export const withSchema = <Request>(schema: Schema<Request>): Schema<Request> =>
	prepareFields(schema, (value, context) => {
		const { schemaType, schemaExample, schema: direct, ...fields } = value;
		if (schemaType === 'none') return fields;
		const isExample = schemaType === 'example';
		const given = isExample ? schemaExample : direct;
		if (isEmptyJson(given)) return fields;
		if (!isExample) return { ...fields, schema: direct };
		const read = exampleSchema.safeParse(given);
		return read.success
			? { ...fields, schema: read.data }
			: forwardIssues(read.error, context, 'schemaExample');
	});
