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
import { isTooDeep } from '../../runtime/values/json';
import { attempt } from '../../runtime/values/settle';
import { isRecord, type JsonRecord } from '../../runtime/values/record';

/** Where a JSON Schema is used: for what is read from pages, or for what an agent returns. */
type SchemaUse = 'page' | 'agent';

/** The example that the editor shows at first. */
const startExample = '{\n  "product": "Mug",\n  "price": 9.5\n}';

/** Whether an example is the one that the editor shows at first, which nobody has changed. */
export const isStartExample = (example: unknown): boolean => example === startExample;

/** How JSON Schema names the type of a value of JSON. */
const typeOf = (value: unknown): string =>
	Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

/** The members of all objects among values, by their names. */
function membersByName(values: unknown[]): Map<string, unknown[]> {
	const members = new Map<string, unknown[]>();
	for (const [name, member] of values.filter(isRecord).flatMap((each) => Object.entries(each))) {
		const known = members.get(name);
		if (known) known.push(member);
		else members.set(name, [member]);
	}
	return members;
}

/** The schema that all of several values follow: each type among them, and text where there is no other. */
function schemaOf(values: unknown[]): JsonRecord {
	const found = new Set(values.map(typeOf));
	const isNullable = found.delete('null');
	const known = found.size === 0 ? ['string'] : [...found];
	const types = isNullable ? [...known, 'null'] : known;
	const properties = [...membersByName(values)].map(([name, members]) => [name, schemaOf(members)]);
	return {
		type: types.length === 1 ? types[0] : types,
		...(found.has('object') && { properties: Object.fromEntries(properties) }),
		...(found.has('array') && { items: schemaOf(values.filter(Array.isArray).flat()) }),
	};
}

/**
 * The JSON Schema that an example follows: objects by their fields, lists by all their entries. Every
 * part has a type and every list its items, which the service asks for. The example is JSON, as deep as
 * `fromJson` lets it be, so that this recursion is bounded.
 */
export const schemaFromExample = (example: unknown): JsonRecord => schemaOf([example]);

/** The schema of an example as the editor or an expression gives it; or why there is none. */
function readExample(given: unknown): JsonRecord | ValidationFailure {
	if (isTooDeep(given)) return new ValidationFailure(tooDeep);
	// Dates of expressions become the texts that they are in JSON; what is no JSON, such as a ring, is refused.
	const json = typeof given === 'string' ? given : attempt(() => JSON.stringify(given));
	const written = typeof json === 'string' ? json : json.ok ? json.value : undefined;
	const checked = jsonObject().safeParse(written ?? []);
	return checked.success
		? schemaFromExample(checked.data)
		: new ValidationFailure(checked.error.issues[0].message);
}

const likeExample =
	"looks like an example of the result, not a JSON Schema; to use an example, set 'Schema From' to Example";

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Whether an object is an example of data rather than a JSON Schema: nothing in it says of a shape. */
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
 * A JSON Schema, given as object or as JSON text; the service checks it before it starts anything. `$schema`
 * and `$id` of an agent's are left out: the service knows no newer draft, and takes an ID only once.
 */
const jsonSchema = (use: SchemaUse) =>
	jsonObject().transform((given, context): JsonRecord => {
		const schema = use === 'agent' ? withoutIdentity(given) : given;
		if (isExample(schema)) context.addIssue({ code: 'custom', message: likeExample });
		return schema;
	});

interface JsonSchemaFields {
	/** Begins the names of the fields. */
	title?: string;
	use: SchemaUse;
	/** What the first example counts beside a prompt, in a sentence. */
	whenPrompted: string;
}

/**
 * A JSON Schema made from an example object, or given as it is. The editor's own fields `schemaType`
 * and `schemaExample` never leave the machine: `withSchema` puts the schema in their place. In a form, the
 * first example counts for nothing until it is changed.
 */
export const jsonSchemaMembers = ({ title = '', use, whenPrompted }: JsonSchemaFields) => ({
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
						description: 'JSON object that shows the expected result',
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
				default: startExample,
				displayOptions: { show: { schemaType: ['example'] } },
				description: `Object with the fields and types of the result; null means nullable text, an empty array means array of texts. ${whenPrompted}.`,
			},
		},
		({ schemaExample }) => (isStartExample(schemaExample) ? undefined : schemaExample),
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

/** Puts the schema of the example in the place of the editor's own fields, before the zod schema around it checks. */
export const withSchema = <Request>(schema: Schema<Request>): Schema<Request> =>
	prepared(schema, (value, context) => {
		const { schemaType, schemaExample, schema, ...members } = value;
		const isExampleChosen = schemaType === 'example';
		const given = isExampleChosen ? schemaExample : schema;
		if (isEmptyJson(given)) return members;
		if (!isExampleChosen) return { ...members, schema };
		const read = readExample(given);
		if (!(read instanceof ValidationFailure)) return { ...members, schema: read };
		context.addIssue({ code: 'custom', message: read.because, path: ['schemaExample'] });
		return z.NEVER;
	});
