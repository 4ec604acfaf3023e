import type { IDataObject } from 'n8n-workflow';
import { NewResults, type Stored } from '../../../nodes/WebDataPollingTrigger/newResults';
import { triggerSchema, type TriggerSettings } from '../../../nodes/WebDataPollingTrigger/settings';
import { accepted } from '../schemaAssertions.cjs';

const at = new Date('2026-03-01T12:00:00Z');
const settings = (change: Partial<TriggerSettings> = {}): TriggerSettings => ({
	...accepted(triggerSchema, {}),
	...change,
});
const pages = (...names: string[]) =>
	names.map((name) => ({ json: { url: `https://a.example/${name}`, title: name } }));

/** One check that hands over all that it finds: what fires, and what is kept. */
function check(
	stored: Stored,
	results: Array<{ json: IDataObject }>,
	change: Partial<TriggerSettings> = {},
	subject = 'tides',
): { fired: unknown[]; stored: Stored } {
	const one = new NewResults(stored, subject, settings(change));
	const finds = one.newResultsIn(results);
	return { fired: finds.map(({ result }) => result.json.title), stored: one.record(finds, at) };
}

describe('A check', () => {
	it('has the defaults of the editor', () => {
		expect(settings()).toEqual({
			errorsInRow: 1,
			firstCheck: 'none',
			newestCount: 5,
			executions: 'one',
			compareFields: [],
			ignoreQueryParameters: [],
			maxRemembered: 10_000,
			onlySinceLastCheck: false,
		});
	});

	it('returns results that the last one did not', () => {
		const first = check({}, pages('a', 'b'));
		const second = check(first.stored, pages('c', 'b', 'd'));
		const third = check(second.stored, pages('a', 'b', 'c', 'd'));

		expect([first.fired, second.fired, third.fired]).toEqual([[], ['c', 'd'], []]);
	});

	it('recognizes a URL that differs only by ignored parameters', () => {
		const change = { ignoreQueryParameters: ['session*'] };
		const first = check({}, pages('a?session=1&id=1'), change);
		const second = check(first.stored, pages('a?session=2&id=1', 'a?session=2&id=2'), change);

		expect(second.fired).toEqual(['a?session=2&id=2']);
	});

	it.each([
		[[], ['session']],
		[['session'], []],
		[['session', 'x'], ['session*']],
	])(
		'recognizes known results after the ignored parameters changed from %j to %j',
		(before, after) => {
			const known = pages('a?session=1', 'b?session=1', 'c');
			const first = check({}, known, { ignoreQueryParameters: before });
			const now = { ignoreQueryParameters: after, firstCheck: 'all' } as const;
			const second = check(first.stored, [...known, ...pages('d?session=1')], now);
			const third = check(second.stored, [...known, ...pages('d?session=1', 'e')], now);

			expect([second.fired, third.fired]).toEqual([['d?session=1'], ['e']]);
		},
	);

	it('stores no result that was not emitted', () => {
		const { stored } = check({}, pages('a'));
		const one = new NewResults(stored, 'tides', settings());
		const [find] = one.newResultsIn(pages('b', 'c', 'b'));
		const after = one.record([find], at);

		expect(check(after, pages('a', 'b', 'c')).fired).toEqual(['c']);
	});

	it('evicts the least recently found result', () => {
		const change = { maxRemembered: 3 };
		let { stored } = check({}, pages('a', 'b', 'c'), change);
		({ stored } = check(stored, pages('a'), change));
		({ stored } = check(stored, pages('d'), change));

		expect(check(stored, pages('a', 'c', 'd'), change).fired).toEqual([]);
		expect(check(stored, pages('b'), change).fired).toEqual(['b']);
	});

	it('ignores different descriptions of a page by two sources', () => {
		const change = { compareFields: ['title'] };
		const both = ['As a page', 'As news'].map((title) => ({
			json: { url: 'https://a.example/x', title },
		}));
		const first = check({}, both, change);

		expect(check(first.stored, both, change).fired).toEqual([]);
	});

	it('adds what it found, and retains a field of that name', () => {
		const one = new NewResults({}, 'tides', settings({ firstCheck: 'all' }));
		const [{ result }] = one.newResultsIn([
			{ json: { url: 'https://a.example', change: 'in 1901' } },
		]);

		expect(result.json).toMatchObject({ change: 'new', original: { change: 'in 1901' } });
	});

	it('returns the time of the last check of the search', () => {
		const { stored } = check({}, pages('a'));

		expect(new NewResults({}, 'tides', settings()).lastTime).toBeUndefined();
		expect(new NewResults(stored, 'tides', settings()).lastTime).toEqual(at);
		expect(new NewResults(stored, 'ships', settings()).lastTime).toBeUndefined();
	});

	it('starts again for another search', () => {
		const { stored } = check({}, pages('a'));

		expect(check(stored, pages('a', 'b'), {}, 'ships').fired).toEqual([]);
		const all = check(stored, pages('a', 'b'), { firstCheck: 'all' }, 'ships');
		expect(all.fired).toEqual(['a', 'b']);
	});

	it('prefers the newest results at first, by the date of any source, then the best', () => {
		const dated = (name: string, date: string) => ({
			json: { url: `https://a.example/${name}`, title: name, date },
		});
		const results = [
			...pages('best', 'second', 'late'),
			dated('old', '2001-01-01'),
			dated('late', '2026-01-01'),
			dated('later', '2026-01-02'),
		];
		const first = (newestCount: number) =>
			check({}, results, { firstCheck: 'newest', newestCount }).fired;

		expect(first(1)).toEqual(['later']);
		expect(first(2)).toEqual(['late', 'later']);
		expect(first(4)).toEqual(['best', 'late', 'old', 'later']);
		expect(first(9)).toHaveLength(5);
	});

	it('compares nested fields, and missing ones', () => {
		const compareFields = ['metadata.author', 'tags'];
		const [{ json }] = pages('a');
		let { stored } = check({}, [{ json }], { compareFields });
		const fires = (more: IDataObject) => {
			const next = check(stored, [{ json: { ...json, ...more } }], { compareFields });
			({ stored } = next);
			return next.fired.length > 0;
		};

		expect(fires({ metadata: {} })).toBe(false);
		expect(fires({ metadata: { author: 'Ada' } })).toBe(true);
		expect(fires({ metadata: { author: 'Ada', views: 3 } })).toBe(false);
		expect(fires({ metadata: { author: 'Ada' }, tags: ['a'] })).toBe(true);
		expect(fires({ metadata: { author: 'Ada' }, tags: ['a', 'b'] })).toBe(true);
		expect(fires({ metadata: { author: 'Ada' }, tags: ['a', 'b'] })).toBe(false);
		expect(fires({})).toBe(true);
	});

	it('does not compare states stored before fields were compared', () => {
		const { stored } = check({}, pages('a'));
		const changed = [{ json: { url: 'https://a.example/a', title: 'new title' } }];
		const next = check(stored, changed, { compareFields: ['title'] });

		expect(next.fired).toEqual([]);
		expect(check(next.stored, pages('a'), { compareFields: ['title'] }).fired).toEqual(['a']);
	});
});
