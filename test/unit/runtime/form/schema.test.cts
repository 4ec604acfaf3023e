import * as fc from 'fast-check';
import { isUnset } from '../../../../nodes/runtime/values/record';
import {
	check,
	discriminatedUnion,
	ValidationFailure,
	oneOfSchema,
	numberSchema,
	objectSchema,
	booleanSchema,
	jsonObject,
	listSchema,
	preview,
	stringSchema,
	integerSchema,
	type Schema,
} from '../../../../nodes/runtime/form/schema';
import { stringRecord } from '../../../../nodes/WebData/fields/common';
import { accepted, refusals } from '../../schemaAssertions.cjs';
import { propertySeed } from '../../../seededRandom.cjs';

describe('what counts as unset', () => {
	it('is a blank, and a group of blanks', () => {
		const unset = [undefined, null, '', {}, { a: '' }, { a: {}, b: null }];
		expect(unset.map(isUnset)).toEqual(unset.map(() => true));
	});

	it('is no value, list, date or object of a class', () => {
		class Period {
			seconds = 0;
		}
		const values = [0, false, [], ' ', { a: 0 }, { a: { b: false } }, { a: [] }];
		const set = [...values, { properties: { price: {} } }, new Date(0), new Period()];
		expect(set.map(isUnset)).toEqual(set.map(() => false));
	});
});

describe('A number', () => {
	const whole = integerSchema({ min: 1, max: 100 });

	it.each([
		[whole, 1, 1],
		[whole, 100, 100],
		[whole, ' 7 ', 7],
		[whole, '7.0', 7],
		[numberSchema(), 0, 0],
		[numberSchema(), '0.75', 0.75],
		[numberSchema(), -1.5, -1.5],
	])('%# is read from %j as %j', (schema, given, sent) => {
		expect(accepted(schema, given)).toBe(sent);
	});

	it.each<[unknown, string]>([
		[0, '0'],
		[101, '101'],
		['1.5', '1.5'],
		[' ', ' '],
		[true, 'true'],
		[[5], '[5]'],
		[{ a: 5 }, '{"a":5}'],
		[NaN, 'NaN'],
		['Infinity', 'Infinity'],
		['x'.repeat(5000), `${'x'.repeat(40)}…`],
	])('is not %j, and quotes it', (given, named) => {
		const words = `must be a whole number from 1 to 100, not ${named}`;
		expect(refusals(whole, given)).toEqual([words]);
	});

	it.each([[undefined], [null], [''], [{}]])('is missing for %j', (given) => {
		expect(refusals(whole, given)).toEqual(['is required']);
	});

	it('is no whole number that JSON cannot carry exactly', () => {
		const words = 'must be a whole number, not 9007199254740992';
		expect(refusals(integerSchema(), 9_007_199_254_740_992)).toEqual([words]);
	});

	it('has bounds, units and thousands in its words', () => {
		const range = { min: 1000, max: 300_000, unit: 'milliseconds' };
		expect([
			...refusals(integerSchema(range), 5),
			...refusals(integerSchema({ min: 1 }), 0),
			...refusals(numberSchema({ max: 1 }), 2),
		]).toEqual([
			'must be a whole number from 1,000 to 300,000 milliseconds, not 5',
			'must be a whole number of at least 1, not 0',
			'must be a number of at most 1, not 2',
		]);
	});
});

