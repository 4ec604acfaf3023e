import type { IDataObject } from 'n8n-workflow';
import { join } from 'node:path';
import { projectRoot } from '../../root.cjs';
import { hostilePages } from '../../site/hostilePages.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { live, longLife } from './drivenDays.cjs';
import { onBatch, urlOf, useWatchedPages } from './watchedPages.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);
const { time } = pages;

const changesOf = (fired: IDataObject[]) => fired.map(({ url, change }) => [url, change]);

describe('watched pages', () => {
	it('fire when their text changed, with the lines, in one batch for all', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const account = testBed.account();
		const trigger = await pages.started(pages.watcher(['a', 'b'], {}, account));
		expect(trigger.executions).toEqual([]);
		testBed.service.log.clear();

		pages.update('b', '# b\n\nLater');
		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(testBed.service.log.of('POST', '/v2/batch/scrape')).toHaveLength(2);
		expect(trigger.fired).toEqual([
			expect.objectContaining({
				url: urlOf('b'),
				title: expect.stringMatching(/^b/),
				change: 'changed',
				diff: { text: '-At first\n+Later' },
				current: { markdown: expect.stringContaining('Later') },
				previous: { markdown: expect.stringContaining('At first') },
				request: { jobId: expect.any(String), creditsUsed: 2 },
			}),
		]);
		const [{ checkedAt, previousCheckAt }] = trigger.fired;
		expect(Date.parse(String(checkedAt))).toBeGreaterThan(Date.parse(String(previousCheckAt)));
	});

	it('do not fire for lines to ignore', async () => {
		pages.add('a', '# a\n\nVisitors today: 1\n\nBread');
		const trigger = await pages.started(
			pages.watcher(['a'], { ignoreLines: 'visitors*, Visitors *' }),
		);
		pages.update('a', '# a\n\nVisitors today: 2\n\nBread');
		await time.drive(trigger.poll());
		expect(trigger.fired).toEqual([]);

		pages.update('a', '# a\n\nVisitors today: 3\n\nCake');
		await time.drive(trigger.poll());

		expect(trigger.fired).toMatchObject([{ diff: { text: '-Bread\n+Cake' } }]);
	});

	it('fire when they vanish, appear, fail several times in a row and recover', async () => {
		pages.add('a');
		const { site } = testBed.service;
		const trigger = await pages.started(
			pages.watcher(['a'], { triggerOptions: { errorsInRow: 2 } }),
		);
		const poll = async () => await time.drive(trigger.poll());
		site.remove(urlOf('a'));
		await poll();
		await poll();
		pages.add('a');
		await poll();
		site.update(urlOf('a'), { status: 500 });
		await poll();
		expect(trigger.fired).toHaveLength(2);
		await poll();
		await poll();
		site.update(urlOf('a'), { status: undefined, markdown: 'Other' });
		await poll();
		await poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired.map(({ change }) => change)).toEqual([
			'removed',
			'new',
			'failed',
			'recovered',
			'changed',
		]);
		expect(trigger.fired[2]).toMatchObject({ error: 'The page returns HTTP 500', statusCode: 500 });
	});

	it('fire if they fail from the first check on', async () => {
		pages.add('a');
		testBed.service.site.update(urlOf('a'), { status: 500 });
		const trigger = await pages.started(
			pages.watcher(['a'], { triggerOptions: { errorsInRow: 2 } }),
		);
		expect(trigger.fired).toEqual([]);

		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'failed']]);
	});

	it('fire when a status changes to a redirect', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = await pages.started(pages.watcher(['a'], { compare: 'status' }));
		pages.update('a', 'Other');
		await time.drive(trigger.poll());
		expect(trigger.fired).toEqual([]);

		testBed.service.site.update(urlOf('a'), { redirect: urlOf('b') });
		await time.drive(trigger.poll());

		expect(trigger.fired).toMatchObject([
			{
				change: 'changed',
				diff: [{ field: 'url', previous: urlOf('a'), current: urlOf('b') }],
			},
		]);
	});

	it('keep, add and remove each URL of an edited list on its own', async () => {
		['a', 'b', 'c'].forEach((name) => pages.add(name));
		const parameters = (...names: string[]) => ({
			watch: 'page',
			urls: names.map(urlOf).join(', '),
		});
		const trigger = await pages.started(pages.watcher(['a', 'b']));
		['a', 'b', 'c'].forEach((name) => pages.update(name, 'Later'));

		await time.drive(trigger.change(parameters('c', 'a')));
		await time.drive(trigger.poll());

		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
		expect(Object.keys(Object(trigger.stored.state).pages)).toHaveLength(2);
	});

	it('show by hand what there is, and remember nothing', async () => {
		pages.add('a');
		const trigger = pages.watcher(['a', 'gone']);

		const run = await time.drive(trigger.fetchTestEvent());

		expect(run.error?.message).toBeUndefined();
		const shown = PolledWorkflow.itemsOf(run).map(({ json }) => json);
		expect(changesOf(shown)).toEqual([
			[urlOf('a'), 'new'],
			[urlOf('gone'), 'removed'],
		]);
		expect(trigger.stored).toEqual({});
	});

	it('are not scraped beyond Max Credits per Day', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = pages.watcher(['a', 'b'], { limits: { maxCreditsPerDay: 5 } });
		await pages.started(trigger);
		testBed.service.log.clear();

		await time.drive(trigger.poll());

		expect(trigger.errors).toMatchObject([
			{ message: expect.stringContaining('Max Credits per Day') },
		]);
		expect(testBed.service.log.of('POST', '/v2/batch/scrape')).toEqual([]);
	});

	it('bound what is stored of 100 long pages', async () => {
		const names = Array.from({ length: 100 }, (_, index) => `page-${index}`);
		const line = 'A line of a long page. ';
		names.forEach((name) => pages.add(name, `# ${name}\n\n${line.repeat(400)}`));
		const trigger = await pages.started(pages.watcher(names));
		const [first] = names;
		pages.update(first, 'Short');
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'changed', previous: null }]);
		expect(trigger.fired[0]).not.toHaveProperty('diff');
		const size = Buffer.byteLength(JSON.stringify(trigger.stored));
		expect(size).toBeLessThan(20_000);
	});

	it.each(Object.entries(hostilePages))('may have %s, without an error', async (_name, make) => {
		pages.add('a', make(5_000));
		const trigger = await pages.started(pages.watcher(['a'], { ignoreLines: 'x*y*z*, *tide 1*' }));
		testBed.service.site.update(urlOf('a'), { markdown: `Before\n\n${make(6_000)}` });
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'changed' }]);
		expect(JSON.stringify(trigger.fired[0].diff ?? null).length).toBeLessThan(100_000);
		expect(JSON.stringify(trigger.stored).length).toBeLessThan(120_000);
	});

	describe('on the hosted service', () => {
		beforeEach(() => {
			const baseUrl: object = require(join(projectRoot, 'dist/nodes/runtime/http/baseUrl.js'));
			jest.spyOn(baseUrl as { isHosted: () => boolean }, 'isHosted').mockReturnValue(true);
		});
		afterEach(() => jest.restoreAllMocks());

		it('have the lines of its change tracking, and store no text', async () => {
			pages.add('a', '# a\n\nBread\n\nVisitors: 1');
			const trigger = await pages.started(pages.watcher(['a'], { ignoreLines: 'Visitors*' }));
			pages.update('a', '# a\n\nCake\n\nVisitors: 2');
			await time.drive(trigger.poll());

			expect(trigger.errors).toEqual([]);
			expect(trigger.fired).toMatchObject([{ diff: { text: '-Bread\n+Cake' }, previous: null }]);
			expect(JSON.stringify(trigger.stored)).not.toContain('Cake');
		});

		it('are not remembered by its change tracking when shown by hand', async () => {
			pages.add('a', 'Bread');
			const trigger = await pages.started(pages.watcher(['a']));
			pages.update('a', 'Cake');
			const run = await time.drive(trigger.fetchTestEvent());
			expect(run.error?.message).toBeUndefined();

			await time.drive(trigger.poll());

			expect(trigger.fired).toMatchObject([{ diff: { text: '-Bread\n+Cake' } }]);
		});

		it('report a change whose scrape was paid and lost, without its lines', async () => {
			pages.add('a', 'Bread');
			const trigger = await pages.started(pages.watcher(['a'], { retries: { maxTries: 1 } }));
			pages.update('a', 'Cake');
			testBed.service.faults.add(onBatch({ kind: 'status', status: 401, skip: 1, count: 100 }));
			await time.drive(trigger.poll());
			testBed.service.faults.clear();
			expect(trigger.errors).toHaveLength(1);

			await time.drive(trigger.poll());

			expect(trigger.fired).toMatchObject([{ change: 'changed' }]);
			expect(trigger.fired[0]).not.toHaveProperty('diff');
		});
	});

	it(
		'fire once for each change of 300 days, whatever fails and however the list is edited',
		async () => {
			type State = 'gone' | number;
			const { site, ledger, log } = testBed.service;
			const all = ['a', 'b', 'c', 'd'];
			/** The small web's own log: the version of each page now. */
			const there = new Map<string, State>();
			const write = (name: string, state: State) => {
				if (state === 'gone') site.remove(urlOf(name));
				else if (typeof there.get(name) === 'number') pages.update(name, `Version ${state}`);
				else pages.add(name, `Version ${state}`);
				there.set(name, state);
			};
			all.forEach((name) => write(name, 0));
			let listed = all.slice(0, 3);
			const parametersOf = (names: string[]) => ({
				urls: names.map(urlOf).join('\n'),
				executions: 'each',
				retries: { maxTries: 1 },
			});
			const account = testBed.account({ credits: 1_000_000 });
			const trigger = pages.watcher([], parametersOf(listed), account);
			const changeOf = (before: State, now: State) => {
				if (now === 'gone') return 'removed';
				return before === 'gone' ? 'new' : 'changed';
			};
			/** What the trigger has seen of each page, by its own list and the time of its last check. */
			let known = new Map<string, State>();
			let lastCheck = '';
			const expected: string[] = [];
			const observe = () => {
				const states: IDataObject[] = Object.values(Object(trigger.stored.state).pages ?? {});
				const [last = ''] = states
					.map(({ at }) => String(at))
					.sort()
					.reverse();
				if (last === lastCheck) return;
				lastCheck = last;
				const seen = new Map(listed.map((name) => [name, there.get(name) ?? 'gone']));
				for (const [name, now] of seen) {
					const before = known.get(name) ?? now;
					if (before !== now) expected.push(`${urlOf(name)} ${changeOf(before, now)} ${now}`);
				}
				known = seen;
			};
			let edits = 0;
			let version = 0;

			const met = await live({
				trigger,
				service: testBed.service,
				time,
				days: 300,
				seed: 11,
				change: async (random) => {
					observe();
					if (random(6) === 0) {
						edits += 1;
						listed = all.filter(() => random(3) > 0);
						if (listed.length === 0) listed = ['a'];
						if (random(2) === 0) listed.reverse();
						const parameters = { watch: 'page', ...parametersOf(listed) };
						await time.drive(trigger.change(parameters));
						observe();
					}
					for (const name of all.filter(() => random(3) === 0)) {
						version += 1;
						const isRemoved = there.get(name) !== 'gone' && random(6) === 0;
						write(name, isRemoved ? 'gone' : version);
					}
				},
				faults: [
					onBatch({ kind: 'status', status: 500 }),
					onBatch({ kind: 'status', status: 401 }),
					onBatch({ kind: 'status', status: 500, skip: 2 }),
					onBatch({ kind: 'reset', skip: 2 }),
					onBatch({ kind: 'truncate', skip: 2 }),
				],
			});

			observe();
			const fired = trigger.fired.map(({ url, change, current }) => {
				const [, state = 'gone'] = /Version (\d+)$/.exec(String(Object(current).markdown)) ?? [];
				return `${url} ${change} ${state}`;
			});
			expect(fired.sort()).toEqual(expected.sort());
			expect(new Set(expected.map((text) => text.split(' ')[1])).size).toBe(3);
			expect(expected.length).toBeGreaterThan(200);
			expect(edits).toBeGreaterThan(30);
			expect(met.kills).toBeGreaterThan(5);
			expect(trigger.errors.length).toBeGreaterThan(met.faults / 2);
			expect(met.largest).toBeLessThan(2_000);
			const starts = log.of('POST', '/v2/batch/scrape').filter(({ done }) => done);
			const sent = starts.reduce((sum, { body }) => sum + Object(body).urls.length, 0);
			expect(ledger.spent(account.team.id)).toBe(sent);
		},
		longLife,
	);
});
