import type { IDataObject } from 'n8n-workflow';
import { addressOf, start, textOf } from './handbook.cjs';
import { hintsOf, jsonOf, told, useSyncedSite } from './synced.cjs';

const namesOf = (items: IDataObject[], action: string, change: string): string[] =>
	items
		.filter((item) => item.action === action && item.change === change)
		.map(({ url }) => String(url).slice(start.length + 1))
		.sort();

describe('a website that is synced', () => {
	const synced = useSyncedSite();
	const { testBed, run, sync, spent } = synced;
	const paths = () => testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);

	it('gives everything at first, then exactly what has changed, then nothing', async () => {
		synced.handbook.open(49);

		const first = await sync();

		expect(first).toHaveLength(50);
		expect(first.every(({ change, action }) => change === 'new' && action === 'insert')).toBe(true);
		expect(new Set(first.map(({ pageId }) => pageId)).size).toBe(50);

		for (const name of ['1', '2', '3']) synced.handbook.change(name, textOf(name, 2));
		synced.handbook.add('50');
		for (const name of ['48', '49']) synced.handbook.remove(name);
		const second = await sync();

		const idOf = (name: string) => first.find(({ url }) => url === addressOf(name))?.pageId;
		const removed = second.filter(({ change }) => change === 'removed');
		expect(removed.map(({ pageId }) => pageId).sort()).toEqual([idOf('48'), idOf('49')].sort());
		expect(namesOf(second, 'delete', 'changed')).toEqual(['1', '2', '3']);
		expect(namesOf(second, 'insert', 'changed')).toEqual(['1', '2', '3']);
		expect(namesOf(second, 'insert', 'new')).toEqual(['50']);
		expect(second).toHaveLength(2 + 3 + 3 + 1);
		const firstInsert = second.findIndex(({ action }) => action === 'insert');
		expect(second.slice(0, firstInsert).every(({ action }) => action === 'delete')).toBe(true);

		expect(await sync()).toEqual([]);
	});

	it('cuts pages into chunks that are the page, with IDs that stay', async () => {
		synced.handbook.open(1);
		const long = (name: string) =>
			`Intro.\n\n## One\n\n${'One word after another. '.repeat(20)}\n\n## Two\n\n${name} ${'More of the same. '.repeat(20)}`;
		synced.handbook.change('1', long('a'));
		const inChunks = { splitInto: 'chunks', maxChunkTokens: 150 };

		const [whole] = (await sync()).filter(({ url }) => url === addressOf('1'));
		const chunks = (await sync(inChunks)).filter(
			({ url, action }) => url === addressOf('1') && action === 'insert',
		);

		expect(chunks.length).toBeGreaterThan(1);
		expect(chunks.map(({ text }) => text).join('')).toBe(whole.text);
		expect(chunks.at(-1)).toMatchObject({
			change: 'changed',
			pageId: whole.pageId,
			headingPath: 'Page 1 › Two',
			title: expect.stringContaining('Page 1'),
			chunk: chunks.length,
			chunks: chunks.length,
		});

		synced.handbook.change('1', long('b'));
		const [deletion, ...later] = await sync(inChunks);
		expect(deletion).toMatchObject({ action: 'delete', change: 'changed', pageId: whole.pageId });
		const ids = (items: IDataObject[]) => items.map(({ chunkId }) => chunkId);
		expect(ids(later).slice(0, -1)).toEqual(ids(chunks).slice(0, -1));
		expect(ids(later).at(-1)).not.toBe(ids(chunks).at(-1));
	});

	it('takes no page that fails for removed, nor one that may be linked from it alone', async () => {
		synced.handbook.open(4);
		await sync();

		synced.handbook.fail('1', 503);
		synced.handbook.fail('2', 404);
		synced.handbook.remove('3');
		const second = await run();

		expect(told(jsonOf(second))).toEqual([`delete removed ${addressOf('2')}`]);
		expect(hintsOf(second)).toMatch(/1 known page is missing and does not count as removed/);

		synced.handbook.fail('1', undefined);
		synced.handbook.fail('2', undefined);
		const third = await sync();
		expect(third.map(({ action, change }) => `${String(action)} ${String(change)}`)).toEqual([
			'delete removed',
			'insert new',
		]);
	});

	it('takes no page for removed that the limit left no room for', async () => {
		synced.handbook.open(9);
		expect(await sync()).toHaveLength(10);

		const short = await run({ limit: 4 });

		expect(jsonOf(short)).toEqual([]);
		expect(hintsOf(short)).toMatch(/'Limit' was reached/);
	});

	it('believes that most of a site is gone when it was missed twice', async () => {
		synced.handbook.open(5);
		await sync();
		for (const name of ['1', '2', '3', '4']) synced.handbook.remove(name);

		const second = await run();
		expect(jsonOf(second)).toEqual([]);
		expect(hintsOf(second)).toMatch(/more than half of the scraped site/);

		expect(await sync()).toHaveLength(4);
		expect(await sync()).toEqual([]);
	});

	it('gives what a crawl has read that fails half-way, once, and takes nothing for removed', async () => {
		synced.handbook.open(7);
		await sync();
		synced.handbook.change('1', textOf('1', 2));
		synced.handbook.add('8');
		synced.handbook.remove('7');
		testBed.service.context.pageJobs.paces.add({ failure: { afterPages: 4 } });

		const half = await sync();
		const rest = await sync();

		expect(namesOf(half, 'delete', 'removed')).toEqual([]);
		const inserted = [...half, ...rest].filter(({ action }) => action === 'insert');
		expect(inserted.map(({ url }) => url).sort()).toEqual([addressOf('1'), addressOf('8')].sort());
		expect(rest.filter(({ change }) => change === 'removed')).toHaveLength(1);
		expect(await sync()).toEqual([]);
	});

	it('remembers nothing of an execution whose results do not come out', async () => {
		synced.handbook.open(2);
		const broken = await run(
			{ url: '={{ $json.url }}' },
			{ input: [{ url: start }, { url: 'https://nowhere.example' }] },
		);

		expect(broken.status).toBe('error');
		expect(synced.workflow.stored).toEqual({});
		expect(await sync()).toHaveLength(3);
	});

	it('remembers the site that came out beside one that failed', async () => {
		synced.handbook.open(2);
		const both = await run(
			{ url: '={{ $json.url }}' },
			{
				input: [{ url: 'https://nowhere.example' }, { url: start }, { url: `${start}/` }],
				node: { onError: 'continueRegularOutput' },
			},
		);

		expect(both.output()).toHaveLength(1 + 3);
		expect(await sync()).toEqual([]);
	});

	it('shows and remembers nothing by hand', async () => {
		synced.handbook.open(2);
		const shown = await run({}, { mode: 'manual' });
		expect(shown.output()).toHaveLength(3);
		expect(synced.workflow.stored).toEqual({});

		await sync();
		synced.handbook.change('1', textOf('1', 2));
		expect(jsonOf(await run({}, { mode: 'manual' }))).toHaveLength(2);
		expect(await sync()).toHaveLength(2);
	});

	it('starts over when it is told to', async () => {
		synced.handbook.open(2);
		await sync();

		expect(namesOf(await sync({ startOver: true }), 'insert', 'new')).toHaveLength(3);
		expect(await sync()).toEqual([]);
	});

	it('is a crawl as long as all pages are read, and says so', async () => {
		synced.handbook.open(3);
		await run();
		const before = spent();
		const second = await run();

		expect(spent() - before).toBe(4);
		expect(hintsOf(second)).toMatch(/scraped by a crawl for 4 credits.*4 unchanged/);
		expect(paths()).not.toContain('POST /v2/map');
		// Pages are read anew, and not from the cache of the service.
		const [crawl] = testBed.service.log.of('POST', '/v2/crawl');
		expect(crawl.body).toMatchObject({ limit: 100, scrapeOptions: { maxAge: 0 } });
	});

	it('is a map and a batch where known pages are read in turn: a crawl for what the map lacks', async () => {
		synced.handbook.open(19);
		const inTurn = { rescrapeEvery: 5 };
		await sync(inTurn);
		synced.handbook.add('20');
		synced.handbook.change('1', textOf('1', 2));

		const found: string[] = [];
		for (let day = 1; day <= 5; day += 1) {
			const before = spent();
			const items = await sync(inTurn);
			expect(spent() - before).toBeLessThan(15);
			found.push(...told(items));
		}
		expect(found).toEqual([
			`insert new ${addressOf('20')}`,
			`delete changed ${addressOf('1')}`,
			`insert changed ${addressOf('1')}`,
		]);
		expect(testBed.service.log.of('POST', '/v2/crawl')).toHaveLength(1);

		synced.handbook.remove('2');
		const last = await run(inTurn);
		expect(jsonOf(last)).toHaveLength(1);
		expect(hintsOf(last)).toMatch(/scraped by a map, a batch and a crawl/);
		expect(testBed.service.log.of('POST', '/v2/crawl')).toHaveLength(2);
	});

	it('asks no map again that lacks pages which are there', async () => {
		synced.handbook.open(5);
		const inTurn = { rescrapeEvery: 5, additionalFields: { sitemap: 'skip' } };
		synced.handbook.change('1', 'See [the hidden one](/handbook/1/hidden).');
		synced.handbook.add('1/hidden');
		testBed.service.site.update(start, { markdown: 'See [one](/handbook/1).' });
		await sync(inTurn);
		const second = await run(inTurn);
		const third = await run(inTurn);

		expect([jsonOf(second), jsonOf(third)]).toEqual([[], []]);
		expect(testBed.service.log.of('POST', '/v2/map')).toHaveLength(1);
		expect(testBed.service.log.of('POST', '/v2/crawl')).toHaveLength(3);
	});

	it('takes what a map does not list for removed where the way is fixed', async () => {
		synced.handbook.open(5);
		const byMap = { strategy: 'map', rescrapeEvery: 2 };
		expect(await sync(byMap)).toHaveLength(6);
		synced.handbook.remove('5');

		const items = await sync(byMap);

		expect(items).toEqual([expect.objectContaining({ action: 'delete', change: 'removed' })]);
		expect(paths()).not.toContain('POST /v2/crawl');
	});

	it('says so when nothing can be read, and forgets nothing', async () => {
		synced.handbook.open(2);
		await sync();
		const stored = synced.workflow.stored;
		for (const name of ['1', '2']) synced.handbook.fail(name, 500);
		testBed.service.site.update(start, { status: 500 });

		const failed = await run();

		expect(failed.error?.message).toMatch(/^No page of .*\/handbook could be scraped/);
		expect(synced.workflow.stored).toEqual(stored);
	});

	it('keeps within the credits of an execution', async () => {
		synced.handbook.open(2);
		const refused = await run({ limits: { maxCreditsPerExecution: 50 } });

		expect(refused.error?.message).toMatch(/may cost 100 credits/);
		expect(paths()).toEqual([]);
	});
});