describe('A switch, a text, and one of several words', () => {
	it.each<[Schema<unknown>, unknown, unknown]>([
		[booleanSchema(), true, true],
		[booleanSchema(), ' TRUE ', true],
		[booleanSchema(), 'False', false],
		[stringSchema(), 2026, '2026'],
		[stringSchema({ max: 3 }), 'abc', 'abc'],
		[stringSchema({ maxBytes: 4 }), 'öö', 'öö'],
		[oneOfSchema('a', 'b'), 'b', 'b'],
	])('%# reads %j as %j', (schema, given, sent) => {
		expect(accepted(schema, given)).toBe(sent);
	});

	it.each<[Schema<unknown>, unknown, string]>([
		[booleanSchema(), 1, 'must be true or false, not 1'],
		[booleanSchema(), ' ', 'must be true or false, not  '],
		[stringSchema(), true, 'must be text, not boolean'],
		[stringSchema(), ['a'], 'must be text, not a list'],
		[stringSchema(), { a: 1 }, 'must be text, not object'],
		[stringSchema({ max: 3 }), 'abcd', 'must be at most 3 characters long, not 4'],
		[stringSchema({ maxBytes: 3 }), 'öö', 'must be at most 3 bytes long, not 4'],
		[stringSchema(), ' \n\t', 'must not be blank'],
		[stringSchema(), '', 'is required'],
		[oneOfSchema('a', 'b'), 'B', 'must be one of a, b, not B: probably b'],
		[oneOfSchema('a', 'b'), 'constructor', 'must be one of a, b, not constructor'],
	])('%# is not %j: %s', (schema, given, words) => {
		expect(refusals(schema, given)).toEqual([words]);
	});
});

describe('listSchema', () => {
	it.each<[string, unknown, string[]]>([
		['an array', ['a', 'b'], ['a', 'b']],
		['an empty array', [], []],
		['one word', 'a', ['a']],
		['comma-separated text', 'a, b ,,c', ['a', 'b', 'c']],
		['lines', 'a\nb\r\n c', ['a', 'b', 'c']],
		['JSON text', '["a", "b"]', ['a', 'b']],
		['a JSON text of nothing', '[]', []],
		['a fixed collection', { values: ['a', 'b'] }, ['a', 'b']],
		['a number in text', '5', ['5']],
	])('reads %s', (_, given, sent) => {
		expect(accepted(listSchema(stringSchema()), given)).toEqual(sent);
	});

	it.each([[5], [true], [{ a: 1 }], [null], [undefined]])('refuses %j', (given) => {
		expect(refusals(listSchema(stringSchema()), given)).toHaveLength(1);
	});

	it('refuses an ID that has lost digits as a number', () => {
		expect(refusals(listSchema(stringSchema()), '["a", 2014215642691656232]')).toEqual([
			'1 must be in quotes: as a number, 2014215642691656200 has lost digits',
		]);
	});

	it('names the entry that is wrong', () => {
		expect(refusals(listSchema(integerSchema({ min: 1 })), ['1', 'x', 0])).toEqual([
			'1 must be a whole number of at least 1, not x',
			'2 must be a whole number of at least 1, not 0',
		]);
	});

	it('bounds the number of entries', () => {
		const many = Array.from({ length: 1001 }, (_, index) => `d${index}.example`);
		const tooMany = 'must be a list of at most 1,000 entries, not 1001';
		const tooFew = 'must not be empty';
		expect(accepted(listSchema(stringSchema(), { max: 1000 }), many.slice(1))).toHaveLength(1000);
		expect(refusals(listSchema(stringSchema(), { max: 1000 }), many)).toEqual([tooMany]);
		expect(refusals(listSchema(stringSchema(), { min: 1 }), [])).toEqual([tooFew]);
	});
});

describe('jsonObject', () => {
	it('takes an object or the text of one', () => {
		expect(accepted(jsonObject(), { type: 'object' })).toEqual({ type: 'object' });
		expect(accepted(jsonObject(), ' {"a": [1, null, ""]} ')).toEqual({ a: [1, null, ''] });
	});

	it.each([['[]'], ['1'], ['"text"'], ['null'], [[]], [5]])('refuses %j as no object', (given) => {
		expect(refusals(jsonObject(), given)).toEqual(['must be a JSON object']);
	});

	it.each([['{'], ['{a: 1}'], ['plain words']])('refuses %j as no JSON', (given) => {
		expect(refusals(jsonObject(), given)).toEqual([expect.stringMatching(/^is not valid JSON: /)]);
	});

	it('is not nested too deep', () => {
		const text = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
		expect(refusals(jsonObject(), text)).toEqual(['must not be nested deeper than 500 levels']);
	});
});

