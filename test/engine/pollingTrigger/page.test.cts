import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { hostilePages } from '../../hostilePages.cjs';
import { useTestBed } from '../testBed.cjs';
import { stagesPolls } from '../earlierN8n.cjs';
import { freshEngine } from '../trigger/triggers.cjs';
import { urlOf, useWatchedPages } from './watchedPages.cjs';
import { started } from './watching.cjs';

const testBed = useTestBed();
const pages = useWatchedPages(testBed);
const { time } = pages;

const changesOf = (fired: IDataObject[]) => fired.map(({ url, change }) => [url, change]);
const starts = () => testBed.service.log.of('POST', '/v2/batch/scrape');
const ofBatch = { method: 'GET', path: '/v2/batch/scrape/*', count: Infinity };
/** The service returns this of the page with a URL, whatever the page holds. */
const returned = (document: object, sourceURL = urlOf('a'), more: object = { completed: 1 }) =>
	testBed.service.faults.add({
		...ofBatch,
		kind: 'addition',
		fields: { data: [{ ...document, metadata: { sourceURL, statusCode: 200 } }], ...more },
	});

/** A trigger that has seen pages. */
async function watched(names: string[], parameters?: INodeParameters) {
	const trigger = await started(pages.watcher(names, parameters), time);
	return Object.assign(trigger, { next: async () => await time.drive(trigger.poll()) });
}

describe('watched pages', () => {
	it('fire when their text changed, with the lines, in one batch for all', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = await watched(['a', 'b']);
		expect(trigger.executions).toEqual([]);
		testBed.service.log.clear();

		pages.update('b', '# b\n\nLater');
		await trigger.next();
		await trigger.next();

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
				creditsUsed: 1,
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
		const trigger = await watched(['a'], { ignoreLines: 'visitors*, Visitors*' });

		pages.update('a', after);
		await trigger.next();

		expect([trigger.errors, trigger.fired]).toEqual([[], []]);
	});

	it('fire once when they vanish, appear again or fail', async () => {
		pages.add('a');
		const trigger = await watched(['a']);
		const changes = [
			() => testBed.service.site.remove(urlOf('a')),
			() => pages.add('a'),
			() => testBed.service.site.update(urlOf('a'), { status: 500 }),
			() => testBed.service.site.update(urlOf('a'), { status: undefined, markdown: 'Other' }),
		];
		for (const change of changes) {
			change();
			await trigger.next();
			await trigger.next();
		}

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ change: 'removed' },
			{ change: 'new' },
			{ change: 'failed', reason: 'The page returns HTTP 500', statusCode: 500 },
			{ change: 'changed' },
		]);
	});

	it('fail without a text, and are compared with the last one when it returns', async () => {
		pages.add('a', 'Bread');
		const trigger = await watched(['a']);

		returned({ markdown: '' });
		await trigger.next();
		testBed.service.faults.clear();
		await trigger.next();

		expect(trigger.fired).toMatchObject([{ change: 'failed', reason: 'The page has no text' }]);
	});

	it('keep, add and remove each URL of an edited list on its own', async () => {
		['a', 'b', 'c'].forEach((name) => pages.add(name));
		const trigger = await watched(['a', 'b']);
		['a', 'b', 'c'].forEach((name) => pages.update(name, 'Later'));

		await time.drive(trigger.change({ watch: 'page', urls: ['c', 'a'].map(urlOf).join(', ') }));
		await trigger.next();

		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
		expect(Object.keys(Object(trigger.stored.state).pages)).toHaveLength(2);
	});

	it('do not fire for a first content that came late', async () => {
		pages.add('a');
		testBed.service.site.update(urlOf('a'), { status: 503 });
		const trigger = await watched(['a']);
		testBed.service.site.update(urlOf('a'), { status: undefined });
		await trigger.next();
		expect(trigger.executions).toEqual([]);

		pages.update('a', 'Later');
		await trigger.next();

		expect(trigger.errors).toEqual([]);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
	});

	it('fail as bot checks and logins, and do not fire when they are back as they were', async () => {
		pages.add('a', 'Bread');
		const trigger = await watched(['a']);

		const markdown = '# Just a moment...\n\nVerify you are human. Ray ID: 8f2. Cloudflare';
		returned({ markdown, metadata: {} }, undefined, {
			data: [{ markdown, metadata: { sourceURL: urlOf('a'), title: 'Just a moment...' } }],
			completed: 1,
		});
		await trigger.next();
		testBed.service.faults.clear();
		await trigger.next();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{ change: 'failed', reason: 'The server returned a bot check, not the page' },
		]);
	});

	it('show by hand a change as it looks, and remember nothing', async () => {
		pages.add('a');
		const trigger = pages.watcher(['a', 'gone']);

		const shown = await time.drive(trigger.fetchTestEvent());

		const current = { markdown: expect.stringContaining('At first') };
		expect(shown).toMatchObject([
			{ change: 'changed', current, previous: current, diff: { text: '' }, isTest: true },
			{ change: 'removed', current: null, isTest: true },
		]);
		expect(trigger.stored).toEqual({});
	});

	it('bound what is stored of 100 long pages', async () => {
		const names = Array.from({ length: 100 }, (_, index) => `page-${index}`);
		names.forEach((name) => pages.add(name, 'A line of a long page. '.repeat(400)));
		const trigger = await watched(names);
		pages.update(names[0], 'Short');
		await trigger.next();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'changed', previous: null }]);
		expect(trigger.fired[0]).not.toHaveProperty('diff');
		expect(Buffer.byteLength(JSON.stringify(trigger.stored))).toBeLessThan(20_000);
	});

	it('may be hostile, without an error', async () => {
		const [, make] = Object.entries(hostilePages)[0];
		pages.add('a', make(5_000));
		const trigger = await watched(['a'], { ignoreLines: 'x*y*z*, *tide 1*' });
		pages.update('a', `Before\n\n${make(6_000)}`);
		await trigger.next();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'changed' }]);
		expect(JSON.stringify(trigger.fired[0].diff ?? null).length).toBeLessThan(100_000);
	});

	it.each<[string, () => void]>([
		[
			'is missing in the answer',
			// The batch returns page b alone, its URL written in another way.
			() => returned({ markdown: 'Later' }, `${urlOf('b')}/`),
		],
		[
			'is refused by the service',
			() =>
				testBed.service.faults.add({
					kind: 'status',
					method: 'POST',
					path: '/v2/batch/scrape',
					status: 403,
					error: 'This website is no longer supported',
					// Both together, then the first.
					count: 2,
				}),
		],
	])('fail alone, with the reason: one that %s', async (_name, happens) => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = await watched(['a', 'b']);
		pages.update('b', 'Later');
		happens();

		await trigger.next();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([
			{
				url: urlOf('a'),
				change: 'failed',
				reason: expect.stringMatching(/no longer supported|no reason/),
			},
			{ url: urlOf('b'), change: 'changed' },
		]);
	});
});

