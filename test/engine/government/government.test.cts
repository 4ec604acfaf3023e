import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

const testBed = useTestBed();
const search = async (parameters: INodeParameters, options?: SearchOptions) =>
	await testBed.start({ resource: 'government', operation: 'search', ...parameters }, options).done;
const sent = () => testBed.service.log.of('POST', '/v2/search/gov').map(({ body }) => body);
const jsons = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json);

describe('a search of government sources', () => {
	it.each<[string, INodeParameters, object]>([
		['the question, and how many as the editor shows it', {}, { k: 10 }],
		['how many', { k: 100 }, { k: 100 }],
	])('sends %s', async (_name, parameters, body) => {
		const run = await search({ query: 'tidelands', ...parameters });

		expect(run.error?.message).toBeUndefined();
		expect(sent()).toEqual([{ query: 'tidelands', ...body }]);
	});

	it("gives one item per result, in the service's order", async () => {
		const run = await search({ query: 'tidelands' });

		const hits = testBed.service.context.government.search('tidelands', 10);
		expect(hits.length).toBeGreaterThan(1);
		expect(jsons(run.output())).toEqual(hits.map((hit) => ({ ...hit, source: 'web' })));
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(hits.map(() => ({ item: 0 })));
	});

	it('gives the whole answer as one item when asked to', async () => {
		const run = await search({ query: 'tidelands', k: 1, output: 'response' });

		expect(jsons(run.output())).toEqual([
			{ success: true, data: { web: testBed.service.context.government.search('tidelands', 1) } },
		]);
	});

	it.each([[[]], [{ web: 'a' }]])(
		'does not take data %j for an answer without results',
		async (data) => {
			testBed.service.faults.add({ kind: 'status', status: 200, body: { success: true, data } });

			const run = await search({ query: 'tidelands' });

			expect(run.error?.message).toMatch(/^The response lacks/);
		},
	);

	it('counts with the price that some documentation names: it is not sent where a limit is less', async () => {
		const run = await search({ query: 'tidelands', limits: { maxCreditsPerExecution: 1 } });

		expect(run.error?.message).toContain('Not sent: it may cost 2 credits');
		expect(sent()).toEqual([]);
	});

	it('needs no API key', async () => {
		testBed.service.context.options.keyless = true;
		const account = { credentials: { webDataApi: { baseUrl: testBed.service.url, apiKey: '' } } };

		const run = await search({ query: 'tidelands' }, { account });

		expect(run.output().length).toBeGreaterThan(1);
		expect(testBed.service.log.entries.at(-1)?.authorization).toBe(false);
	});
});

describe('a web search of category gov', () => {
	it('gives publications among the results of the web, with no word that the web is missing', async () => {
		const run = await testBed.start({
			resource: 'search',
			operation: 'query',
			query: 'tidelands',
			additionalFields: { categories: ['gov'] },
		}).done;

		const hits = testBed.service.context.government.search('tidelands', 10);
		expect(jsons(run.output())).toMatchObject(hits.map((hit) => ({ ...hit, source: 'web' })));
		expect(run.hints()).toEqual([]);
	});
});
