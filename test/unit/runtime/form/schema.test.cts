import * as fc from 'fast-check';
import {
	discriminatedUnion,
	oneOfSchema,
	numberSchema,
	objectSchema,
	booleanSchema,
	isUnset,
	jsonObject,
	listSchema,
	preview,
	stringSchema,
	stringRecord,
	integerSchema,
} from '../../../../nodes/runtime/form/schema';
import { accepted, refusals } from '../../schemaAssertions.cjs';
import { propertySeed } from '../../../seededRandom.cjs';

describe('what counts as unset', () => {
	it.each([[undefined], [null], [''], [{}], [{ a: '' }], [{ a: {}, b: null }]])(
		'%j is',
		(value) => {
			expect(isUnset(value)).toBe(true);
		},
	);

	const filled = [{ a: 0 }, { a: { b: false } }, { a: [] }, { properties: { price: {} } }];

	it.each([0, false, [], ' ', ...filled].map((value): [unknown] => [value]))(
		'%j is not',
		(value) => {
			expect(isUnset(value)).toBe(false);
		},
	);

	it('a date is not, nor an object of a class', () => {
		class Period {
			seconds = 0;
		}
		expect([new Date(0), new Period()].some(isUnset)).toBe(false);
	});
});

describe('integerSchema', () => {
	const schema = integerSchema({ min: 1, max: 100 });

	it.each([
		[1, 1],
		[100, 100],
		['7', 7],
		[' 7 ', 7],
		['7.0', 7],
	])('reads %j as %j', (given, sent) => {
		expect(accepted(schema, given)).toBe(sent);
	});

	it.each<[unknown, string]>([
		[0, '0'],
		[101, '101'],
		[1.5, '1.5'],
		['1.5', '1.5'],
		['abc', 'abc'],
		[' ', ' '],
		[true, 'true'],
		[[], '[]'],
		[[5], '[5]'],
		[{ a: 5 }, '{"a":5}'],
		[NaN, 'NaN'],
		[Infinity, 'Infinity'],
		[-Infinity, '-Infinity'],
	])('refuses %j, and names it', (given, named) => {
		const words = `must be a whole number from 1 to 100, not ${named}`;
		expect(refusals(schema, given)).toEqual([words]);
	});

	it.each([[undefined], [null], [''], [{}]])('calls %j missing', (given) => {
		expect(refusals(schema, given)).toEqual(['is required']);
	});

	it('refuses a whole number that JSON cannot carry exactly', () => {
		const words = 'must be a whole number, not 9007199254740992';
		expect(refusals(integerSchema(), 9_007_199_254_740_992)).toEqual([words]);
	});

	it('words open bounds, units and thousands', () => {
		const told = (limits: Parameters<typeof integerSchema>[0], given: number) =>
			refusals(integerSchema(limits), given).join().replace('must be a whole number ', '');
		const range = { min: 1000, max: 300_000, unit: 'milliseconds' };
		expect(told(range, 5)).toBe('from 1,000 to 300,000 milliseconds, not 5');
		expect(told({ min: 1 }, 0)).toBe('of at least 1, not 0');
		expect(told({ max: 1 }, 2)).toBe('of at most 1, not 2');
	});

	it('cuts a long value in its words', () => {
		const [words] = refusals(schema, 'x'.repeat(5000));
		expect(words.length).toBeLessThan(120);
	});

	it('refuses a BigInt rather than breaking', () => {
		expect(refusals(schema, { big: 10n })).toHaveLength(1);
	});
});

describe('numberSchema', () => {
	it('takes fractions and text, no blanks and no infinities', () => {
		expect(accepted(numberSchema(), 0)).toBe(0);
		expect(accepted(numberSchema(), '0.75')).toBe(0.75);
		expect(accepted(numberSchema(), -1.5)).toBe(-1.5);
		expect(refusals(numberSchema(), ' ')).toHaveLength(1);
		expect(refusals(numberSchema(), 'Infinity')).toHaveLength(1);
		const words = 'must be a number of at least 0, not -0.1';
		expect(refusals(numberSchema({ min: 0 }), -0.1)).toEqual([words]);
	});
});

