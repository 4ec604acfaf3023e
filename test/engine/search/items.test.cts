import { useTestBed } from '../testBed.cjs';

/** What comes out of a search: the service's own answer, result by result. */
describe('the items of a search', () => {
	const testBed = useTestBed();

	it('carry the page when scrape options ask for it', async () => {
		const run = await testBed.search({
			query: 'tide',
			limit: 3,
			scrapeResults: true,
			formats: ['markdown', 'links'],
		});

		const items = run.output();
		expect(items).toHaveLength(3);
		for (const { json } of items) {
			const page = testBed.service.site.pages.find(({ url }) => url === json.url);
			expect(json.markdown).toContain(page?.title);
			expect(json.links).toEqual(expect.any(Array));
			expect(json).toMatchObject({ statusCode: 200, scrapeId: expect.any(String) });
			expect(json).not.toHaveProperty('metadata');
			expect(Object.keys(json).slice(0, 3)).toEqual(['url', 'title', 'statusCode']);
		}
	});

	it.each([
		{ sources: ['web', 'news'], scrapeResults: true },
		{ sources: ['web', 'news', 'images'] },
		{ sources: ['alexandria'] },
	])('fit a table with ten columns: %j', async ({ sources, ...parameters }) => {
		const run = await testBed.search({
			query: 'tide',
			additionalFields: { sources },
			...parameters,
		});

		const columns = new Set(run.output().flatMap(({ json }) => Object.keys(json)));
		expect([...columns].slice(10)).toEqual([]);
		expect([...columns]).toEqual(expect.arrayContaining(['source', 'creditsUsed']));
	});

	it('come with a warning of several responses as one notice', async () => {
		const warnings = ['The research category moves.'];
		testBed.service.faults.add({
			kind: 'addition',
			stage: 'after',
			fields: { warnings },
			count: 2,
		});

		const run = await testBed.search({ query: 'tide' }, { input: [{}, {}] });

		expect(run.hints()).toMatchObject([{ message: warnings[0] }]);
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

	it('that come as a list, as in v1, are results of the web', async () => {
		const data = [{ url: 'https://a.example', title: 'A' }];
		const body = { success: true, data, creditsUsed: 2, id: 's' };
		testBed.service.faults.add({ kind: 'status', status: 200, body });

		const run = await testBed.search({ query: 'tide' });

		expect(run.output().map(({ json }) => json)).toMatchObject([{ ...data[0], source: 'web' }]);
	});
});
