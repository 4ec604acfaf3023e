import { insideFence, toldIn } from '../fence.cjs';
import { useTestBed } from '../testBed.cjs';

/** The variant of the node that AI Agents call: a model reads the items' JSON and nothing else. */
describe('the node as a tool', () => {
	const testBed = useTestBed();
	const node = () => ({ type: testBed.engine.typeName('webDataTool') });

	it('tells the model that nothing was found', async () => {
		const run = await testBed.search({ query: 'zephyrine', limit: 2 }, { node: node() });

		expect(toldIn(run.output().map(({ json }) => json))).toEqual({
			before: [{ notes: ['There are no results.'] }],
			inside: [
				{
					notes: [
						expect.stringMatching(/^Hint of the server: No web results were returned/),
						expect.stringMatching(/^Item 0 returned no results/),
					],
				},
			],
		});
	});

	it('asks for hints to models, as no other node does', async () => {
		await testBed.search({ query: 'zephyrine' }, { node: node() });
		const run = await testBed.search({ query: 'zephyrine' });

		const headers = testBed.service.log.entries.map((entry) => entry.headers);
		expect(headers.map((each) => each['x-firecrawl-agent-hints'])).toEqual(['true', undefined]);
		expect(JSON.stringify(run.hints())).not.toContain('Hint of the server');
	});

	it('tells the model what happened and what to do when the service refuses', async () => {
		const account = testBed.account({ credits: 0 });

		const run = await testBed.search({ query: 'tide' }, { account, node: node() });

		expect(run.status).toBe('success');
		const [{ json, pairedItem }] = run.output();
		expect(pairedItem).toEqual({ item: 0 });
		expect(json).toEqual({
			error: 'The request failed',
			advice: expect.stringMatching(/add credits/),
		});
		expect(insideFence(run.output())).toEqual([
			{ message: expect.stringMatching(/^Insufficient credits.*\(HTTP 402\)$/) },
		]);
	});

	it('tells the model of a credential that cannot work', async () => {
		const account = { credentials: { webDataApi: { baseUrl: 'ftp://example.com', apiKey: '' } } };

		const run = await testBed.search({ query: 'tide' }, { account, node: node() });

		expect(run.status).toBe('success');
		expect(run.output().map(({ json }) => json.error)).toEqual([
			"The credential's 'Base URL' must start with http:// or https://",
		]);
	});
});