describe('booleanSchema', () => {
	it.each([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
		[' TRUE ', true],
		['False', false],
	])('reads %j as %j', (given, sent) => {
		expect(accepted(booleanSchema(), given)).toBe(sent);
	});

	it.each([[0], [1], ['yes'], [[]], [' ']])('refuses %j', (given) => {
		expect(refusals(booleanSchema(), given)).toEqual([
			expect.stringMatching(/^must be true or false, not /),
		]);
	});
});

describe('stringSchema and oneOfSchema', () => {
	it('takes a number as text and nothing else', () => {
		expect(accepted(stringSchema(), 2026)).toBe('2026');
		expect(refusals(stringSchema(), true)).toEqual(['must be text, not boolean']);
		expect(refusals(stringSchema(), ['a'])).toEqual(['must be text, not a list']);
		expect(refusals(stringSchema(), { a: 1 })).toEqual(['must be text, not object']);
	});

	it('bounds the length and refuses blanks', () => {
		expect(accepted(stringSchema({ max: 3 }), 'abc')).toBe('abc');
		const tooLong = 'must be at most 3 characters long, not 4';
		expect(refusals(stringSchema({ max: 3 }), 'abcd')).toEqual([tooLong]);
		expect(refusals(stringSchema(), ' \n\t')).toEqual(['must not be blank']);
		expect(refusals(stringSchema(), '')).toEqual(['is required']);
	});

	it('knows its words and no others', () => {
		expect(accepted(oneOfSchema('a', 'b'), 'b')).toBe('b');
		expect(refusals(oneOfSchema('a', 'b'), 'B')).toEqual(['must be one of a, b, not B']);
		expect(refusals(oneOfSchema('a', 'b'), 'constructor')).toHaveLength(1);
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

	it('names the entry that is wrong', () => {
		expect(refusals(listSchema(integerSchema({ min: 1 })), ['1', 'x', 0])).toEqual([
			'1 must be a whole number of at least 1, not x',
			'2 must be a whole number of at least 1, not 0',
		]);
	});

	it('bounds the number of entries', () => {
		const many = Array.from({ length: 1001 }, (_, index) => `d${index}.example`);
		const tooMany = 'must be a list of at most 1,000 entries, not 1001';
		const tooFew = 'must be a list of at least 1 entries, not 0';
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

	it('refuses what is no map of texts', () => {
		expect(refusals(stringRecord(), 'Cookie: a=1')).toEqual([
			'must be an object of names and texts',
		]);
		for (const given of [['Cookie'], { Cookie: { a: 1 } }]) {
			expect(refusals(stringRecord(), given)).toEqual([
				'must have a name and a text in every entry',
			]);
		}
	});

	it.each([
		['without a name', pair('', 'a=1')],
		['that has no name', { value: 'a=1' }],
		['without a text', pair('Cookie', '')],
		['left as it opened', pair('', '')],
	])('refuses an entry %s', (_, entry) => {
		const words = 'must have a name and a text in every entry';
		expect(refusals(stringRecord(), [pair('A', 'b'), entry])).toEqual([words]);
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

	it.each([
		'{"extra": 1}',
		'{"__proto__": {"count": 1}}',
		'{"constructor": {"prototype": {"bad": 1}}}',
	])('refuses the unknown key in %s and harms nothing', (given) => {
		expect(schema.safeParse(JSON.parse(given)).success).toBe(false);
		expect(Reflect.get({}, 'bad')).toBeUndefined();
		expect(Reflect.get({}, 'count')).toBeUndefined();
	});

	it('checks members against each other, at the path of the one it is about', () => {
		const ruled = objectSchema({ a: integerSchema(), b: integerSchema() }, ({ a, b }, refuse) => {
			if (a > b) refuse('must not exceed b', 'a');
		});
		expect(accepted(ruled, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
		expect(refusals(ruled, { a: 3, b: 2 })).toEqual(['a must not exceed b']);
		expect(refusals(ruled, { a: 3 })).toEqual(['b is required']);
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
		expect(accepted(discriminatedUnion(kinds), { type: 'scrape', options: {} })).toEqual({
			type: 'scrape',
		});
	});

	it('refuses a missing type, an unknown type, and members of another type', () => {
		expect(refusals(discriminatedUnion(kinds), {})).toEqual(['type is required']);
		expect(refusals(discriminatedUnion(kinds), 5)).toEqual(['type is required']);
		expect(refusals(discriminatedUnion(kinds), 'jump')).toEqual([
			'type must be one of wait, scrape, not jump',
		]);
		expect(refusals(discriminatedUnion(kinds), 'constructor')).toHaveLength(1);
		expect(refusals(discriminatedUnion(kinds), { type: 'wait' })).toEqual(['for is required']);
		expect(discriminatedUnion(kinds).safeParse({ type: 'scrape', for: 5 }).success).toBe(false);
	});

	it('lets an unknown type pass where the set is open', () => {
		const leap = { type: 'leap', far: true };
		expect(accepted(discriminatedUnion(kinds, { set: 'open' }), leap)).toEqual(leap);
	});

	it.each(['__proto__', '{"type":', '..', '1e3'])('refuses a type that is no name: %s', (type) => {
		expect(refusals(discriminatedUnion(kinds, { set: 'open' }), type)).toEqual([
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
		byType: discriminatedUnion({ a: objectSchema({ b: booleanSchema() }) }, { set: 'open' }),
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

describe('members that have the names of an object’s own', () => {
	const hostile: unknown = JSON.parse('{"__proto__":"a","constructor":"b"}');

	it.each<[string, unknown]>([
		['an object', hostile],
		['JSON text', JSON.stringify(hostile)],
		['pairs', [pair('__proto__', 'a'), pair('constructor', 'b')]],
	])('stay in a map of texts given as %s', (_, given) => {
		const sent = JSON.stringify(
			accepted(objectSchema({ headers: stringRecord() }), { headers: given }),
		);
		expect(sent).toBe('{"headers":{"__proto__":"a","constructor":"b"}}');
	});

	it('are unknown to an object of named fields', () => {
		expect(refusals(objectSchema({ limit: integerSchema().optional() }), hostile)).toEqual([
			expect.stringMatching(/Unrecognized key.*__proto__.*constructor/),
		]);
	});

	it('are no kind of an object told apart by its type', () => {
		for (const type of ['__proto__', 'constructor']) {
			expect(refusals(discriminatedUnion({ a: objectSchema({}) }), { type })).toHaveLength(1);
		}
	});
});

describe('a refused value as it is quoted', () => {
	it.each<[unknown, string]>([
		['text', 'text'],
		['a'.repeat(50), `${'a'.repeat(40)}…`],
		[{ a: [1, 'b', null], c: {} }, '{"a":[1,"b",null],"c":{}}'],
		[new Date(0), '"1970-01-01T00:00:00.000Z"'],
		[null, 'null'],
		[Array.from({ length: 100 }, (_, index) => index), '[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,1…'],
	])('%j', (value, quoted) => {
		expect(preview(value)).toBe(quoted);
	});

	it('is looked at no further than it is quoted', () => {
		let reads = 0;
		const member = {
			enumerable: true,
			get: () => {
				reads += 1;
				return 'x';
			},
		};
		const list = Array.from({ length: 1000 }, () => Object.defineProperty({}, 'a', member));
		expect(preview(list)).toMatch(/^\[\{"a":"x"\},.*…$/);
		expect(reads).toBeLessThan(10);
		const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
		expect(preview(deep)).toBe(`${'['.repeat(40)}…`);
	});
});

it('JSON that is nested too deep is refused as such', () => {
	const text = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
	expect(refusals(jsonObject(), text)).toEqual(['must not be nested deeper than 500 levels']);
	expect(refusals(jsonObject(), '{"a":')).toEqual([
		'is not valid JSON: Unexpected end of JSON input',
	]);
});
