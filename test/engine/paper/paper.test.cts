import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const testBed = useTestBed();
const run = async (operation: string, parameters: INodeParameters) =>
	await testBed.start({ resource: 'paper', operation, ...parameters }).done;
const entries = () => testBed.service.log.entries;
const path = '/v2/search/research/papers';

/** The list of the service's own response. */
const ask = async (address: string, list: string): Promise<IDataObject[]> => {
	const { key } = testBed.account();
	const response = await fetch(`${testBed.service.url}${path}${address}`, {
		headers: { authorization: `Bearer ${key}` },
	});
	const body = (await response.json()) as Record<string, IDataObject[]>;
	testBed.service.log.clear();
	return body[list];
};

it.each<[string, INodeParameters, object]>([
	[
		'authors and categories, each by itself',
		{
			query: 'tide',
			additionalFields: { authors: 'Castellan, Weide', categories: 'cs.LG, physics.ao-ph' },
		},
		{ query: 'tide', authors: ['Castellan', 'Weide'], categories: ['cs.LG', 'physics.ao-ph'] },
	],
	['signs that mean something in a URL', { query: 'a&b=c #1 100%' }, { query: 'a&b=c #1 100%' }],
])('a search for papers sends %s', async (_name, parameters, query) => {
	const found = await run('search', parameters);

	expect(found.error?.message).toBeUndefined();
	expect(entries().map((entry) => ({ ...entry.query }))).toEqual([{ k: '10', ...query }]);
});

it.each([
	['910001', '910001'],
	['pmid:99100001', '910001'],
	['pmcid:PMC9910003', '910003'],
	['doi:10.5555/phys.2024.066/supplement(1)', '910066'],
	['arxiv:math.NA/0105067', '910067'],
	['2403.90002', '910002'],
	['https://arxiv.org/abs/2403.90002', '910002'],
	['  doi:10.5555/tide.2024.001  ', '910001'],
])('a paper is found by its ID, as one segment of the path: %s', async (id, paperId) => {
	const found = await run('get', { id });

	expect(found.output()).toMatchObject([{ json: { paperId, title: expect.any(String) } }]);
	expect(entries().map((entry) => [entry.path, entry.credits])).toEqual([
		[`${path}/${encodeURIComponent(id.trim())}`, 0],
	]);
});

it.each<[string, string, INodeParameters, string]>([
	['search', '?query=tide%20gauges&k=3', { query: 'tide gauges', k: 3 }, 'results'],
	[
		'read',
		'/910001?query=sediment%20flux%20depth&k=3',
		{ id: '910001', query: 'sediment flux depth', k: 3 },
		'passages',
	],
	[
		'getSimilar',
		'/910002/similar?intent=surge&mode=citers&k=5',
		{ id: '910002', intent: 'surge', k: 5, additionalFields: { mode: 'citers' } },
		'results',
	],
])(
	"%s returns the service's list in its order, free",
	async (operation, address, parameters, list) => {
		const expected = await ask(address, list);

		const found = await run(operation, parameters);

		expect(expected.length).toBeGreaterThan(0);
		expect(found.output().map(({ json }) => json)).toMatchObject(expected);
		expect(entries()).toMatchObject([{ method: 'GET', credits: 0 }]);
	},
);

it.each<[string, INodeParameters]>([
	['search', { query: 'xyzzyplugh' }],
	['read', { id: '910009', query: 'microbes' }],
])('%s that finds nothing returns no item', async (operation, parameters) => {
	const found = await run(operation, parameters);

	expect(found.status).toBe('success');
	expect(found.output()).toEqual([]);
});

it('getSimilar takes further papers along as anchors', async () => {
	const anchor = 'doi:10.5555/tide.2024.001, 910022';
	const additionalFields = { anchor, rerank: false, mode: 'citers' };
	await run('getSimilar', { id: '910002', intent: 'surge', additionalFields });

	expect(entries()).toMatchObject([
		{ query: { anchor: ['doi:10.5555/tide.2024.001', '910022'], rerank: 'false', mode: 'citers' } },
	]);
});
