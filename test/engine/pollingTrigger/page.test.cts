import type { IDataObject } from 'n8n-workflow';
import { join } from 'node:path';
import { projectRoot } from '../../root.cjs';
import { hostilePages } from '../../site/hostilePages.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
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

	it('fire once if they fail from the first check on', async () => {
		pages.add('a');
		testBed.service.site.update(urlOf('a'), { status: 500 });
		// Earlier n8n stores the check at activation, too, so two or one have failed then.
		const trigger = await pages.started(
			pages.watcher(['a'], { triggerOptions: { errorsInRow: 3 } }),
		);
		expect(trigger.fired).toEqual([]);

		await time.drive(trigger.poll());
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
});