describe('a paid batch that a check cannot read', () => {
	const status = (code: number): FaultInput => ({ kind: 'status', status: code });
	const noList = { success: true, status: 'completed' };

	/** A trigger after checks of a changed page whose batch could not be read. */
	async function afterFailures(fault: FaultInput, checks: number) {
		pages.add('a');
		const trigger = await watched(['a'], { options: { maxRetryTime: 0, maxWait: 1 } });
		pages.update('a', 'Later');
		testBed.service.log.clear();
		testBed.service.faults.add({ ...ofBatch, ...fault });
		for (let polls = 0; polls < checks; polls += 1) await trigger.next();
		expect(trigger.errors).toHaveLength(checks);
		testBed.service.faults.clear();
		return trigger;
	}

	it.each<[string, number, FaultInput]>([
		['is refused', 2, status(403)],
		['is unknown for a moment', 1, status(404)],
		['fails', 2, status(500)],
		['has no list', 2, { kind: 'status', status: 200, body: noList }],
		['is that it runs', 2, { kind: 'addition', fields: { status: 'scraping' } }],
	])(
		'as its status %s is read by a later check, and no other is started',
		async (_why, checks, fault) => {
			const trigger = await afterFailures(fault, checks);

			await trigger.next();

			expect(starts()).toHaveLength(1);
			expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
		},
	);

	it('is replaced once a second check finds it gone', async () => {
		const trigger = await afterFailures(status(404), 1);
		const [path] = testBed.service.log.entries.map((entry) => entry.path).slice(-1);
		testBed.service.faults.add({ ...ofBatch, ...status(404), path });

		await trigger.next();

		expect(starts()).toHaveLength(2);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
	});
});

