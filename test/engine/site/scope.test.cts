import type { IDataObject } from 'n8n-workflow';
import { keyHash, SeenSet } from '../../../nodes/runtime/values/seenSet';
import { addressOf, start, textOf } from './handbook.cjs';
import { hintsOf, jsonOf, told, useSyncedSite } from './synced.cjs';

const others = 'https://tidewatch.example/guides';
const prices = `${others}/spring-tides`;
const byMap = { strategy: 'map' };

const idsOf = (items: IDataObject[]): unknown[] => items.map(({ pageId }) => pageId);

describe('two sites in one store', () => {
	const synced = useSyncedSite();
	const { testBed, run, sync } = synced;

	it.each([
		['a map', byMap],
		[
			'a crawl',
			{ strategy: 'crawl', additionalFields: { requestJson: '{"allowExternalLinks":true}' } },
		],
	])('have pages of their own, though one redirects to the other: by %s', async (_name, way) => {
		const handbook = synced.handbook;
		handbook.open(4);
		handbook.redirect('1', prices);
		const victims = await sync({ url: others });
		const [victim] = victims.filter(({ url }) => url === prices);

		const first = await run(way);
		handbook.redirect('1', undefined);
		const second = await sync(way);
		handbook.remove('1');
		const third = await sync(way);

		expect(victim).toBeDefined();
		expect(told(jsonOf(first))).not.toContain(`insert new ${prices}`);
		expect(hintsOf(first)).toMatch(
			/URLs? of the site redirects? to another site.*handbook\/1 \(https:\/\/tidewatch/,
		);
		const ours = [...jsonOf(first), ...second, ...third];
		expect(idsOf(ours)).not.toContain(victim.pageId);
		expect(told(second)).toEqual([`insert new ${addressOf('1')}`]);
		expect(third.map(({ action, pageId }) => [action, pageId])).toEqual([
			['delete', second[0].pageId],
		]);
	});

	it('have other IDs for a page that both have, and for its chunks', async () => {
		synced.handbook.open(2);

		const all = await sync({ url: 'https://docs.relayworks.example', limit: 200 });
		const part = await sync();

		const whole = all.find(({ url }) => url === addressOf('1'));
		const below = part.find(({ url }) => url === addressOf('1'));
		expect(whole?.text).toBe(below?.text);
		expect(whole?.pageId).not.toBe(below?.pageId);
		expect(whole?.chunkId).not.toBe(below?.chunkId);
	});

	it('keep a page apart that redirects out of the path of the start page', async () => {
		const handbook = synced.handbook;
		handbook.open(3);
		testBed.service.site.add({
			url: 'https://docs.relayworks.example/blog-of-relays',
			title: 'Blog',
			markdown: 'A blog.',
			published: '2026-01-01T00:00:00.000Z',
		});
		handbook.redirect('1', 'https://docs.relayworks.example/blog-of-relays');

		const narrow = await sync(byMap);
		const wide = await sync({
			...byMap,
			limit: 200,
			startOver: true,
			additionalFields: { crawlEntireDomain: true },
		});

		const isBlog = ({ url }: IDataObject) => String(url).endsWith('/blog-of-relays');
		expect(narrow).toHaveLength(3);
		expect(narrow.filter(isBlog)).toEqual([]);
		expect(wide.filter(isBlog)).toHaveLength(1);
	});

	it('are named where the start page itself leads to another one', async () => {
		synced.handbook.open(2);
		await sync();
		testBed.service.site.update(start, { redirect: 'https://tidewatch.example/' });

		const led = await run({ strategy: 'map' });

		expect(led.error?.message).toMatch(
			/^No page of .*\/handbook could be scraped: it redirects to another site, https:\/\/tidewatch\.example/,
		);
	});
});

describe('what an earlier build has stored', () => {
	const synced = useSyncedSite();
	const { sync } = synced;
	const keyOf = (url: unknown) => String(url).slice('https://'.length);
	const formerId = (name: string) => keyHash(keyOf(addressOf(name)));
	/** Has the node remember its sites as before pages had IDs of their site: these pages, and others of which the texts are not known. */
	const storeFormer = (items: IDataObject[], ...urls: string[]) => {
		const seen = new SeenSet('', 100);
		for (const { url, text } of items) seen.add(keyOf(url), `Infinity ${String(text)}`);
		for (const url of urls) seen.add(keyOf(url), 'as it was');
		synced.workflow.replaceSites(({ runs, at }) => ({ runs, at, seen: seen.toString() }));
	};

	it('keeps its IDs until its pages change or go, and is not stored again', async () => {
		const handbook = synced.handbook;
		handbook.open(5);
		const items = await sync();
		storeFormer(items);

		expect(await sync()).toEqual([]);
		handbook.change('1', textOf('1', 2));
		handbook.remove('2');
		const second = await sync();

		const [own] = items.filter(({ url }) => url === addressOf('1'));
		expect(second.map(({ action, change, pageId }) => [action, change, pageId])).toEqual([
			['delete', 'removed', formerId('2')],
			['delete', 'changed', formerId('1')],
			['insert', 'changed', own.pageId],
		]);
		handbook.change('1', textOf('1', 3));
		expect(idsOf(await sync())).toEqual([own.pageId, own.pageId]);
		handbook.remove('3');
		expect(idsOf(await sync())).toEqual([formerId('3')]);
	});

	it('forgets a page of another site, and does not delete it', async () => {
		const handbook = synced.handbook;
		handbook.open(4);
		handbook.redirect('1', prices);
		const items = await sync(byMap);
		await sync({ url: others });
		storeFormer(items, prices);

		expect(await sync(byMap)).toEqual([]);
		handbook.redirect('1', undefined);
		expect(idsOf(await sync(byMap))).not.toContain(keyHash(keyOf(prices)));
	});

	it('forgets, and does not delete, what two sites of the node have', async () => {
		synced.handbook.open(4);
		const items = await sync();
		await sync({ url: others });
		storeFormer(items, prices);

		expect(await sync()).toEqual([]);
	});
});

describe('a page of several URLs', () => {
	const synced = useSyncedSite();
	const { testBed, run, sync, spent, batches, mapOnce } = synced;

	it('is paid once', async () => {
		synced.handbook.open(1);
		const one = addressOf('1');
		mapOnce([
			start,
			one,
			`${one}/`,
			`${one}/index.html`,
			one.replace('docs.', 'www.docs.'),
			`${one}#use`,
			`${one}?page=2`,
		]);

		await run(byMap);

		expect(batches()).toEqual([[start, one, `${one}?page=2`]]);
	});

	it('is another one where the fragment is a route', async () => {
		synced.handbook.open(1);
		const app = (route: string) => `${addressOf('1')}${route}`;
		mapOnce([start, app('#/a'), app('#!/b'), app('#c'), app('#/a')]);

		const items = await sync(byMap);

		expect(batches()).toEqual([[start, app('#/a'), app('#!/b'), app('#c')]]);
		const urls = [start, app('#/a'), app('#!/b'), addressOf('1')];
		expect(items.map(({ url }) => url).sort()).toEqual(urls.sort());
		expect(new Set(idsOf(items)).size).toBe(4);
	});

	it('is not read at each run though it redirects within the site', async () => {
		const handbook = synced.handbook;
		handbook.open(20);
		for (let page = 1; page <= 10; page += 1) handbook.redirect(String(page), addressOf('20'));
		const inTurn = { ...byMap, rescrapeEvery: 7 };
		await sync(inTurn);

		const costs: number[] = [];
		for (let day = 1; day <= 7; day += 1) {
			const before = spent();
			expect(await sync(inTurn)).toEqual([]);
			costs.push(spent() - before);
		}

		// A map and the start page each day, and each URL once in the week.
		expect(costs.reduce((one, other) => one + other)).toBeLessThanOrEqual(7 * 2 + 20);
	});

	it('is among no more than the limit, whatever a map lists', async () => {
		synced.handbook.open(3);
		mapOnce(Array.from({ length: 50_000 }, (_, page) => addressOf(`of many ${page}`)));

		const listed = await run({ ...byMap, limit: 10 });

		expect(batches().map(({ length }) => length)).toEqual([10]);
		expect(listed.error?.message).toMatch(/^No page of/);
	});

	it('that is known comes before those that are not, where a map lists too many', async () => {
		synced.handbook.open(3);
		await sync(byMap);
		mapOnce([
			...Array.from({ length: 500 }, (_, page) => addressOf(`of many ${page}`)),
			start,
			...['1', '2'].map(addressOf),
		]);

		const second = await run({ ...byMap, limit: 3 });

		expect(jsonOf(second)).toEqual([]);
		expect(batches().at(-1)).toEqual([start, addressOf('1'), addressOf('2')]);
		expect(hintsOf(second)).toMatch(/1 known page is missing.*'Limit' was reached/);
		expect(testBed.service.log.of('POST', '/v2/crawl')).toEqual([]);
	});

	it('of another host is not visited, though a map lists it', async () => {
		synced.handbook.open(1);
		mapOnce([start, prices, addressOf('1')]);

		const listed = await run(byMap);

		expect(batches()).toEqual([[start, addressOf('1')]]);
		expect(hintsOf(listed)).toMatch(/1 URL of the site redirects to another site/);
	});
});
