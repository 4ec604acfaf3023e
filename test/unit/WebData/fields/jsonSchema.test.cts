import * as fc from 'fast-check';
import { formats } from '../../../../nodes/WebData/fields/formats';
import { schemaFromExample } from '../../../../nodes/WebData/fields/jsonSchema';
import { accepted } from '../../verdict.cjs';

const [string, number, boolean] = ['string', 'number', 'boolean'].map((type) => ({ type }));
const object = (properties: object) => ({ type: 'object', properties });
const array = (items: object) => ({ type: 'array', items });
const union = (...types: string[]) => ({ type: types });

describe('the schema of an example', () => {
	it.each<[string, unknown, unknown]>([
		[
			'flat',
			{ name: 'Mug', price: 9.5, count: 3, sold: false },
			object({ name: string, price: number, count: number, sold: boolean }),
		],
		['nested', { a: { b: { c: 'x' } } }, object({ a: object({ b: object({ c: string }) }) })],
		['null, which says nothing of the type', { a: null }, object({ a: {} })],
		['an empty list', { a: [] }, object({ a: array({}) })],
		['an empty object', { a: {} }, object({ a: object({}) })],
		['a list of texts', { a: ['x', 'y'] }, object({ a: array(string) })],
		['a list of objects', [{ a: 1 }, { a: 2 }], array(object({ a: number }))],
		[
			'entries with different members',
			[{ a: 1 }, { b: 'x' }],
			array(object({ a: number, b: string })),
		],
		[
			'entries of different types',
			['x', 1, true, 'y'],
			array(union('string', 'number', 'boolean')),
		],
		[
			'members of different types',
			[{ a: 1 }, { a: 'x' }],
			array(object({ a: union('number', 'string') })),
		],
		[
			'lists of different types inside a list',
			[[1], ['x']],
			array(array(union('number', 'string'))),
		],
		[
			'objects inside lists inside a list',
			[[{ a: 1 }], [{ b: 1 }]],
			array(array(object({ a: number, b: number }))),
		],
		[
			'members that are lists of different types',
			[{ tags: ['x'] }, { tags: [1] }],
			array(object({ tags: array(union('string', 'number')) })),
		],
		['an entry that is null beside others', [null, 1, null], array(number)],
		['a member that is null in one entry', [{ a: null }, { a: 1 }], array(object({ a: number }))],
		['an empty list beside a full one', [[], [1]], array(array(number))],
		['an object beside a text', [{ a: 1 }, 'x', { b: 2 }], array(union('object', 'string'))],
		[
			'a member called constructor',
			[{ a: 1 }, { constructor: 'Ferrari' }],
			array(object({ a: number, constructor: string })),
		],
	])('%s', (_, example, schema) => {
		expect(JSON.parse(JSON.stringify(schemaFromExample(example)))).toEqual(schema);
	});

	it('of any JSON is JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (example) => {
				const schema = schemaFromExample(example);
				expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
			}),
		);
	});
});

describe('a schema on its way to the request', () => {
	const sent = (entry: object) => accepted(formats(), [{ type: 'json', ...entry }]);

	it('keeps nulls, blanks and empty objects of the schema', () => {
		const schema = { type: 'object', properties: { a: { enum: ['', null], default: '' }, b: {} } };
		expect(sent({ schema })).toEqual([{ type: 'json', schema }]);
		expect(sent({ schema: JSON.stringify(schema) })).toEqual([{ type: 'json', schema }]);
	});

	it('is not lost for having no type', () => {
		const schema = { properties: { price: {} } };
		expect(sent({ prompt: 'x', schema: JSON.stringify(schema) })).toEqual([
			{ type: 'json', prompt: 'x', schema },
		]);
		expect(sent({ prompt: 'x', schema })).toEqual([{ type: 'json', prompt: 'x', schema }]);
	});

	it('comes from the example only when the example is chosen and given', () => {
		const schema = { type: 'object' };
		expect(sent({ schemaType: 'schema', schema, schemaExample: '{"a": 1}' })).toEqual([
			{ type: 'json', schema },
		]);
		expect(sent({ schemaType: 'example', schemaExample: { a: 1 }, schema })).toEqual([
			{ type: 'json', schema: object({ a: number }) },
		]);
		expect(sent({ schemaType: 'example', schemaExample: '', prompt: 'x' })).toEqual([
			{ type: 'json', prompt: 'x' },
		]);
	});
});

it('an example’s fields may have the names of an object’s own', () => {
	const schema = schemaFromExample(JSON.parse('[{"__proto__":{"a":1}},{"__proto__":{"b":""}}]'));
	expect(JSON.stringify(schema)).toBe(
		'{"type":"array","items":{"type":"object","properties":{"__proto__":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"string"}}}}}}',
	);
});
