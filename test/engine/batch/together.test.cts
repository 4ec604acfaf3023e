import type { IDataObject } from 'n8n-workflow';
import {
	nowhere,
	pairsOf,
	sourcesOf,
	storms,
	tables,
	tides,
	useDocumentJobs,
} from '../documentJobs.cjs';
import type { Account } from '../testBed.cjs';

const itemsOf = (...urls: string[]): IDataObject[] => urls.map((url) => ({ url }));

/** One batch for all input items, and the way back from each page to the items that asked for it. */
describe('a batch of all items', () => {
	const jobs = useDocumentJobs('batch');
	const urls = '={{ $json.url }}';

	it('is started once, with the addresses of all', async () => {
		const items = await jobs.items({ urls }, { input: itemsOf(tides, storms, tables) });

		expect(jobs.bodies).toEqual([{ urls: [tides, storms, tables] }]);
		expect(sourcesOf(items)).toEqual([tides, storms, tables]);
		expect(pairsOf(items)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(new Set(items.map(({ json }) => json.jobId)).size).toBe(1);
		expect(jobs.charges.map(([, credits]) => credits)).toEqual([1, 1, 1]);
	});

	it('is started once also when nobody waits for it', async () => {
		const run = await jobs.run('start', { urls }, { input: itemsOf(tides, storms) });

		expect(jobs.bodies).toEqual([{ urls: [tides, storms] }]);
		expect(run.output()).toMatchObject([{ json: { jobId: expect.any(String) } }]);
		expect(pairsOf(run.output())).toEqual([[{ item: 0 }, { item: 1 }]]);
	});

	it('takes several addresses of an item', async () => {
		const items = await jobs.items(
			{ urls: '={{ $json.urls }}' },
			{ input: [{ urls: [tides, storms] }, { urls: `${tables}\n${storms}` }] },
		);

		expect(jobs.bodies).toMatchObject([{ urls: [tides, storms, tables] }]);
		expect(sourcesOf(items)).toEqual([tides, storms, tables]);
		expect(pairsOf(items)).toEqual([{ item: 0 }, [{ item: 0 }, { item: 1 }], { item: 1 }]);
	});

	describe('whose other fields differ', () => {
		const differing = { urls, additionalFields: { maxConcurrency: '={{ $itemIndex + 1 }}' } };

		it('is refused before anything is sent', async () => {
			const run = await jobs.run('run', differing, { input: itemsOf(tides, storms) });

			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(/same values in all fields.*'URLs'.*loop/);
			expect(run.error?.description).toMatch(/^Nothing was sent/);
			expect(jobs.requests).toEqual([]);
		});
	});

	describe('one of which has a bad address', () => {
		const input = itemsOf(tides, 'nohost', storms);

		it('is not started, and says which', async () => {
			const run = await jobs.run('run', { urls }, { input });

			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(/'URLs > entry 1' must have a host.*nohost.*\[item 1\]/);
			expect(jobs.requests).toEqual([]);
		});

		it('goes on without it when the node does', async () => {
			const run = await jobs.run('run', { urls }, { input, onError: 'continueErrorOutput' });

			expect(jobs.bodies).toMatchObject([{ urls: [tides, storms] }]);
			expect(sourcesOf(run.output())).toEqual([tides, storms]);
			expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 2 }]);
			expect(run.output(undefined, 1)).toMatchObject([
				{ json: { error: expect.stringContaining('nohost') }, pairedItem: { item: 1 } },
			]);
		});
	});

	it.each<[string, () => Account, RegExp]>([
		[
			'that the service refuses',
			() => jobs.testBed.account({ credits: 1 }),
			/Insufficient credits.*402/,
		],
		[
			'that fails without a page',
			() => {
				const failure = { afterPages: 0, error: 'The worker died.' };
				jobs.testBed.service.context.pageJobs.paces.add({ failure });
				return jobs.testBed.account();
			},
			/The worker died/,
		],
	])('%s is an error item for each input', async (_name, arranged, words) => {
		const input = itemsOf(tides, storms);

		const run = await jobs.run(
			'run',
			{ urls },
			{ account: arranged(), input, onError: 'continueErrorOutput' },
		);

		expect(run.output()).toEqual([]);
		expect(run.output(undefined, 1)).toMatchObject(
			[0, 1].map((item) => ({
				json: { error: expect.stringMatching(words) },
				pairedItem: { item },
			})),
		);
	});

	it('blames the item whose URL the service refuses, and says what to do', async () => {
		const message = 'URL must have a valid top-level domain or be an IP address';
		const details = [{ code: 'custom', path: ['urls', 2], message }];
		const body = { success: false, code: 'BAD_REQUEST', error: message, details };
		jobs.testBed.service.faults.add({ kind: 'status', status: 400, body });
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

	it('links what nobody asked for to all: pages that the batch had already', async () => {
		const account = jobs.testBed.account();
		jobs.testBed.service.context.pageJobs.paces.set({ pageMs: 10_000 });
		const started = await jobs.run('start', { urls: tables }, { account });
		const [{ json }] = started.output();

		const items = await jobs.items(
			{ urls, additionalFields: { appendToId: String(json.jobId) } },
			{ account, input: itemsOf(tides, storms) },
		);

		expect(sourcesOf(items)).toEqual([tides, storms, tables]);
		expect(pairsOf(items)).toEqual([{ item: 0 }, { item: 1 }, [{ item: 0 }, { item: 1 }]]);
	});

	it('keeps the order of a large input', async () => {
		const many = Array.from({ length: 120 }, (_, place) => `${nowhere}${place}`);
		many.splice(7, 0, tides);

		const items = await jobs.items({ urls }, { input: itemsOf(...many) });

		expect(jobs.bodies).toHaveLength(1);
		expect(sourcesOf(items)).toEqual(many);
		expect(pairsOf(items)).toEqual(many.map((_, item) => ({ item })));
	});
});
