import fc from 'fast-check';

const deep = (levels: number): unknown => {
	let value: unknown = 'end';
	for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
	return value;
};

/** What only JSON can make: members whose names an object has by itself. */
const inherited = (): unknown[] => [
	JSON.parse('{"__proto__":{"polluted":true}}'),
	JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
	JSON.parse('{"type":"__proto__","values":[{"__proto__":{"polluted":true}}]}'),
	JSON.parse('{"values":[{"name":"__proto__","value":"polluted"}]}'),
	{ type: 'constructor' },
	{ toString: 1, valueOf: 2, hasOwnProperty: 3 },
	{ toJSON: 'none' },
];

/** Texts, by what they could be taken for. */
const texts = [
	...['', ' ', '\n', 'null', 'undefined', 'TRUE', 'false', '=1+1'],
	...['0', '-1', ' 7 ', '1e3', '0x10', '1,5', 'NaN', '2026-02-30'],
	...['{}', '[]', '[[1]]', '{"a":', '{"__proto__":{"polluted":true}}', 'a,b,,c'],
	...['__proto__', 'constructor', '00000000-0000-0000-0000-000000000000'],
	...['../../team/credit-usage', '..', '.', '%2e%2e', '%2E%2e/%2e%2e/x', '..\\..\\x'],
	...['a/b?c=d#e', '?x=1', '#', ';'],
	...['\u0000', 'a\u0000b', 'a\r\nX-Injected: 1', '\u001b[31m\u0007', '\ud800', '\udc00x'],
	...['العربية اختبار', 'हिन्दी', '日本語のテキスト', '👩‍👩‍👧‍👦🏳️‍🌈', 'e\u0301\u200b\u202e', 'ß'],
	...['file:///etc/passwd', 'javascript:alert(1)', 'http://user:password@example.com/'],
	...['http://127.0.0.1:1/', '//example.com/x', 'http://[::1]/', 'http://'],
	'https://exa mple.com',
];

/** What is no text, and no list or object. */
const scalars: unknown[] = [
	...[undefined, null, true, false, 10n, /x/, new Map([['a', 1]])],
	...[0, -0, -1, 1.5, 1e21, 2 ** 53, NaN, Infinity, -Infinity],
	...[new Date('2026-02-03T04:05:06Z'), new Date(NaN)],
];

const containers: unknown[] = [
	...[[], [[]], [[['a']]], [null], [undefined, 1], {}, { a: { b: { c: [] } } }],
	...[[], {}, [null], 'x', [[{}]]].map((values) => ({ values })),
	{ __rl: true, mode: 'id', value: {} },
	{ mappingMode: 'defineBelow', value: [] },
];

/** What an expression can come to besides what the field is for. */
export const oddValues = (): fc.Arbitrary<unknown> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom<unknown>(...texts) },
		{ weight: 3, arbitrary: fc.constantFrom(...scalars) },
		{ weight: 3, arbitrary: fc.constantFrom(...containers) },
		{ weight: 2, arbitrary: fc.nat({ max: 6 }).map((index) => inherited()[index]) },
		{ weight: 1, arbitrary: fc.constantFrom(10, 100).map(deep) },
		{
			weight: 1,
			arbitrary: fc
				.tuple(
					fc.constantFrom('x', '👍', 'a,', '\n', '"', '../'),
					fc.constantFrom(600, 11_000, 120_000),
				)
				.map(([unit, count]) => unit.repeat(count)),
		},
		{ weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
		{ weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
	);
