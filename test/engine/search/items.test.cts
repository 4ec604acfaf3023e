import type { IDataObject } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

/** What comes out of a search: the service's own answer, result by result. */
describe('the items of a search', () => {
	const testBed = useTestBed();
	const sources = { values: [{ type: 'web' }, { type: 'news' }, { type: 'images' }] };

	const from = (items: Array<{ json: IDataObject }>, source: string) =>
		items.map(({ json }) => json).filter((json) => json.source === source);

	it('are the results of every source, each with its place, the request and its input', async () => {
		const account = testBed.account();
		const { body: answer } = await testBed.ask(
			{ query: 'tide', limit: 3, sources: ['web', 'news', 'images'] },
			account,
		);

		const run = await testBed.search({ query: 'tide', limit: 3, sources }, { account });

		expect(run.status).toBe('success');
		const items = run.output();
		const [, { jobId }] = testBed.service.ledger.entries;
		const request = { id: jobId, creditsUsed: answer.creditsUsed };
		for (const source of ['web', 'news', 'images']) {
			const results = answer.data[source];
			expect(results.length).toBeGreaterThan(0);
			expect(from(items, source)).toEqual(
				results.map((result, index) => ({ ...result, source, position: index + 1, request })),
			);
		}
		const total = Object.values(answer.data).flat().length;
		expect(items).toHaveLength(total);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(total).fill({ item: 0 }));
	});

	it('carry the page when scrape options ask for it', async () => {
		const run = await testBed.search({
			query: 'tide',
			limit: 3,
			readPages: true,
			formats: ['markdown', 'links'],
		});

		const items = run.output();
		expect(items).toHaveLength(3);
		for (const { json } of items) {
			const page = testBed.service.site.pages.find(({ url }) => url === json.url);
			expect(json.markdown).toContain(page?.title);
			expect(json.links).toEqual(expect.any(Array));
			expect(json).toMatchObject({ statusCode: 200, metadata: { sourceURL: json.url } });
			expect(Object.keys(json).slice(0, 3)).toEqual(['url', 'title', 'statusCode']);
		}
	});

	it('are one item with the whole response when the user wants it', async () => {
		const account = testBed.account();
		const { body: answer } = await testBed.ask({ query: 'tide', limit: 3 }, account);

		const run = await testBed.search({ query: 'tide', limit: 3, output: 'response' }, { account });

		const [, { jobId }] = testBed.service.ledger.entries;
		expect(run.output()).toEqual([{ json: { ...answer, id: jobId }, pairedItem: { item: 0 } }]);
	});

	it('belong to the input item that asked for them', async () => {
		const run = await testBed.search(
			{ query: '={{ $json.q }}', limit: 2 },
			{ input: [{ q: 'tide' }, { q: 'coffee' }, { q: 'agents' }] },
		);

		const pairs = run.output().map(({ pairedItem }) => pairedItem);
		expect(pairs).toEqual([0, 0, 1, 1, 2, 2].map((item) => ({ item })));
	});

	it('include the paper records of the research category', async () => {
		const account = testBed.account();
		const { body: answer } = await testBed.ask(
			{ query: 'tide', categories: ['research'] },
			account,
		);

		const run = await testBed.search(
			{ query: 'tide', additionalFields: { categories: ['research'] } },
			{ account },
		);

		expect(answer.data.research.length).toBeGreaterThan(0);
		expect(from(run.output(), 'research')).toMatchObject(answer.data.research);
		expect(run.output()).toHaveLength(answer.data.research.length);
		expect(run.hints()).toEqual([]);
	});

	it('are web results with a notice where the research category still filters the web', async () => {
		testBed.service.context.options.research = 'web';
		const account = testBed.account();
		const { body: answer } = await testBed.ask(
			{ query: 'coffee extraction', categories: ['research'] },
			account,
		);

		const run = await testBed.search(
			{ query: 'coffee extraction', additionalFields: { categories: ['research'] } },
			{ account },
		);

		const [notice] = answer.warnings ?? [];
		expect(notice).toContain('research');
		expect(answer.data.web.length).toBeGreaterThan(0);
		expect(from(run.output(), 'web')).toMatchObject(answer.data.web);
		expect(run.output()[0].json.request).toMatchObject({ warnings: [notice] });
		expect(run.hints()).toMatchObject([{ message: notice }]);
	});

	it('show a single warning as a hint, too', async () => {
		const account = testBed.account({ credits: 5 });

		const run = await testBed.search({ query: 'tide', returnAll: true }, { account });

		const [item] = run.output();
		expect(item.json.request).toMatchObject({ warning: expect.stringContaining('lowered') });
		const { warning } = item.json.request as IDataObject;
		expect(run.hints()).toMatchObject([{ message: warning }]);
	});

	it('are shown as plain text: n8n renders its hints as HTML', async () => {
		const warning = '<img src="https://evil.example/"> <a href="https://evil.example">Log in</a>';
		testBed.service.faults.add({
			kind: 'status',
			status: 200,
			body: { success: true, data: { web: [] }, warning },
		});

		const run = await testBed.search({ query: 'tide' });

		expect(run.hints()[0].message).toBe(
			'‹img src="https://evil.example/"> ‹a href="https://evil.example">Log in‹/a>',
		);
	});

	it('show a notice once, however many items got it', async () => {
		testBed.service.context.options.research = 'web';

		const run = await testBed.search(
			{ query: 'coffee', additionalFields: { categories: ['research'] } },
			{ input: [{}, {}, {}] },
		);

		expect(run.hints()).toHaveLength(1);
	});

	it('include the tools of the catalogue, with all that their contracts say', async () => {
		const account = testBed.account();
		const { body: answer } = await testBed.ask(
			{ query: 'tide times', sources: ['alexandria'] },
			account,
		);

		const run = await testBed.search(
			{ query: 'tide times', sources: { values: [{ type: 'alexandria' }] } },
			{ account },
		);

		expect(answer.data.tools.length).toBeGreaterThan(0);
		expect(from(run.output(), 'tools')).toMatchObject(answer.data.tools);
	});

	it('include the entries of arrays that nobody knows today', async () => {
		testBed.service.faults.add({
			kind: 'status',
			status: 200,
			body: {
				success: true,
				data: {
					podcasts: [{ title: 'Ebb', seconds: 0 }],
					answers: ['Twice a day'],
					note: 'no list',
				},
				id: 'job-1',
				creditsUsed: 0,
			},
		});

		const run = await testBed.search({ query: 'tide' });

		const request = { id: 'job-1', creditsUsed: 0 };
		expect(run.output().map(({ json }) => json)).toEqual([
			{ source: 'podcasts', position: 1, title: 'Ebb', seconds: 0, request },
			{ source: 'answers', position: 1, value: 'Twice a day', request },
		]);
	});

	it('keep what a result has under the names of the labels', async () => {
		testBed.service.faults.add({
			kind: 'status',
			status: 200,
			body: {
				success: true,
				data: {
					news: [{ title: 'Ebb', source: 'Tide Post', request: 'none' }],
					tools: [{ id: 'tides/table', response: { about: 'heights' } }],
				},
				id: 'job-1',
			},
		});

		const run = await testBed.search({ query: 'tide' });

		const request = { id: 'job-1' };
		expect(run.output().map(({ json }) => json)).toEqual([
			{
				title: 'Ebb',
				source: 'news',
				position: 1,
				request,
				original: { source: 'Tide Post', request: 'none' },
			},
			{ id: 'tides/table', response: { about: 'heights' }, source: 'tools', position: 1, request },
		]);
	});

	it('are none when nothing was found', async () => {
		const run = await testBed.search({ query: 'xyzzyplugh' });

		expect(run.status).toBe('success');
		expect(run.output()).toEqual([]);
		expect(testBed.sent).toHaveLength(1);
		// Without an item, the hint is all that shows what the search cost.
		const [{ jobId, credits }] = testBed.service.ledger.entries;
		const [{ message }] = run.hints();
		expect(message).toContain(jobId);
		expect(message).toContain(`${credits} credits`);
	});
});
