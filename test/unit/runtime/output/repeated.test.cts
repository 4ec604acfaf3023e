import { repeatedOnce } from '../../../../nodes/runtime/output/repeated';

describe('A value that all results share', () => {
	const many = 130_000;
	const listOf = <Each,>(each: (position: number) => Each) =>
		Array.from({ length: many }, (_, position) => each(position));
	const targets = Array.from({ length: 10_000 }, () => ({ url: 'https://a.example' }));
	const check = { id: 'c1', targets };
	const notices: string[] = [];
	const notice = (words: string) => void notices.push(words);
	beforeEach(() => {
		notices.length = 0;
	});

	it('stays in each of a few', () => {
		const results = [1, 2, 3].map((position) => ({ json: { position, check } }));
		expect(repeatedOnce(results, notice)).toBe(results);
		expect(notices).toEqual([]);
	});

	it('stays in each of very many if it is small', () => {
		const request = { id: 'r1', creditsUsed: 5, warning: 'Some pages failed' };
		const results = listOf((position) => ({ json: { position, request } }));
		expect(repeatedOnce(results, notice)).toBe(results);
		expect(notices).toEqual([]);
	});

	it.each<[string, object | string]>([
		['a long list', check],
		['a long text', { warning: 'w'.repeat(100_000) }],
		['a text', 'w'.repeat(100_000)],
		['long names', { ['n'.repeat(100_000)]: true }],
	])('stays only in the first if %s would be in very many', (_, large) => {
		const results = listOf((position) => ({ json: { position, large }, file: position }));

		const once = repeatedOnce(results, notice);

		expect(once[0]).toBe(results[0]);
		expect(once[1]).toEqual({ json: { position: 1 }, file: 1 });
		expect(once.at(-1)).toEqual({ json: { position: many - 1 }, file: many - 1 });
		expect(notices).toEqual([
			"'large' is too large to repeat in 130000 items: only the first item has it.",
		]);
	});

	it('takes at most five megabytes in all if it has more than 500 characters', () => {
		const large = 'w'.repeat(900);
		const inItems = (count: number) =>
			Array.from({ length: count }, (_, position) => ({ json: { position, large } }));
		expect(repeatedOnce(inItems(5_000), notice)[4_999].json).toHaveProperty('large');
		expect(repeatedOnce(inItems(6_000), notice)[5_999].json).not.toHaveProperty('large');
		expect(notices).toHaveLength(1);
	});

	it('is measured with the names of fields, and lists without', () => {
		const entries = Array.from({ length: 600 }, (_, index): [string, string] => [`m${index}`, '']);
		const members = Object.fromEntries(entries);
		const list = Array.from({ length: 600 }, () => 7);
		const inItems = (count: number, large: object) =>
			Array.from({ length: count }, (_, position) => ({ json: { position, large } }));
		const tooMany = Math.ceil(5_000_000 / JSON.stringify(members).length) + 1;

		expect(repeatedOnce(inItems(tooMany, members), notice)[1].json).toEqual({ position: 1 });
		expect(repeatedOnce(inItems(1_000, list), notice)[1].json).toHaveProperty('large');
	});

	it("never replaces a result's own value of that name", () => {
		const own = 'its own';
		const results = listOf((position) => ({ json: { check: position === 7 ? own : check } }));
		expect(repeatedOnce(results, notice)[7]).toEqual({ json: { check: own } });
	});
});
