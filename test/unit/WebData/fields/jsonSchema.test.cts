import * as fc from 'fast-check';
import { formats } from '../../../../nodes/WebData/fields/formats';
import { jsonSchemaFields, schemaFromExample } from '../../../../nodes/WebData/fields/jsonSchema';
import { agentSchema, pageSchema } from '../../../mock/schemas/jsonSchema.cjs';
import { propertySeed } from '../../../seededRandom.cjs';
import { reads, refusals } from '../../schemaAssertions.cjs';

const [string, number, boolean] = ['string', 'number', 'boolean'].map((type) => ({ type }));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const array = (items: object) => ({ type: 'array', items });
const union = (...types: string[]) => ({ type: types });

const schema = jsonSchemaFields({ ifEmpty: '' }).schema.valueSchema;

/** What the service says to a schema that is given as it is, for a page and for an agent. */
const saidTo = (given: unknown) =>
	[pageSchema, agentSchema].flatMap((server) => server.safeParse(given).error?.issues ?? []);

describe('the schema of an example', () => {
	it.each<[unknown, unknown]>([
		[
			{ name: 'Mug', price: 9.5, count: 3, sold: false },
			object({ name: string, price: number, count: number, sold: boolean }),
		],
		[{ a: { b: { c: 'x' } } }, object({ a: object({ b: object({ c: string }) }) })],
		// What is null is text or nothing, and an empty list one of texts.
		[{ a: null }, object({ a: union('string', 'null') })],
		[{ a: [] }, object({ a: array(string) })],
		[{ a: [null] }, object({ a: array(union('string', 'null')) })],
		[{ a: {} }, object({ a: object({}) })],
		[[{ a: 1 }, { b: 'x' }], array(object({ a: number, b: string }))],
		[['x', 1, true, 'y'], array(union('string', 'number', 'boolean'))],
		[[{ a: 1 }, { a: 'x' }], array(object({ a: union('number', 'string') }))],
		[[[1], 'x'], array({ ...union('array', 'string'), items: number })],
		[[[{ a: 1 }], [{ b: 1 }]], array(array(object({ a: number, b: number })))],
		[[{ a: ['x'] }, { a: [1] }], array(object({ a: array(union('string', 'number')) }))],
		[[null, 1, null], array(union('number', 'null'))],
		[[{ a: null }, { a: 1 }], array(object({ a: union('number', 'null') }))],
		[[[], [1]], array(array(number))],
		[
			[{ a: 1 }, 'x', { b: 2 }],
			array({ ...union('object', 'string'), properties: { a: number, b: number } }),
		],
		[[{ a: 1 }, { constructor: 'F' }], array(object({ a: number, constructor: string }))],
	])('%j', (example, made) => {
		expect(JSON.parse(JSON.stringify(schemaFromExample(example)))).toEqual(made);
	});

	it('may have fields of the names of an object’s own', () => {
		const made = schemaFromExample(JSON.parse('{"__proto__":{"a":1}}'));
		expect(JSON.stringify(made)).toBe(
			'{"type":"object","properties":{"__proto__":{"type":"object","properties":{"a":{"type":"number"}}}}}',
		);
	});

	it('of any object is one that the service takes, of pages and of agents', () => {
		const values = fc.letrec((tie) => ({
			value: fc.oneof(
				{ maxDepth: 5, withCrossShrink: true },
				fc.constantFrom(null, 'x', 9.5, true, [], {}),
				fc.array(tie('value'), { maxLength: 4 }),
				fc.dictionary(
					fc.oneof(
						fc.string(),
						fc.constantFrom('not', 'allOf', 'type', 'items', '$ref', '__proto__'),
					),
					tie('value'),
					{ maxKeys: 4 },
				),
			),
		})).value;
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.oneof(values, fc.jsonValue())), (example) => {
				const made = schemaFromExample(JSON.parse(JSON.stringify(example)));
				expect(JSON.parse(JSON.stringify(made))).toEqual(made);
				expect(saidTo(made)).toEqual([]);
				expect(refusals(schema, made)).toEqual([]);
			}),
			{ seed: propertySeed, numRuns: 300 },
		);
	});
});

const asIs = [
	{ title: 'a', description: 'b', default: null, ...string },
	object({ a: { ...number, minimum: 1 }, b: { ...string, pattern: '^a' } }, { required: ['a'] }),
	object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: string } }),
	object({ a: { enum: ['x', null] }, b: { anyOf: [string, { type: 'null' }] } }),
	// Names like keywords, and values like schemas.
	object({ not: string, example: string, $schema: string, format: string }),
	object({ a: { ...string, default: 'x', examples: [{ example: 1 }], enum: ['x'] } }),
	object({ a: string }, { additionalProperties: false }),
	{ type: 'object', additionalProperties: { ...string, format: 'date-time' } },
	// Nulls, blanks and empty objects.
	object({ a: { enum: ['', null], default: '' }, b: object({}) }),
];
const price = object({ price: number });

reads(
	'a JSON Schema',
	schema,
	[
		...asIs.map((given): [unknown] => [given]),
		...asIs.map((given): [unknown, unknown] => [JSON.stringify(given), given]),
		[
			{ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', ...object({}) },
			object({}),
		],
	],
	[
		[
			{ name: string, price: number },
			expect.stringMatching(/lists fields without the object around them: write/),
		],
		[
			{ name: 'price', strict: true, schema: price },
			expect.stringMatching(/wraps its schema: give what is below "schema"/),
		],
		[
			{ type: 'json', schema: price },
			expect.stringMatching(/wraps its schema: give what is below "schema"/),
		],
		[
			{ type: 'json_schema', json_schema: { schema: price } },
			expect.stringMatching(/wraps .* below "json_schema"/),
		],
		[
			{ _def: { typeName: 'ZodObject' }, shape: {} },
			expect.stringMatching(/is an object of zod: convert it to JSON Schema/),
		],
	],
);

it.each(asIs)('a schema that is sent as it is can be read by the service: %j', (given) => {
	expect(saidTo(given)).toEqual([]);
});

const json = (entry: object) => [{ type: 'json', ...entry }];
const byExample = (schemaExample: unknown, more: object = {}) =>
	json({ schemaType: 'example', schemaExample, ...more });
const ring: Record<string, unknown> = {};
ring.a = ring;

reads(
	'a schema on its way to the request',
	formats.valueSchema,
	[
		[
			json({ schemaType: 'schema', schema: price, schemaExample: '{"a": 1}' }),
			json({ schema: price }),
		],
		[byExample({ price: 1 }, { schema: { type: 'object' } }), json({ schema: price })],
		[byExample('', { prompt: 'x' }), json({ prompt: 'x' })],
		// Dates of expressions become texts.
		[byExample({ at: new Date(0) }), json({ schema: object({ at: string }) })],
	],
	[
		[byExample(ring), '0 schemaExample must be a JSON object or list'],
		[byExample(price), "0 schemaExample is a JSON Schema: set 'Schema From' to JSON Schema"],
	],
);

it('an example may be nested 500 levels deep', () => {
	const nested = (levels: number): string[] =>
		refusals(
			formats.valueSchema,
			byExample(JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))),
		);
	expect(nested(500)).toEqual([]);
	const words = '0 schemaExample must not be nested deeper than 500 levels';
	expect(nested(20_000)).toEqual([words]);
});
