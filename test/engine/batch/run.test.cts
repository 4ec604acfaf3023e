import type { INodeExecutionData } from 'n8n-workflow';
import {
	nowhere,
	pairsOf,
	sourcesOf,
	storms,
	tables,
	tides,
	useDocumentJobs,
} from '../documentJobs.cjs';

/** Batches that poll: the pages of one request, in its order. */
describe('a batch that polls', () => {
	const jobs = useDocumentJobs('batch');
	const { testBed } = jobs;

	it('comes out as one item per page, each with its job', async () => {
		const items = await jobs.items({
			urls: `${tides}, ${storms}`,
			options: { output: 'fields', outputFields: '' },
		});

		const [{ jobId }] = items.map(({ json }) => json);
		const { documents, creditsUsed } = jobs.job(jobId);
		expect(items).toHaveLength(2);
		for (const [index, { json, pairedItem }] of items.entries()) {
			const source = [tides, storms][index];
			expect(json).toMatchObject(
				documents.find(({ metadata }) => metadata.sourceURL === source) ?? { missing: source },
			);
			expect(json.markdown).toEqual(expect.stringMatching(/^# /m));
			expect(json.jobId).toBe(jobId);
			expect(json.request).toMatchObject({
				status: 'completed',
				completed: 2,
				total: 2,
				creditsUsed,
				expiresAt: expect.any(String),
			});
			for (const name of ['data', 'next', 'success', 'url']) {
				expect(json.request).not.toHaveProperty(name);
			}
			expect(pairedItem).toEqual({ item: 0 });
		}
		expect(jobs.bodies).toHaveLength(1);
		expect(jobs.cancelled).toEqual([]);
	});

	it('keeps the order of the addresses, whatever order the pages come in', async () => {
		const urls = [storms, tides, tables, 'https://tidewatch.example/energy', nowhere];
		const reversed = [...urls].reverse();

		const one = await jobs.items({ urls: urls.join('\n') });
		const other = await jobs.items({ urls: reversed.join('\n') });

		const done = (items: INodeExecutionData[]) =>
			jobs.job(items[0].json.jobId).documents.map(({ metadata }) => metadata.sourceURL);
		expect(done(other)).not.toEqual(reversed.slice(1));
		expect(sourcesOf(one)).toEqual(urls);
		expect(sourcesOf(other)).toEqual(reversed);
	});

	it('fetches the files of each page', async () => {
		const items = await jobs.items({
			urls: `${tides}, ${storms}`,
			formats: ['markdown', 'screenshot'],
			options: { downloadFiles: true },
		});

		for (const item of items) {
			const { host } = new URL(String(item.json.screenshot));
			expect(host).toBe(new URL(testBed.service.url).host);
			expect(item.binary?.screenshot?.mimeType).toBe('image/png');
			const bytes = await testBed.engine.binary(item, 'screenshot');
			expect(bytes.subarray(1, 4).toString()).toBe('PNG');
		}
		const links = testBed.service.log.entries.filter(({ path }) => !path.startsWith('/v2/'));
		expect(links).toHaveLength(2);
		expect(links.filter(({ authorization }) => authorization)).toEqual([]);
	});

	it('tells how far it has got, each state once', async () => {
		testBed.service.context.pageJobs.paces.set({ pageMs: 20_000 });
		const shown: unknown[] = [];

		const run = await jobs.run(
			'run',
			{ urls: [tides, storms, tables].join(), additionalFields: { maxConcurrency: 1 } },
			{ onMessage: (words) => shown.push(words) },
		);

		const { id } = jobs.job(run.output()[0].json.jobId);
		const polls = jobs.requests.filter((request) => request.startsWith('GET'));
		expect(polls.length).toBeGreaterThan(shown.length);
		expect(shown).toEqual([
			`The batch ${id}: scraping, 0 of 3 pages`,
			`The batch ${id}: scraping, 1 of 3 pages`,
			`The batch ${id}: scraping, 2 of 3 pages`,
			`The batch ${id}: completed, 3 of 3 pages`,
		]);
	});

	it('shows nothing where nobody looks', async () => {
		const shown: unknown[] = [];

		await jobs.run(
			'run',
			{ urls: tides },
			{ mode: 'trigger', onMessage: (words) => shown.push(words) },
		);

		expect(shown).toEqual([]);
	});

	it('waits on where the server says that it has completed before it begins', async () => {
		// As recorded of a self-hosted server.
		const body = {
			success: true,
			status: 'completed',
			completed: 0,
			total: 2,
			creditsUsed: -1,
			next: 'http://api.example/v2/batch/scrape/x?skip=0',
			data: [],
			duration: 0,
		};
		const early = { kind: 'status', status: 200, body, count: 3 } as const;
		testBed.service.faults.add({ ...early, method: 'GET', path: '/v2/batch/scrape/*' });

		const items = await jobs.items({ urls: `${tides}, ${storms}` });

		expect(sourcesOf(items)).toEqual([tides, storms]);
		expect(jobs.starts).toHaveLength(1);
	});

	describe('with pages that cannot be read', () => {
		it('asks for no reasons when a page came for each address', async () => {
			await jobs.items({ urls: `${tides}, ${tides}#top, ${storms}` });

			expect(jobs.requests.filter((request) => request.endsWith('/errors'))).toEqual([]);
		});

		it('returns them as items, each in its place', async () => {
			const run = await jobs.run(
				'run',
				{ urls: '={{ $json.url }}' },
				{ input: [tides, nowhere, storms].map((url) => ({ url })) },
			);

			expect(sourcesOf(run.output())).toEqual([tides, nowhere, storms]);
			expect(pairsOf(run.output())).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
			const [, { json }] = run.output();
			const { id, errors } = jobs.job(run.output()[0].json.jobId);
			const { url, ...failed } = errors[0];
			expect(json).toEqual({ url, jobId: id, failed: { ...failed, type: 'error' } });
			expect(run.output()[0].json.request).toMatchObject({ failedPages: 1 });
			expect(json.failed).toMatchObject({ error: expect.stringMatching(/DNS/) });
			expect(run.hints()).toEqual([]);
		});

		it('has nothing but them when none can be read', async () => {
			const failed = await jobs.items({ urls: nowhere });

			expect(failed.map(({ json }) => json)).toMatchObject([
				{ url: nowhere, failed: { type: 'error' } },
			]);
		});

		it('is paid once with Retry On Fail, though a failed page comes first', async () => {
			const run = await jobs.run(
				'run',
				{ urls: `${nowhere}, ${tides}` },
				{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 } },
			);

			expect(run.status).toBe('success');
			expect(jobs.starts).toHaveLength(1);
		});
	});

	describe('with invalid addresses that are to be left out', () => {
		const ignore = { ignoreInvalidURLs: true };

		it('returns them as items, each linked to its own', async () => {
			const items = await jobs.items(
				{ urls: '={{ $json.url }}', additionalFields: ignore },
				{ input: ['nohost', tides, 'ftp://tidewatch.example/a'].map((url) => ({ url })) },
			);

			expect(sourcesOf(items)).toEqual(['nohost', tides, 'ftp://tidewatch.example/a']);
			expect(pairsOf(items)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
			expect(items.map(({ json }) => json.failed)).toMatchObject([
				{ type: 'invalid', error: expect.stringContaining('Not a URL') },
				undefined,
				{ type: 'invalid' },
			]);
			expect(items[0].json.jobId).toBe(items[1].json.jobId);
			expect(items[1].json.request).toMatchObject({ invalidURLs: ['nohost', expect.anything()] });
		});

		it('is refused by the service when nothing else is left', async () => {
			const run = await jobs.run('run', { urls: 'nohost', additionalFields: ignore });

			expect(run.error?.message).toMatch(/No valid URLs provided.*HTTP 400.*\[item 0\]/);
			expect(jobs.charges).toEqual([]);
		});
	});
});
