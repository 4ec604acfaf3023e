import type { IDataObject } from 'n8n-workflow';
import { ask } from '../../mock/testClient.cjs';
import { useTestBed, type Account } from '../testBed.cjs';

/** What comes out of a search: the service's own answer, result by result. */
describe('the items of a search', () => {
	const testBed = useTestBed();
	const sources = { values: [{ type: 'web' }, { type: 'news' }, { type: 'images' }] };

	/** What the service itself answers to a search: what the node must not lose or change. */
	const asked = async (body: object, { key }: Account) =>
		await ask<{ creditsUsed: number; data: Record<string, IDataObject[]> }>(
			testBed.service,
			'POST',
			'/v2/search',
			body,
			key,
		);

	/** What fits a table: a result without its place, and news without their picture. */
	const fitting = ({ position: _, imageUrl, ...rest }: IDataObject, source: string) =>
		source === 'images' ? { ...rest, imageUrl } : rest;

	const from = (items: Array<{ json: IDataObject }>, source: string) =>
		items.map(({ json }) => json).filter((json) => json.source === source);

	it('are the results of every source, each with its place and its input, and the cost once', async () => {
		const account = testBed.account();
		const answer = await asked(
			{ query: 'tide', limit: 3, sources: ['web', 'news', 'images'] },
			account,
		);

		const run = await testBed.search(
			{ query: 'tide', limit: 3, additionalFields: { sources } },
			{ account },
		);

		expect(run.status).toBe('success');
		const items = run.output();
		for (const source of ['web', 'news', 'images']) {
			const results = answer.data[source];
			expect(results.length).toBeGreaterThan(0);
			expect(from(items, source)).toEqual(
				results.map((result) => ({
					...fitting(result, source),
					source,
					...(result === answer.data.web[0] && { creditsUsed: answer.creditsUsed }),
				})),
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
