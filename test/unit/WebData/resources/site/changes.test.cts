import { WorkMeter } from '../../../../faults/workMeter.cjs';
import { mostInOneTurn } from '../../../../turnsDuring.cjs';
import { KnownPages } from '../../../../../nodes/WebData/resources/site/knownPages';
import { pageKey, pageMark } from '../../../../../nodes/WebData/resources/site/pageKey';
import { visitOf, type Visit } from '../../../../../nodes/WebData/resources/site/scope';
import {
	changesIn,
	record,
	pagesAlike,
	type Changes,
	type Scan,
	type SitePage,
	type VisitedPage,
} from '../../../../../nodes/WebData/resources/site/changes';

const site = 'site of tests';
const at = (name: string) => `https://example.com/${name}`;
const visit = (asked: string, url = asked): Visit => visitOf(at(asked), at(url));
const page = (name: string, markdown = name, asked = name): VisitedPage => ({
	...visit(asked, name),
	title: name,
	markdown,
});
const keyOf = (name: string) => pageKey(at(name));
const idOf = (name: string) => new KnownPages(site).idOf(keyOf(name));
const stored = (name: string, markdown = name) => ({
	url: at(name),
	title: name,
	markdown,
	pageId: idOf(name),
});
const stateOf = ({ markdown }: SitePage) => markdown;
const reading = (more: Partial<Scan>): Scan => ({
	pages: [],
	gone: [],
	failed: [],
	others: [],
	listed: [],
	forbidden: [],
	elsewhere: [],
	remainingPages: 100,
	limitMargin: 10,
	byLinks: true,
	...more,
});
const all = ['a', 'b', 'c', 'd', 'e'];
const compare = async (read: Scan, pages: KnownPages, wasUncertain = false): Promise<Changes> =>
	await changesIn(read, { pages, wasUncertain }, { stateOf, start: keyOf('a') });
const remembered = async () => {
	const pages = new KnownPages(site);
	const first = reading({ pages: all.map((name) => page(name)) });
	await record(await compare(first, pages), first, pages, stateOf);
	return new KnownPages(site, pages.toStored());
};
const compared = async (more: Partial<Scan>, wasUncertain = false): Promise<Changes> =>
	await compare(reading(more), await remembered(), wasUncertain);
const but = (...names: string[]) =>
	all.filter((name) => !names.includes(name)).map((name) => page(name));

describe('the fingerprint of a page', () => {
	it('is the same for URLs by which the service means the same page', () => {
		const mark = pageMark('https://example.com/docs');
		const same = [at('docs#top'), at('docs/index.html'), 'http://example.com/docs'];
		for (const url of [...same, 'https://www.example.com/docs/']) expect(pageMark(url)).toBe(mark);
		const others = [at('docs?page=2'), at('Docs'), at('docs#/a'), at('docs#!/a'), 'no address'];
		for (const url of others) expect(pageMark(url)).not.toBe(mark);
		expect(mark).toMatch(/^[\w-]{11}$/);
	});
});

describe('a large website', () => {
	const meter = new WorkMeter();
	afterEach(() => meter.stop());
	const names = Array.from({ length: 5_000 }, (_, at) => `page ${at}`);
	const visits = names.map((name) => visit(`old ${name}`, name));
	const mostHashed = async (work: () => Promise<unknown>) => {
		meter.start(() => Infinity);
		return await mostInOneTurn(() => meter.digests, work);
	};

	it.each<[string, Partial<Scan>]>([
		['scraped', { pages: names.map((name) => page(name, name, `old ${name}`)) }],
		['failed', { failed: visits }],
		['gone', { gone: visits }],
		['listed', { listed: visits }],
		['elsewhere', { elsewhere: visits }],
	])('lets others run while its pages are compared and recorded: %s', async (_kind, found) => {
		const pages = new KnownPages(site);
		const scan = reading(found);

		expect(
			await mostHashed(async () => await record(await compare(scan, pages), scan, pages, stateOf)),
		).toBeLessThan(4_000);
	});
});

