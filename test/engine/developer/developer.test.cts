import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

const testBed = useTestBed();
const search = async (parameters: INodeParameters, options?: SearchOptions) =>
	await testBed.start({ resource: 'developer', operation: 'search', ...parameters }, options).done;
const sent = () => testBed.service.log.of('POST', '/v2/search/developer').map(({ body }) => body);
const jsons = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json);

describe('a search of developer sources', () => {
	it.each<[string, INodeParameters, object]>([
		['the question, and how many as the editor shows it', {}, {}],
		[
			'every filter, spelt as the API does',
			{
				additionalFields: {
					types: ['issue', 'doc'],
					repos: 'relayworks/relay, tidewatch/tidetable',
					sources: 'docs.relayworks.example',
					passages: 5,
					language: 'TypeScript',
					license: 'MIT',
					topic: 'workflow, queue',
					min_stars: 0,
					max_stars: 20000,
					archived: false,
					fork: false,
					skills: 'only',
				},
			},
			{
				types: ['issue', 'doc'],
				repos: ['relayworks/relay', 'tidewatch/tidetable'],
				sources: ['docs.relayworks.example'],
				passages: 5,
				language: 'TypeScript',
				license: 'MIT',
				topic: ['workflow', 'queue'],
				min_stars: 0,
				max_stars: 20000,
				archived: false,
				fork: false,
				skills: 'only',
			},
		],
	])('sends %s', async (_name, parameters, body) => {
		const run = await search({ query: 'retry after 429', ...parameters });

		expect(run.error?.message).toBeUndefined();
		expect(sent()).toEqual([{ query: 'retry after 429', k: 10, ...body }]);
	});

	it("gives one item per hit, in the service's order, its kind taken from its id", async () => {
		const { key } = testBed.account();
		const response = await fetch(`${testBed.service.url}/v2/search/developer`, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: JSON.stringify({ query: 'retry', k: 30 }),
		});
		const { results } = (await response.json()) as { results: IDataObject[] };

		const run = await search({ query: 'retry', k: 30 });

		expect(jsons(run.output())).toMatchObject(
			results.map((hit, index) => ({
				...hit,
				kind: String(hit.id).split(':')[0],
				position: index + 1,
				request: { coverage: expect.any(Object) },
			})),
		);
		expect(new Set(jsons(run.output()).map(({ kind }) => kind)).size).toBeGreaterThan(1);
		expect(
			run.output().every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}'),
		).toBe(true);
		expect(testBed.service.log.entries.at(-1)?.credits).toBe(Math.ceil(results.length / 10) * 2);
	});

	it('gives the whole answer as one item when asked to', async () => {
		const run = await search({ query: 'retry', k: 2, output: 'response' });

		expect(run.output()).toHaveLength(1);
		expect(run.output()[0].json).toMatchObject({
			success: true,
			results: [{ id: expect.any(String) }, { id: expect.any(String) }],
			coverage: expect.any(Object),
		});
	});
});
