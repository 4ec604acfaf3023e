import { maxDepth, fromJson, isTooDeep, parseJson } from '../../../../nodes/runtime/values/json';

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
	it.each([
		['{"a":[1]}', { a: [1] }],
		['Bad gateway', 'Bad gateway'],
		[nested(maxDepth + 1), nested(maxDepth + 1)],
		[nested(200_000), nested(200_000)],
		['['.repeat(200_000), '['.repeat(200_000)],
	])('is its JSON, or its text if n8n could not store that', (text, body) => {
		expect(parseJson(text)).toEqual(body);
	});
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