/** An entry of a map of texts, as the editor stores it. */
const pair = (name: string, value: unknown) => ({ name, value });

describe('stringRecord', () => {
	it.each<[string, unknown]>([
		['an object', { Cookie: 'a=1', 'X-Try': 2 }],
		['JSON text', '{"Cookie": "a=1", "X-Try": "2"}'],
		['name and value pairs', [pair('Cookie', 'a=1'), pair('X-Try', 2)]],
	])('reads %s', (_, given) => {
		expect(accepted(stringRecord(), given)).toEqual({ Cookie: 'a=1', 'X-Try': '2' });
	});

	it.each<[unknown, string]>([
		['Cookie: a=1', 'must be an object of names and texts'],
		[['Cookie'], 'must have a name and a text in every entry'],
		[{ Cookie: { a: 1 } }, 'must have a name and a text in every entry'],
		[[pair('A', 'b'), pair('', 'a=1')], 'must have a name and a text in every entry'],
		[[pair('Cookie', '')], 'must have a name and a text in every entry'],
	])('refuses %j', (given, words) => {
		expect(refusals(stringRecord(), given)).toEqual([words]);
	});

	it('reads a list without entries as no text', () => {
		expect(accepted(stringRecord(), [])).toEqual({});
	});
});

describe('objectSchema', () => {
	const schema = objectSchema({
		count: integerSchema().optional(),
		on: booleanSchema().optional(),
		names: listSchema(stringSchema()).optional(),
	});

	it('drops what is unset and keeps 0, false and []', () => {
		expect(accepted(schema, { count: '', on: null, names: undefined })).toEqual({});
		const kept = { count: 0, on: false, names: [] };
		expect(accepted(schema, kept)).toEqual(kept);
		expect(Object.keys(accepted(schema, { count: '', on: false }))).toEqual(['on']);
	});

	it('takes JSON text', () => {
		expect(accepted(schema, '{"count": 3}')).toEqual({ count: 3 });
	});

	it.each([[[]], [5], ['words'], ['[]'], [null], [undefined]])('refuses %j', (given) => {
		expect(refusals(schema, given)).toHaveLength(1);
	});

	it('passes what it does not know, without harm', () => {
		const given =
			'{"extra": 1, "__proto__": {"count": 1}, "constructor": {"prototype": {"bad": 1}}}';
		const passed = accepted(schema, given);
		expect(Object.keys(passed)).toEqual(['extra', 'constructor']);
		expect([passed.count, Reflect.get({}, 'bad')]).toEqual([undefined, undefined]);
	});

	it('checks members against each other, at the path of the one it is about', () => {
		const ruled = objectSchema({ a: integerSchema(), b: integerSchema() }, ({ a, b }, refuse) => {
			if (a > b) refuse('must not exceed b', 'a');
		});
		expect(accepted(ruled, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
		expect(refusals(ruled, { a: 3, b: 2 })).toEqual(['a must not exceed b']);
		expect(refusals(ruled, { a: 3 })).toEqual(['b is required']);
		const fields = { a: integerSchema(), b: integerSchema() };
		const never = objectSchema(fields, (_, refuse) => refuse('must not be checked'));
		expect(refusals(never, { b: 2 })).toEqual(['a is required']);
	});
});

describe('discriminatedUnion', () => {
	const kinds = { wait: objectSchema({ for: integerSchema() }), scrape: objectSchema({}) };

	it('tells kinds apart, takes a bare word, and lifts the options of the editor', () => {
		const wait = { type: 'wait', for: 5 };
		expect(accepted(discriminatedUnion(kinds), { type: 'wait', for: '5' })).toEqual(wait);
		expect(accepted(discriminatedUnion(kinds), 'scrape')).toEqual({ type: 'scrape' });
		expect(accepted(discriminatedUnion(kinds), { type: 'wait', options: { for: 5 } })).toEqual(
			wait,
		);
	});

	it('refuses a missing type, and an unknown one', () => {
		expect(refusals(discriminatedUnion(kinds), {})).toEqual(['type is required']);
		expect(refusals(discriminatedUnion(kinds), 5)).toEqual(['type is required']);
		expect(refusals(discriminatedUnion(kinds), 'jump')).toEqual([
			'type must be one of wait, scrape, not jump',
		]);
		expect(refusals(discriminatedUnion(kinds), 'constructor')).toHaveLength(1);
		expect(refusals(discriminatedUnion(kinds), { type: 'wait' })).toEqual(['for is required']);
	});

	it('lets an unknown type pass where the set is open', () => {
		const leap = { type: 'leap', far: true };
		expect(accepted(discriminatedUnion(kinds, 'open'), leap)).toEqual(leap);
	});

	it.each(['__proto__', '{"type":', '..', '1e3'])('refuses a type that is no name: %s', (type) => {
		expect(refusals(discriminatedUnion(kinds, 'open'), type)).toEqual([
			expect.stringMatching(/^type must be one of .*, not /),
		]);
	});
});

describe('any value at all', () => {
	const schemas = {
		wholeNumber: integerSchema({ min: 1 }),
		decimal: numberSchema(),
		flag: booleanSchema(),
		text: stringSchema({ max: 10 }),
		jsonObject: jsonObject(),
		list: listSchema(stringSchema()),
		textMap: stringRecord(),
		fields: objectSchema({
			a: stringSchema().optional(),
			b: listSchema(booleanSchema()).optional(),
		}),
		byType: discriminatedUnion({ a: objectSchema({ b: booleanSchema() }) }, 'open'),
	};

	const collections = { withDate: true, withMap: true, withSet: true };
	const anything = fc.anything({ ...collections, withNullPrototype: true, withBigInt: true });

	it.each(Object.entries(schemas))('%s answers with a result and never throws', (_, schema) => {
		fc.assert(
			fc.property(anything, (value) => {
				expect(typeof schema.safeParse(value).success).toBe('boolean');
			}),
			{ seed: propertySeed },
		);
	});
});

it.each<[unknown, string]>([
	['text', 'text'],
	[{ a: [1, 'b', null], c: {} }, '{"a":[1,"b",null],"c":{}}'],
	[new Date(0), '"1970-01-01T00:00:00.000Z"'],
	[null, 'null'],
	[Array.from({ length: 100 }, (_, index) => index), '[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1…'],
])('An invalid value is quoted in short: %j', (value, quoted) => {
	expect(preview(value)).toBe(quoted);
});

describe('A field of objects', () => {
	const checked: unknown[] = [];
	const schema = objectSchema({
		field: check((value) => {
			checked.push(value);
			return Array.isArray(value) ? { entries: value.length } : new ValidationFailure('is no list');
		}),
	});
	beforeEach(() => checked.splice(0));

	it('is read once for all that have the same value in a turn, and shared', () => {
		const [list, wrong] = [[1, 2], { wrong: true }];
		const [one, other] = [list, list].map((field) => schema.parse({ field }));
		expect(one).toEqual({ field: { entries: 2 } });
		expect(other.field).toBe(one.field);
		expect(schema.parse({ field: [1, 2] }).field).not.toBe(one.field);
		for (const field of [wrong, wrong, 'text', 'text'])
			expect(refusals(schema, { field })).toEqual(['field is no list']);
		expect(checked).toEqual([list, [1, 2], wrong, 'text']);
	});

	it('is read anew in the next turn, since what it becomes may depend on the time', async () => {
		schema.parse({ field: checked });
		await Promise.resolve();
		schema.parse({ field: checked });
		expect(checked).toHaveLength(2);
	});
});
