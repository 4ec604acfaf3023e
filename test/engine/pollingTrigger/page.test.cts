import type { IDataObject } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { hostilePages } from '../../mock/site/hostilePages.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { comparing, pageOf, urlOf, useWatchedPages } from './watchedPages.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);
const { time } = pages;

const changesOf = (fired: IDataObject[]) => fired.map(({ url, change }) => [url, change]);
/** The service returns this of page a, whatever the page holds. */
const returned = (document: object) =>
	testBed.service.faults.add({
		kind: 'addition',
		method: 'GET',
		path: '/v2/batch/scrape/*',
		count: Infinity,
		fields: { data: [{ ...document, metadata: { sourceURL: urlOf('a'), statusCode: 200 } }] },
	});
const starts = () => testBed.service.log.of('POST', '/v2/batch/scrape');

describe('watched pages', () => {
	it('fire when their text changed, with the lines, in one batch for all', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = await pages.started(pages.watcher(['a', 'b']));
		expect(trigger.executions).toEqual([]);
		testBed.service.log.clear();

		pages.update('b', '# b\n\nLater');
		await time.drive(trigger.poll());
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(starts()).toHaveLength(2);
		expect(trigger.fired).toEqual([
			expect.objectContaining({
				url: urlOf('b'),
				title: expect.stringMatching(/^b/),
				change: 'changed',
				diff: { text: '-At first\n+Later' },
				current: { markdown: expect.stringContaining('Later') },
				previous: { markdown: expect.stringContaining('At first') },
				jobId: expect.any(String),
				request: expect.objectContaining({ creditsUsed: 2 }),
				checkedAt: expect.any(String),
			}),
		]);
	});

	it.each([
		['ignored lines', 'Visitors: 1\n\nBread', 'Visitors: 2\n\nBread'],
		['moved lines', 'Bread\n\nCake', 'Cake\n\nBread'],
		['blank lines and spaces', 'Bread\n\nCake', '\nBread  \n\n\n\nCake\n'],
		['no-break and zero-width spaces', 'Bread and cake', 'Bread\u00a0and\u200b cake'],
		['composed letters', 'Cr\u00e8me', 'Cre\u0300me'],
	])('do not fire for %s', async (_what, before, after) => {
		pages.add('a', before);
		const trigger = await pages.started(
			pages.watcher(['a'], { ignoreLines: 'visitors*, Visitors*' }),
		);

		pages.update('a', after);
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toEqual([]);
	});

	it('fire once when they vanish, appear again or fail', async () => {
		pages.add('a');
		const { site } = testBed.service;
		const trigger = await pages.started(pages.watcher(['a']));
		const poll = async () => await time.drive(trigger.poll());
		site.remove(urlOf('a'));
		await poll();
		await poll();
		pages.add('a');
		await poll();
		site.update(urlOf('a'), { status: 500 });
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
			'changed',
		]);
		expect(trigger.fired[2]).toMatchObject({
			reason: 'The page returns HTTP 500',
			statusCode: 500,
		});
	});

	it('fail without a text, and are compared with the last one when it returns', async () => {
		pages.add('a', 'Bread');
		const trigger = await pages.started(pages.watcher(['a']));

		returned({ markdown: '' });
		await time.drive(trigger.poll());
		testBed.service.faults.clear();
		await time.drive(trigger.poll());

		expect(trigger.fired).toMatchObject([{ change: 'failed', reason: 'The page has no text' }]);
	});

	it('keep, add and remove each URL of an edited list on its own', async () => {
		['a', 'b', 'c'].forEach((name) => pages.add(name));
		const trigger = await pages.started(pages.watcher(['a', 'b']));
		['a', 'b', 'c'].forEach((name) => pages.update(name, 'Later'));

		await time.drive(trigger.change({ watch: 'page', urls: ['c', 'a'].map(urlOf).join(', ') }));
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

	it('bound what is stored of 100 long pages', async () => {
		const names = Array.from({ length: 100 }, (_, index) => `page-${index}`);
		names.forEach((name) =>
			pages.add(name, `# ${name}\n\n${'A line of a long page. '.repeat(400)}`),
		);
		const trigger = await pages.started(pages.watcher(names));
		pages.update(names[0], 'Short');
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'changed', previous: null }]);
		expect(trigger.fired[0]).not.toHaveProperty('diff');
		expect(Buffer.byteLength(JSON.stringify(trigger.stored))).toBeLessThan(20_000);
	});

	it('may be hostile, without an error', async () => {
		const [, make] = Object.entries(hostilePages)[0];
		pages.add('a', make(5_000));
		const trigger = await pages.started(pages.watcher(['a'], { ignoreLines: 'x*y*z*, *tide 1*' }));
		pages.update('a', `Before\n\n${make(6_000)}`);
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'changed' }]);
		expect(JSON.stringify(trigger.fired[0].diff ?? null).length).toBeLessThan(100_000);
	});
});

