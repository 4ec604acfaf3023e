import * as fc from 'fast-check';
import { formats } from '../../../../nodes/WebData/fields/formats';
import { jsonSchemaFields, schemaFromExample } from '../../../../nodes/WebData/fields/jsonSchema';
import { agentSchema, pageSchema } from '../../../mock/schemas/jsonSchema.cjs';
import { accepted, refusals } from '../../schemaAssertions.cjs';
import { propertySeed } from '../../../seededRandom.cjs';

const [string, number, boolean] = ['string', 'number', 'boolean'].map((type) => ({ type }));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const array = (items: object) => ({ type: 'array', items });
const union = (...types: string[]) => ({ type: types });

const schema = jsonSchemaFields({ ifEmpty: '' }).schema.valueSchema;

/** What the service says to a schema that is given as it is. */
const said = (server: typeof pageSchema, schema: unknown) =>
	(server.safeParse(schema).error?.issues ?? []).map(({ message }) => message);

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
	])('%j', (example, schema) => {
		expect(JSON.parse(JSON.stringify(schemaFromExample(example)))).toEqual(schema);
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
				expect(said(pageSchema, made)).toEqual([]);
				expect(said(agentSchema, made)).toEqual([]);
				expect(refusals(schema, made)).toEqual([]);
			}),
			{ seed: propertySeed, numRuns: 300 },
		);
	});

	it('is bounded in its depth', () => {
		const deep = (levels: number): unknown =>
			JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
		const entry = (example: unknown) => [
			{ type: 'json', schemaType: 'example', schemaExample: example },
		];
		expect(refusals(formats.valueSchema, entry(deep(500)))).toEqual([]);
		expect(refusals(formats.valueSchema, entry(deep(20_000)))).toEqual([
			'0 schemaExample must not be nested deeper than 500 levels',
		]);
		const ring: Record<string, unknown> = {};
		ring.a = ring;
		expect(refusals(formats.valueSchema, entry(ring))).toEqual([
			'0 schemaExample must be a JSON object or list',
		]);
	});

	it('takes dates of expressions for the texts that they become', () => {
		const example = { at: new Date(0) };
		expect(
			accepted(formats.valueSchema, [
				{ type: 'json', schemaType: 'example', schemaExample: example },
			]),
		).toEqual([{ type: 'json', schema: object({ at: string }) }]);
	});
});

describe('a JSON Schema', () => {
	it('is sent without $schema and $id', () => {
		const draft = 'https://json-schema.org/draft/2020-12/schema';
		expect(accepted(schema, { $schema: draft, $id: 'x', ...object({}) })).toEqual(object({}));
	});

	it.each<[object]>([
		[{ title: 'a', description: 'b', default: null, ...string }],
		[
			object(
				{ a: { ...number, minimum: 1 }, b: { ...string, pattern: '^a' } },
				{ required: ['a'] },
			),
		],
		[object({ a: { $ref: '#/$defs/b' } }, { $defs: { b: string } })],
		[object({ a: { enum: ['x', null] }, b: { anyOf: [string, { type: 'null' }] } })],
		// Names like keywords, and values like schemas.
		[object({ not: string, example: string, $schema: string, format: string })],
		[object({ a: { ...string, default: 'x', examples: [{ example: 1 }], enum: ['x'] } })],
		[object({ a: string }, { additionalProperties: false })],
		[{ type: 'object', additionalProperties: { ...string, format: 'date-time' } }],
		// Nulls, blanks and empty objects.
		[object({ a: { enum: ['', null], default: '' }, b: object({}) })],
	])('is sent as it is: %j', (given) => {
		expect([said(pageSchema, given), said(agentSchema, given)]).toEqual([[], []]);
		expect(accepted(schema, given)).toEqual(given);
		expect(accepted(schema, JSON.stringify(given))).toEqual(given);
	});
});

describe('a mistaken JSON Schema', () => {
	const price = object({ price: number });

	it.each<[object, RegExp]>([
		[{ name: string, price: number }, /lists fields without the object around them: write/],
		[
			{ name: 'price', strict: true, schema: price },
			/wraps its schema: give what is below "schema"/,
		],
		[{ type: 'json', schema: price }, /wraps its schema: give what is below "schema"/],
		[{ type: 'json_schema', json_schema: { schema: price } }, /wraps .* below "json_schema"/],
		[
			{ _def: { typeName: 'ZodObject' }, shape: {} },
			/is an object of zod: convert it to JSON Schema/,
		],
	])('names what is wrong: %j', (given, words) => {
		expect(refusals(schema, given)).toEqual([expect.stringMatching(words)]);
	});

	it('is no example', () => {
		const entry = [{ type: 'json', schemaType: 'example', schemaExample: price }];
		expect(refusals(formats.valueSchema, entry)).toEqual([
			"0 schemaExample is a JSON Schema: set 'Schema From' to JSON Schema",
		]);
	});
});

describe('a schema on its way to the request', () => {
	const sent = (entry: object) => accepted(formats.valueSchema, [{ type: 'json', ...entry }]);

	it('comes from the example only when the example is chosen and given', () => {
		const given = { type: 'object' };
		expect(sent({ schemaType: 'schema', schema: given, schemaExample: '{"a": 1}' })).toEqual([
			{ type: 'json', schema: given },
		]);
		expect(sent({ schemaType: 'example', schemaExample: { a: 1 }, schema: given })).toEqual([
			{ type: 'json', schema: object({ a: number }) },
		]);
		expect(sent({ schemaType: 'example', schemaExample: '', prompt: 'x' })).toEqual([
			{ type: 'json', prompt: 'x' },
		]);
	});
});

it('an example’s fields may have the names of an object’s own', () => {
	const made = schemaFromExample(JSON.parse('[{"__proto__":{"a":1}},{"__proto__":{"b":""}}]'));
	expect(JSON.stringify(made)).toBe(
		'{"type":"array","items":{"type":"object","properties":{"__proto__":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"string"}}}}}}',
	);
});