describe('what has changed in a website', () => {
	it('is what is new, changed or missing, each page once', async () => {
		const changes = await compared({
			pages: [...but('a', 'b'), page('b', 'B'), page('f'), page('f', 'F')],
		});

		expect(changes).toEqual({
			removed: [{ pageId: idOf('a') }],
			changed: [{ ...stored('b', 'B'), storedId: idOf('b') }],
			added: [stored('f')],
			unchanged: 3,
			missing: [],
			released: [],
		});
	});

	it('leaves out what is there though it was not read', async () => {
		const there = [visit('a'), visit('b')];
		for (const kind of ['others', 'listed', 'forbidden']) {
			expect((await compared({ pages: but('a', 'b'), [kind]: there })).removed).toEqual([]);
		}
		const failed = await compared({ pages: but('a'), failed: [visit('a')] });
		expect([failed.removed, failed.missing]).toEqual([[], []]);
	});

	it('leaves out a page to which a listed URL has led', async () => {
		const pages = await remembered();
		const first = reading({ pages: [...but('b'), page('b', 'b', 'old')] });
		await record(await compare(first, pages), first, pages, stateOf);
		const again = new KnownPages(site, pages.toStored());

		expect(
			(await compare(reading({ pages: but('b'), listed: [visit('old')] }), again)).removed,
		).toEqual([]);
		expect((await compare(reading({ pages: but('b') }), again)).removed).toHaveLength(1);
		expect(again.leadsTo(keyOf('old'))).toBe(idOf('b'));
	});

	it('takes for removed what the site says is gone, in any reading that shows that the site is there', async () => {
		const gone = [visit('a'), visit('never')];
		const changes = await compared({ pages: [page('b')], gone, uncertainty: 'cut' });

		expect(changes.removed).toEqual([{ pageId: idOf('a'), url: at('a') }]);
		expect(changes.missing).toHaveLength(3);
		const nothing = await compared({ gone });
		expect([nothing.removed, nothing.missing.length, nothing.uncertainty]).toEqual([
			[],
			5,
			'alone',
		]);
	});

	it.each<[string, Partial<Scan>]>([
		['cut', { uncertainty: 'cut' }],
		['lowered', { uncertainty: 'lowered' }],
		['unknown limit', { uncertainty: 'unknown limit' }],
		['limit', { remainingPages: 0 }],
		['failed', { failed: [visit('b')], pages: but('a', 'b') }],
		['many', { pages: but('a', 'b', 'c') }],
		['alone', { pages: [page('a')] }],
	])(
		'takes nothing missing for removed where the scan is uncertain: %s',
		async (uncertainty, more) => {
			const changes = await compared({ pages: but('b'), ...more });

			expect(changes).toMatchObject({ removed: [], uncertainty });
			expect(changes.missing.length).toBeGreaterThan(0);
		},
	);

	it('takes many missing pages for removed where the limit was surely not reached', async () => {
		const two = { pages: but('a', 'b') };
		expect(await compared({ ...two, remainingPages: 1 })).toMatchObject({
			removed: [],
			uncertainty: 'limit',
		});
		expect((await compared({ ...two, remainingPages: 1, limitMargin: 1 })).removed).toHaveLength(2);
	});

	it.each<[string, boolean, VisitedPage[]]>([
		['its start page alone', false, [page('a')]],
		['a login page', false, [page('login')]],
		['its start page and a login page', false, [page('a'), page('login')]],
		['one text at many URLs', false, ['f', 'g', 'h'].map((name) => page(name, 'Sign in'))],
		['another of its pages', true, [page('a'), page('b')]],
		['other pages', true, [page('f'), page('g')]],
	])(
		'believes that most of a site is gone when it was missed twice beside %s: %s',
		async (_name, isBelieved, pages) => {
			expect((await compared({ pages }, true)).removed.length > 0).toBe(isBelieved);
			expect((await compared({ pages })).removed).toEqual([]);
		},
	);

	it('takes nothing missing for removed where a page failed that was never read: it may be the one that links to it', async () => {
		const failed = [visit('never')];
		expect(await compared({ pages: but('a'), failed })).toMatchObject({
			removed: [],
			uncertainty: 'failed',
		});
	});

	it('believes a list of addresses in spite of pages that failed, and most of it when it is missed twice', async () => {
		const byMap = { pages: but('a', 'b'), failed: [visit('b')], byLinks: false };
		expect((await compared(byMap)).removed).toHaveLength(1);
		expect((await compared({ pages: but('a', 'b', 'c') }, true)).removed).toHaveLength(3);
	});

	it('is remembered as far as it came out', async () => {
		const known = await remembered();
		const next = reading({ pages: [...but('a', 'b'), page('f')], failed: [visit('b')] });
		const changes = await compare(next, known);
		await record(changes, next, known, stateOf);

		for (const name of ['a', 'b', 'f']) expect(known.judge(keyOf(name), name)).toBe('known');
		expect(changes.uncertainty).toBe('failed');
	});

	it('is one text where most of what was read has become it', async () => {
		const become = async (
			names: string[],
			text = (name: string) => `Sign in [on](/in?next=/${name})`,
		) =>
			await pagesAlike(
				await compared({
					pages: all.map((name) => page(name, names.includes(name) ? text(name) : name)),
				}),
			);
		expect(await become(['a', 'b', 'c'])).toBe(3);
		expect(await become(['a', 'b'])).toBe(0);
		expect(await become(all, (name) => `Changed ${name}`)).toBe(0);
		expect(
			await pagesAlike(await compared({ pages: [page('a', 'same'), page('b', 'same')] })),
		).toBe(0);
	});
});

describe('a website of 20,000 pages', () => {
	it('is compared whole, in the 17 characters a page that are stored of it', async () => {
		const names = Array.from({ length: 20_000 }, (_, index) => `page ${index}`);
		const whole = { byLinks: false, remainingPages: 20_000 };
		const first = reading({ ...whole, pages: names.map((name) => page(name)) });
		const before = new KnownPages(site);
		await record(await compare(first, before), first, before, stateOf);
		const known = new KnownPages(site, before.toStored());
		const kept = names.slice(2, -3).map((name) => page(name));
		const edited = names.slice(-3).map((name) => page(name, 'changed'));
		const second = reading({ ...whole, pages: [...kept, ...edited, page('added')] });
		const changes = await compare(second, known);
		await record(changes, second, known, stateOf);

		expect(changes.removed.map(({ pageId }) => pageId)).toEqual(names.slice(0, 2).map(idOf));
		expect(changes.changed.map(({ title }) => title)).toEqual(names.slice(-3));
		expect(changes.added.map(({ title }) => title)).toEqual(['added']);
		expect(changes.unchanged).toBe(19_995);
		expect(known.toStored().pages).toHaveLength(17 * 19_999);
		const again = await compare(second, known);
		expect(again).toMatchObject({ removed: [], changed: [], added: [], unchanged: 19_999 });
	});
});
