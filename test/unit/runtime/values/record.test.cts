import {
	fieldOf,
	isRecord,
	propertyOf,
	rememberLast,
	setField,
} from '../../../../nodes/runtime/values/record';

describe('A plain object', () => {
	it.each<[string, unknown]>([
		['an object', { a: 1 }],
		['an empty one', {}],
		['one without prototype', Object.create(null)],
		['one from another realm, as n8n expressions give it', JSON.parse('{"a":1}')],
	])('is %s', (_, value) => {
		expect(isRecord(value)).toBe(true);
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a list', []],
		['a text', '{}'],
		['a date', new Date(0)],
		['a map', new Map()],
		['a function', () => ({})],
		['bytes', Buffer.from('a')],
	])('is not %s', (_, value) => {
		expect(isRecord(value)).toBe(false);
	});
});

describe('A field', () => {
	it('is an own property', () => {
		expect(fieldOf({ a: 0 }, 'a')).toBe(0);
		expect(fieldOf({ a: 0 }, 'b')).toBeUndefined();
		for (const name of ['constructor', 'toString', '__proto__']) {
			expect(fieldOf({}, name)).toBeUndefined();
		}
	});

	it.each([[null], [undefined], ['text'], [[1]]])('is undefined for %j', (value) => {
		expect(fieldOf(value, 'length')).toBeUndefined();
	});
});

it('A property may be inherited, and is undefined for other values', () => {
	expect(propertyOf(new URL('https://a.example/b'), 'pathname')).toBe('/b');
	for (const value of [null, undefined, 'text']) {
		expect(propertyOf(value, 'length')).toBeUndefined();
	}
});

it('The last result returns while the named fields are the same, whatever others are', () => {
	const read = rememberLast(['a', 'b'], (fields) => ({ ...fields }));
	const first = read({ a: 1, c: 1 });
	expect(first).toEqual({ a: 1 });
	expect(read({ a: 1, c: 2 })).toBe(first);
	expect(read({ a: 1, b: 0 })).toEqual({ a: 1, b: 0 });
	expect(read({ a: 1 })).toEqual({ a: 1 });
});

describe('Setting a field', () => {
	it.each([['a'], ['__proto__'], ['constructor']])('sets an own property: %s', (name) => {
		const record = {};
		setField(record, name, { polluted: 1 });
		setField(record, name, 2);
		expect(JSON.stringify(record)).toBe(`{"${name}":2}`);
		expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
	});
});
