import type { IDataObject } from 'n8n-workflow';
import {
	allFields,
	nowhere,
	pairsOf,
	sourcesOf,
	storms,
	tables,
	tides,
	useDocumentJobs,
} from '../documentJobs.cjs';
import { behindItems } from '../harness.cjs';
import type { Account } from '../testBed.cjs';

const itemsOf = (...urls: string[]): IDataObject[] => urls.map((url) => ({ url }));

/** One batch for all input items, and the way back from each page to the items that asked for it. */
describe('a batch', () => {
	const jobs = useDocumentJobs('batch');
	const { testBed } = jobs;
	const urls = '={{ $json.url }}';

	it('gives each row its own item, so that the next node reaches the row, also of the same URL twice', async () => {
		const rows = Array.from({ length: 20 }, (_, index) => ({
			id: index,
			url: [tides, storms, tables, `${tides}?row=${index}`][index % 10 === 7 ? 0 : 3],
		}));
		const own = { name: 'Pages', type: testBed.engine.typeName('webData') };
		const read = `{ id: $('Items').item.json.id, same: $('Items').itemMatching($itemIndex).json.id }`;
		const next = {
			name: 'Next',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput: `={{ JSON.stringify({ ...${read}, url: $json.url }) }}`,
			},
		};

		const run = await jobs.time.drive(
			testBed.engine.run({
				...behindItems(rows, [
					{ ...own, parameters: { resource: 'batch', operation: 'run', urls } },
					next,
				]),
				credentials: { ...testBed.account().credentials },
			}),
		);

		expect(run.error?.message).toBeUndefined();
		expect(run.output('Next').map(({ json }) => json)).toEqual(
			rows.map(({ id, url }) => ({ id, same: id, url })),
		);
		expect(jobs.bodies).toMatchObject([{ urls: expect.objectContaining({ length: 19 }) }]);
		expect(jobs.charges).toHaveLength(19);
	});

	it('is started once also when nobody waits for it', async () => {
		const run = await jobs.run('start', { urls }, { input: itemsOf(tides, storms) });

		expect(jobs.bodies).toEqual([{ urls: [tides, storms] }]);
		expect(run.output()).toMatchObject([{ json: { jobId: expect.any(String) } }]);
		expect(pairsOf(run.output())).toEqual([[{ item: 0 }, { item: 1 }]]);
	});

	it.each([
		{ additionalFields: { maxConcurrency: '={{ $itemIndex + 1 }}' } },
		{ options: { output: "={{ $itemIndex === 0 ? 'simplified' : 'raw' }}" } },
	])('whose %j differ from item to item is refused before anything is sent', async (differing) => {
		const run = await jobs.run(
			'run',
			{ urls, ...differing },
			{ input: itemsOf(tides, storms, 'nohost') },
		);

		expect(run.error?.message).toMatch(/same values in all fields.*'URLs'.*loop.*\[item 0\]/);
		expect(run.error?.description).toMatch(/^Nothing was sent/);
		expect(jobs.requests).toEqual([]);
	});

	it('with a bad address is not started, or goes on without its item when the node does', async () => {
		const input = itemsOf(tides, 'nohost', storms);
		const stopped = await jobs.run('run', { urls }, { input });
		expect(stopped.error?.message).toMatch(/'URLs > entry 1' must have a host.*nohost.*\[item 1\]/);
		expect(jobs.requests).toEqual([]);

		const run = await jobs.run('run', { urls }, { input, onError: 'continueRegularOutput' });

		expect(jobs.bodies).toMatchObject([{ urls: [tides, storms] }]);
		const items = run.output();
		expect(sourcesOf(items.slice(0, 2))).toEqual([tides, storms]);
		expect(pairsOf(items)).toEqual([{ item: 0 }, { item: 2 }, { item: 1 }]);
		expect(items.at(-1)?.json.error).toContain('nohost');
	});

	it('blames the item whose URL the service refuses, and says what to do', async () => {
		const message = 'URL must have a valid top-level domain or be an IP address';
		const details = [{ code: 'custom', path: ['urls', 2], message }];
		const body = { success: false, code: 'BAD_REQUEST', error: message, details };
		testBed.service.faults.add({ kind: 'status', status: 400, body });
		const input = [{ urls: [tides, storms] }, { urls: [tides, tables] }, { urls: tides }];

		const run = await jobs.run(
			'run',
			{ urls: '={{ $json.urls }}' },
			{ input, onError: 'continueErrorOutput' },
		);

		const items = run.output(undefined, 1);
		expect(pairsOf(items)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		for (const { json } of items) {
			expect(json.error).toMatch(/'URLs > entry 2'.*\[item 1\].*'Ignore Invalid URLs'/);
		}
	});

	it.each<[string, () => Account, RegExp]>([
		['that the service refuses', () => testBed.account({ credits: 1 }), /Insufficient.*402/],
		[
			'that fails without a page',
			() => {
				const failure = { afterPages: 0, error: 'The worker died.' };
				testBed.service.context.pageJobs.set({ failure });
				return testBed.account();
			},
			/The worker died/,
		],
	])('%s is an error item for each input', async (_name, arranged, words) => {
		const run = await jobs.run(
			'run',
			{ urls },
			{ account: arranged(), input: itemsOf(tides, storms), onError: 'continueErrorOutput' },
		);

		expect(run.output()).toEqual([]);
		expect(run.output(undefined, 1)).toMatchObject(
			[0, 1].map((item) => ({
				json: { error: expect.stringMatching(words) },
				pairedItem: { item },
			})),
		);
	});

	it('that fails gives its pages so far, and says of each other input why it has none', async () => {
		testBed.service.faults.add({
			kind: 'addition',
			method: 'GET',
			path: '/v2/batch/scrape/*',
			count: Infinity,
			fields: {
				status: 'failed',
				completed: 1,
				total: 2,
				next: null,
				data: [{ markdown: 'Tides', metadata: { sourceURL: tides, statusCode: 200 } }],
			},
		});

		const run = await jobs.run('run', { urls }, { input: itemsOf(tides, storms) });

		expect(run.error?.message).toBeUndefined();
		const error = 'The batch ended as failed before this page was scraped';
		expect(run.output()).toMatchObject([
			{ json: { markdown: 'Tides' }, pairedItem: { item: 0 } },
			{ json: { url: storms, failed: { error } }, pairedItem: { item: 1 } },
		]);
	});

	describe('with pages that cannot be read', () => {
		it('returns them as items, each in its place', async () => {
			const input = itemsOf(tides, nowhere, storms);

			const run = await jobs.run('run', { urls, options: allFields }, { input });

			expect(sourcesOf(run.output())).toEqual([tides, nowhere, storms]);
			expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
			const [first, { json }] = run.output();
			const { url, ...failed } = jobs.job().errors[0];
			expect(json).toEqual({ url, failed: { ...failed, type: 'error' } });
			expect(json.failed).toMatchObject({ error: expect.stringMatching(/DNS/) });
			expect(first.json.request).toMatchObject({ failedPages: 1 });
			const words = `1 of 3 pages failed: ${nowhere} \\(DNS.*\\)\\. 'failed' of the items`;
			expect(run.hints()).toMatchObject([{ message: expect.stringMatching(words) }]);
		});

		it('is paid once with Retry On Fail, though a failed page comes first', async () => {
			const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

			const run = await jobs.run('run', { urls: nowhere }, { node });

			expect(run.output().map(({ json }) => json)).toMatchObject([
				{ url: nowhere, failed: { type: 'error' } },
			]);
			expect(jobs.starts).toHaveLength(1);
		});
	});

	describe('with invalid addresses that are to be left out', () => {
		const ignore = { additionalFields: { ignoreInvalidURLs: true } };

		it('returns them as items, each linked to its own', async () => {
			const input = itemsOf('nohost', tides, 'ftp://tidewatch.example/a');

			const items = await jobs.items({ urls, ...ignore }, { input });

			expect(sourcesOf(items)).toEqual(['nohost', tides, 'ftp://tidewatch.example/a']);
			expect(pairsOf(items)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
			expect(items.map(({ json }) => json.failed)).toMatchObject([
				{ type: 'invalid', error: expect.stringContaining('Not a URL') },
				undefined,
				{ type: 'invalid' },
			]);
		});
	});
});
