import { maxDepth, fromJson, isTooDeep, parseBody } from '../../../../nodes/runtime/values/json';

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
	])('is parsed: %j as %j', (given, expected) => {
		expect(fromJson(given)).toEqual(expected);
	});

	it('stays text if it is too deep', () => {
		expect(unwrapped(fromJson(nested(maxDepth))).levels).toBe(maxDepth);
		expect(fromJson(nested(maxDepth + 1))).toBe(nested(maxDepth + 1));
	});
});

describe('The body of a response', () => {
	it('is its parsed JSON', () => {
		expect(parseBody('{"a":[1]}')).toEqual({ body: { a: [1] } });
		expect(parseBody('Bad gateway')).toEqual({ body: 'Bad gateway' });
		expect(parseBody(nested(maxDepth))).not.toHaveProperty('isFlattened');
	});

	it('has too deep parts as JSON text, and all others unchanged', () => {
		const deep = nested(3, '"a\\"]",{"b":1}');
		const text = `{"data":${nested(maxDepth - 1, `1,${deep},2,${deep}`)},"creditsUsed":7}`;
		const { body, isFlattened } = parseBody(text);
		expect(isFlattened).toBe(true);
		expect(body).toMatchObject({ creditsUsed: 7 });
		let list: unknown = Reflect.get(Object(body), 'data');
		for (let level = 2; level < maxDepth; level += 1) [list] = Array.isArray(list) ? list : [];
		expect(list).toEqual([1, deep, 2, deep]);
	});

	it('may be nested deeper than JSON can be written', () => {
		const { body } = parseBody(nested(200_000));
		const innermost = '[… nested too deep for JSON]';
		expect(unwrapped(body)).toEqual({ levels: maxDepth, innermost });
	});

	it.each([['['.repeat(200_000)], [']'.repeat(200_000)], [nested(200_000).slice(1)]])(
		'stays unchanged if it is invalid, at any depth',
		(text) => {
			expect(parseBody(text)).toEqual({ body: text });
		},
	);
});

describe('A value', () => {
	it('is too deep above the maximum depth', () => {
		expect(isTooDeep(JSON.parse(nested(maxDepth)))).toBe(false);
		expect(isTooDeep(JSON.parse(nested(maxDepth + 1)))).toBe(true);
		expect(isTooDeep(JSON.parse(nested(200_000)))).toBe(true);
		expect(isTooDeep('text')).toBe(false);
	});

	it('is visited once if it contains itself', () => {
		const ring: unknown[] = [];
		ring.push(ring, ring);
		expect(isTooDeep(ring)).toBe(false);
	});
});