describe('paid batches of a check that fails', () => {
	const get = { ...ofBatch, kind: 'status', status: 500 } as const;
	const post = { method: 'POST', path: '/v2/batch/scrape' };
	const refusal = { kind: 'status', status: 403, error: 'Website no longer supported' } as const;

	it.each<[string, () => void]>([
		['in part', () => testBed.service.faults.add({ ...get, skip: 2 })],
		['as it counts a page that it does not list', () => returned({ markdown: 'a' }, undefined, {})],
	])('are read again by the next check: one that was read %s', async (_how, happens) => {
		const names = Array.from({ length: 25 }, (_, index) => `p${index}`).concat('a');
		names.forEach((name) => pages.add(name));
		const trigger = await watched(names);
		pages.update('p24', 'Later');
		testBed.service.log.clear();
		happens();

		await trigger.next();
		expect(trigger.errors.map(({ message }) => message)).toEqual([
			expect.stringContaining('was read in part'),
		]);
		testBed.service.faults.clear();
		await trigger.next();

		expect(starts()).toHaveLength(1);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('p24'), 'changed']]);
	});

	it('are read again by the next check: the half that was not refused', async () => {
		['a', 'b'].forEach((name) => pages.add(name));
		const trigger = await watched(['a', 'b']);
		pages.update('a', 'Later');
		testBed.service.log.clear();
		testBed.service.faults.add({ ...refusal, ...post });
		testBed.service.faults.add({ kind: 'status', status: 500, ...post, skip: 1 });
		await trigger.next();
		testBed.service.faults.clear();
		testBed.service.faults.add({ ...refusal, ...post });

		await trigger.next();

		const [a, b] = ['a', 'b'].map(urlOf);
		const sent = starts().map(({ body }) => Object(body).urls);
		expect(sent).toEqual([[a, b], [a], [b], [a, b], [b]]);
		expect(changesOf(trigger.fired)).toEqual([[a, 'changed']]);
	});

	it('are read after a restart of n8n', async () => {
		pages.add('a');
		const trigger = await watched(['a']);
		pages.update('a', 'Later');
		testBed.service.log.clear();
		testBed.service.faults.add({ ...ofBatch, kind: 'addition', fields: { status: 'scraping' } });
		await trigger.next();
		expect(trigger.errors).toMatchObject([{ description: expect.stringContaining('24 hours') }]);
		testBed.service.faults.clear();

		trigger.engine = await freshEngine();
		await time.drive(trigger.restart());

		expect(starts()).toHaveLength(stagesPolls ? 1 : 2);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
	});

	it('are not asked for with the key of another account', async () => {
		pages.add('a');
		const trigger = await watched(['a']);
		pages.update('a', 'Later');
		testBed.service.faults.add(get);
		await trigger.next();
		testBed.service.faults.clear();
		trigger.options.credentials = testBed.account().credentials;

		await time.drive(trigger.restart());

		expect(trigger.errors).toHaveLength(1);
		expect(changesOf(trigger.fired)).toEqual([[urlOf('a'), 'changed']]);
	});

	it('are not started page by page if the service refuses the key', async () => {
		const trigger = await watched(['a', 'b', 'c']);
		testBed.service.log.clear();
		testBed.service.faults.add({ ...refusal, ...post, error: 'Request blocked: this API key' });

		await trigger.next();

		expect(starts()).toHaveLength(1);
		expect(trigger.errors).toMatchObject([{ message: expect.stringContaining('this API key') }]);
		expect(trigger.fired).toEqual([]);
	});
});

describe('the values of watched pages', () => {
	it('fail when none is there', async () => {
		pages.add('a', 'price: 39.9');
		const trigger = await watched(['a'], {
			compare: 'fields',
			schemaType: 'example',
			schemaExample: '{"price": 39.9}',
		});

		returned({ json: {} });
		await trigger.next();
		testBed.service.faults.clear();
		await trigger.next();

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toMatchObject([{ change: 'failed', reason: 'No value was extracted' }]);
	});
});
