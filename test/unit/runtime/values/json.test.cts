import {
	deepest,
	fromJson,
	isDeepJson,
	isTooDeep,
	parseBody,
} from '../../../../nodes/runtime/values/json';

const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);

/** How many lists stand in one another, and what is in the innermost, without recursion. */
function unwrapped(value: unknown): { levels: number; innermost: unknown } {
	let [levels, innermost] = [0, value];
	for (; Array.isArray(innermost); [innermost] = innermost) levels += 1;
	return { levels, innermost };
}

describe('JSON text', () => {
	it.each([
		['{"a":1}', { a: 1 }],
		['[', '['],
		['text', 'text'],
		['nav, .ad', 'nav, .ad'],
		['nullable', 'nullable'],
		[' \n null ', null],
		['true', true],
		['false', false],
		['"text"', 'text'],
		['-1.5', -1.5],
		['5 a', '5 a'],
		[5, 5],
	])('%j is read as %j', (given, expected) => {
		expect(fromJson(given)).toEqual(expected);
	});

	it('is as deep as its brackets outside of texts', () => {
		expect(isDeepJson(nested(deepest))).toBe(false);
		expect(isDeepJson(nested(deepest + 1))).toBe(true);
		expect(isDeepJson(nested(deepest, `"${'['.repeat(9)}\\"${'{'.repeat(9)}"`))).toBe(false);
		expect(isDeepJson(nested(deepest, '"\\\\",[]'))).toBe(true);
		expect(isDeepJson(nested(deepest, '"\\\\\\",[]"'))).toBe(false);
		expect(isDeepJson(nested(deepest, '"",[]'))).toBe(true);
		expect(isDeepJson(`${nested(deepest)}"[`)).toBe(false);
		expect(isDeepJson('{"a":'.repeat(deepest + 1) + '1' + '}'.repeat(deepest + 1))).toBe(true);
	});

	it('that is too deep stays text', () => {
		expect(unwrapped(fromJson(nested(deepest))).levels).toBe(deepest);
		expect(fromJson(nested(deepest + 1))).toBe(nested(deepest + 1));
	});
});

describe('an answer', () => {
	it('is what its text says', () => {
		expect(parseBody('{"a":[1]}')).toEqual({ body: { a: [1] } });
		expect(parseBody('Bad gateway')).toEqual({ body: 'Bad gateway' });
		expect(parseBody(nested(deepest))).not.toHaveProperty('isFlattened');
	});

	it('has what lies too deep as JSON text in its place, and everything else as it is', () => {
		const deep = nested(3, '"a\\"]",{"b":1}');
		const text = `{"data":${nested(deepest - 1, `1,${deep},2,${deep}`)},"creditsUsed":7}`;
		const { body, isFlattened } = parseBody(text);
		expect(isFlattened).toBe(true);
		expect(body).toMatchObject({ creditsUsed: 7 });
		let list: unknown = Reflect.get(Object(body), 'data');
		for (let level = 2; level < deepest; level += 1) [list] = Array.isArray(list) ? list : [];
		expect(list).toEqual([1, deep, 2, deep]);
	});

	it.each([200_000, 5_000_000])('may be nested %d levels deep', (levels) => {
		const text = nested(levels, '"paid"');
		const { body } = parseBody(text);
		const innermost = nested(levels - deepest, '"paid"');
		expect(unwrapped(body)).toEqual({ levels: deepest, innermost });
		expect(isTooDeep(body)).toBe(false);
	});

	it.each([['['.repeat(200_000)], [']'.repeat(200_000)], [nested(200_000).slice(1)]])(
		'that is no JSON stays as it is, however deep',
		(text) => {
			expect(parseBody(text)).toEqual({ body: text });
		},
	);
});

describe('a value', () => {
	it('is too deep beyond the deepest level', () => {
		expect(isTooDeep(JSON.parse(nested(deepest)))).toBe(false);
		expect(isTooDeep(JSON.parse(nested(deepest + 1)))).toBe(true);
		expect(isTooDeep(JSON.parse(nested(200_000)))).toBe(true);
		expect(isTooDeep('text')).toBe(false);
	});

	it('that holds itself is looked at once', () => {
		const ring: unknown[] = [];
		ring.push(ring, ring);
		expect(isTooDeep(ring)).toBe(false);
	});
});
