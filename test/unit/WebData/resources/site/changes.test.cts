import { SeenSet } from '../../../../../nodes/runtime/memory/seenSet';
import {
	changesIn,
	note,
	pageIdOf,
	type Changes,
	type Reading,
	type SitePage,
} from '../../../../../nodes/WebData/resources/site/changes';

const at = (name: string) => `https://example.com/${name}`;
const page = (name: string, markdown = name): SitePage => ({
	url: at(name),
	title: name,
	markdown,
});
const stateOf = ({ markdown }: SitePage) => markdown;
const reading = (more: Partial<Reading>): Reading => ({
	pages: [],
	gone: [],
	failed: [],
	others: [],
	isWhole: true,
	room: 100,
	margin: 10,
	byLinks: true,
	...more,
});
const all = ['a', 'b', 'c', 'd', 'e'];
const remembered = () => {
	const memory = new SeenSet('', 100);
	const first = reading({ pages: all.map((name) => page(name)) });
	note(changesIn(first, { memory, wasDoubted: false }, stateOf), first, memory, stateOf);
	return memory;
};
const compared = (more: Partial<Reading>, wasDoubted = false): Changes =>
	changesIn(reading(more), { memory: remembered(), wasDoubted }, stateOf);
const but = (...names: string[]) =>
	all.filter((name) => !names.includes(name)).map((name) => page(name));

describe('the ID of a page', () => {
	it('is the same for addresses by which the service means the same page', () => {
		const id = pageIdOf('https://example.com/docs');
		const same = [at('docs#top'), at('docs/index.html'), 'http://example.com/docs'];
		for (const url of [...same, 'https://www.example.com/docs/']) expect(pageIdOf(url)).toBe(id);
		for (const url of [at('docs?page=2'), at('Docs'), 'no address']) {
			expect(pageIdOf(url)).not.toBe(id);
		}
		expect(id).toMatch(/^[\w-]{11}$/);
	});
});

describe('what has changed in a website', () => {
	it('is what is new, changed or missing, each page once', () => {
		const changes = compared({
			pages: [...but('a', 'b'), page('b', 'B'), page('f'), page('f', 'F')],
		});

		expect(changes).toEqual({
			removed: [{ pageId: pageIdOf(at('a')) }],
			changed: [page('b', 'B')],
			added: [page('f')],
			unchanged: 3,
			missing: [],
		});
	});

	it('leaves out what is there though it was not read', () => {
		expect(compared({ pages: but('a', 'b'), others: [at('a'), at('b')] }).removed).toEqual([]);
		const failed = compared({ pages: but('a'), failed: [at('a')] });
		expect([failed.removed, failed.missing]).toEqual([[], []]);
	});

	it('takes for removed what the site says is gone, in any reading', () => {
		const changes = compared({ pages: [], gone: [at('a'), at('never')], isWhole: false });

		expect(changes.removed).toEqual([{ pageId: pageIdOf(at('a')), url: at('a') }]);
		expect(changes.missing).toHaveLength(4);
	});

	it.each<[string, Partial<Reading>]>([
		['cut', { isWhole: false }],
		['limit', { room: 0 }],
		['failed', { failed: [at('b')], pages: but('a', 'b') }],
		['many', { pages: but('a', 'b', 'c') }],
	])('takes nothing missing for removed where the reading is doubtful: %s', (doubt, more) => {
		const changes = compared({ pages: but('a'), ...more });

		expect(changes).toMatchObject({ removed: [], doubt });
		expect(changes.missing).toContain(pageIdOf(at('a')));
	});

	it('takes many missing pages for removed where the limit was surely not reached', () => {
		const two = { pages: but('a', 'b') };
		expect(compared({ ...two, room: 1 })).toMatchObject({ removed: [], doubt: 'limit' });
		expect(compared({ ...two, room: 1, margin: 1 }).removed).toHaveLength(2);
	});

	it('takes nothing missing for removed where a page failed that was never read: it may be the one that links to it', () => {
		const failed = [at('never')];
		expect(compared({ pages: but('a'), failed })).toMatchObject({ removed: [], doubt: 'failed' });
	});

	it('believes a list of addresses in spite of pages that failed, and most of it when it is missed twice', () => {
		const byMap = { pages: but('a', 'b'), failed: [at('b')], byLinks: false };
		expect(compared(byMap).removed).toHaveLength(1);
		expect(compared({ pages: but('a', 'b', 'c') }, true).removed).toHaveLength(3);
	});

	it('is remembered as far as it came out', () => {
		const memory = remembered();
		const next = reading({ pages: [...but('a', 'b'), page('f')], failed: [at('b')] });
		const changes = changesIn(next, { memory, wasDoubted: false }, stateOf);
		note(changes, next, memory, stateOf);

		expect(memory.judge('example.com/f', 'f')).toBe('known');
		expect(memory.judge('example.com/b', 'b')).toBe('known');
		expect(changes.doubt).toBe('failed');
		expect(memory.judge('example.com/a', 'a')).toBe('known');
	});
});

describe('a website of 20,000 pages', () => {
	it('is compared whole, in the 17 characters a page that are stored of it', () => {
		const names = Array.from({ length: 20_000 }, (_, index) => `page ${index}`);
		const whole = { byLinks: false, room: 20_000 };
		const first = reading({ ...whole, pages: names.map((name) => page(name)) });
		const before = new SeenSet('', 20_000);
		note(changesIn(first, { memory: before, wasDoubted: false }, stateOf), first, before, stateOf);
		const memory = new SeenSet(before.toString(), 20_000);
		const kept = names.slice(2, -3).map((name) => page(name));
		const edited = names.slice(-3).map((name) => page(name, 'changed'));
		const second = reading({ ...whole, pages: [...kept, ...edited, page('added')] });
		const changes = changesIn(second, { memory, wasDoubted: false }, stateOf);
		note(changes, second, memory, stateOf);

		expect(changes.removed.map(({ pageId }) => pageId)).toEqual(
			names.slice(0, 2).map((name) => pageIdOf(at(name))),
		);
		expect(changes.changed.map(({ title }) => title)).toEqual(names.slice(-3));
		expect(changes.added.map(({ title }) => title)).toEqual(['added']);
		expect(changes.unchanged).toBe(19_995);
		expect(memory.toString()).toHaveLength(17 * 19_999);
		const again = changesIn(second, { memory, wasDoubted: false }, stateOf);
		expect(again).toMatchObject({ removed: [], changed: [], added: [], unchanged: 19_999 });
	});
});