describe('a watched page without an outcome', () => {
	it('fails with the reason, while the others are compared', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = await pages.started(pages.watcher(['a', 'b']));
		pages.update('b', 'Later');
		testBed.service.faults.add({
			kind: 'addition',
			path: '/v2/batch/scrape/*',
			count: Infinity,
			fields: {
				data: [{ markdown: 'Later', metadata: { sourceURL: `${urlOf('b')}/`, statusCode: 200 } }],
			},
		});

		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ url: urlOf('a'), change: 'failed', reason: expect.any(String) },
			{ url: urlOf('b'), change: 'changed' },
		]);
	});

	it('that the service refuses fails alone', async () => {
		['a', 'b', 'c'].forEach((name) => pages.add(name));
		const trigger = await pages.started(pages.watcher(['a', 'b', 'c']));
		pages.update('c', 'Later');
		testBed.service.faults.add({
			kind: 'status',
			method: 'POST',
			path: '/v2/batch/scrape',
			status: 403,
			error: 'This website is no longer supported',
			// The three together, the first two, the first.
			count: 3,
		});

		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ url: urlOf('a'), change: 'failed', reason: expect.stringContaining('no longer supported') },
			{ url: urlOf('c'), change: 'changed' },
		]);
	});
});

describe('a paid batch that a check cannot read', () => {
	const status = (code: number): FaultInput => ({ kind: 'status', status: code });
	const ofBatch = { method: 'GET', path: '/v2/batch/*', count: Infinity };

	/** A trigger after checks of a changed page whose batch could not be read. */
	async function afterFailures(fault: FaultInput, checks: number) {
		pages.add('a');
		const trigger = await pages.started(
			pages.watcher(['a'], { options: { maxRetryTime: 0, maxWait: 1 } }),
		);
		pages.update('a', 'Later');
		testBed.service.log.clear();
		testBed.service.faults.add({ ...ofBatch, ...fault });
		for (let polls = 0; polls < checks; polls += 1) await time.drive(trigger.poll());
		expect(trigger.errors).toHaveLength(checks);
		testBed.service.faults.clear();
		return trigger;
	}

	it.each<[string, number, FaultInput]>([
		['is refused', 2, status(403)],
		['is unknown for a moment', 1, status(404)],
		['fails', 2, status(500)],
		[
			'has no list',
			2,
			{ kind: 'status', status: 200, body: { success: true, status: 'completed' } },
		],
		['is that it runs', 2, { kind: 'addition', fields: { status: 'scraping' } }],
	])(
		'as its status %s is read by a later check, and no other is started',
		async (_why, checks, fault) => {
			const trigger = await afterFailures(fault, checks);

			await time.drive(trigger.poll());

			expect(starts()).toHaveLength(1);
			expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
		},
	);

	it('is replaced once a second check finds it gone', async () => {
		const trigger = await afterFailures(status(404), 1);
		const [path] = testBed.service.log.entries.map((entry) => entry.path).slice(-1);
		testBed.service.faults.add({ ...ofBatch, ...status(404), path });

		await time.drive(trigger.poll());

		expect(starts()).toHaveLength(2);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
	});
});

describe('the values of watched pages', () => {
	const example = { price: 39.9, currency: 'EUR' };

	it('fire when one changed, and for nothing else on the page', async () => {
		pages.add('a', pageOf(example));
		const trigger = await pages.started(pages.watcher(['a'], comparing(example)));
		pages.update('a', pageOf(example, 7));
		await time.drive(trigger.poll());
		expect(trigger.fired).toEqual([]);

		pages.update('a', pageOf({ ...example, price: 29.9 }));
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{
				change: 'changed',
				previous: { price: 39.9, currency: 'EUR' },
				current: { price: 29.9, currency: 'EUR' },
				diff: { text: '-price: 39.9\n+price: 29.9' },
			},
		]);
	});

	it('do not fire when one is missing for a time, and fail when all are', async () => {
		pages.add('a', pageOf(example));
		const trigger = await pages.started(pages.watcher(['a'], comparing(example)));

		for (const json of [{ currency: 'EUR', price: null }, { currency: 'EUR' }, {}]) {
			returned({ json });
			await time.drive(trigger.poll());
			testBed.service.faults.clear();
		}
		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'failed', reason: 'No value was extracted' }]);
	});
});
