import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

const testBed = useTestBed();
const run = async (operation: string, parameters: INodeParameters, options?: SearchOptions) =>
	await testBed.start({ resource: 'paper', operation, ...parameters }, options).done;
const entries = () => testBed.service.log.entries;
const path = '/v2/search/research/papers';
const jsons = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json);

/** What the service itself answers. */
const ask = async (address: string): Promise<IDataObject> => {
	const { key } = testBed.account();
	const response = await fetch(`${testBed.service.url}${path}${address}`, {
		headers: { authorization: `Bearer ${key}` },
	});
	const body = (await response.json()) as IDataObject;
	testBed.service.log.clear();
	return body;
};

describe('a search for papers', () => {
	it("gives one item per paper, in the service's order, free", async () => {
		const { results } = await ask('?query=tide%20gauges&k=3');

		const found = await run('search', { query: 'tide gauges', k: 3 });

		expect(found.error?.message).toBeUndefined();
		expect(jsons(found.output())).toMatchObject(
			(results as IDataObject[]).map((paper, index) => ({ ...paper, position: index + 1 })),
		);
		expect(found.output()).toHaveLength(3);
		expect(
			found.output().every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}'),
		).toBe(true);
		expect(entries()).toMatchObject([{ method: 'GET', path, credits: 0 }]);
	});

	it.each<[string, INodeParameters, object]>([
		['the question, and how many as the editor shows it', { query: 'tide' }, { query: 'tide' }],
		[
			'authors and categories, each by itself',
			{
				query: 'tide',
				additionalFields: { authors: 'Castellan, Weide', categories: 'cs.LG, physics.ao-ph' },
			},
			{ query: 'tide', authors: ['Castellan', 'Weide'], categories: ['cs.LG', 'physics.ao-ph'] },
		],
		[
			'signs that mean something in an address',
			{ query: 'a&b=c #1 100%' },
			{ query: 'a&b=c #1 100%' },
		],
	])('sends %s', async (_name, parameters, query) => {
		const found = await run('search', parameters);

		expect(found.error?.message).toBeUndefined();
		expect(entries().map((entry) => ({ ...entry.query }))).toEqual([{ k: '10', ...query }]);
	});

	it('gives the whole answer as one item when asked to', async () => {
		const answer = await ask('?query=tide&k=2');

		const found = await run('search', { query: 'tide', k: 2, options: { output: 'raw' } });

		expect(jsons(found.output())).toEqual([answer]);
	});

	it('gives no item when there is no paper', async () => {
		const found = await run('search', { query: 'xyzzyplugh' });

		expect(found.status).toBe('success');
		expect(found.output()).toEqual([]);
	});
});

/** Every form of id, and the paper that it names. */
const ids: Array<[string, string]> = [
	['910001', '910001'],
	['pmid:99100001', '910001'],
	['pmcid:PMC9910003', '910003'],
	['doi:10.5555/tide.2024.001', '910001'],
	['doi:10.5555/phys.2024.066/supplement(1)', '910066'],
	['arxiv:2403.90002', '910002'],
	['arxiv:math.NA/0105067', '910067'],
	['2403.90002', '910002'],
	['https://arxiv.org/abs/2403.90002', '910002'],
	['  doi:10.5555/tide.2024.001  ', '910001'],
];

describe('a paper', () => {
	it.each(ids)('is found by its id, as one segment of the path: %s', async (id, paperId) => {
		const found = await run('get', { id });

		expect(found.error?.message).toBeUndefined();
		expect(found.output()).toMatchObject([
			{
				json: {
					paperId,
					title: expect.any(String),
					authors: expect.any(String),
					createdDate: expect.any(String),
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(entries().map((entry) => [entry.path, { ...entry.query }, entry.credits])).toEqual([
			[`${path}/${encodeURIComponent(id.trim())}`, {}, 0],
		]);
	});

	it.each(ids.slice(0, 2))('is read by its id: %s', async (id, paperId) => {
		const query = 'What was measured?';

		const found = await run('read', { id, query, k: 2 });

		expect(found.error?.message).toBeUndefined();
		expect(entries().map((entry) => [entry.path, { ...entry.query }])).toEqual([
			[`${path}/${encodeURIComponent(id.trim())}`, { query, k: '2' }],
		]);
		for (const { json } of found.output()) {
			expect(json).toMatchObject({
				text: expect.any(String),
				score: expect.any(Number),
				request: { paperId, paper: { paperId } },
			});
		}
	});

	it('gives its passages, the best first', async () => {
		const { passages } = await ask('/910001?query=sediment%20flux%20depth&k=3');

		const found = await run('read', { id: '910001', query: 'sediment flux depth', k: 3 });

		expect(jsons(found.output())).toMatchObject(
			(passages as IDataObject[]).map((passage, index) => ({ ...passage, position: index + 1 })),
		);
		expect(found.output().length).toBeGreaterThan(1);
		const scores = jsons(found.output()).map(({ score }) => Number(score));
		expect(scores).toEqual([...scores].sort((one, other) => other - one));
	});

	it('has no passages when its full text is not indexed', async () => {
		const found = await run('read', { id: '910009', query: 'microbes' });

		expect(found.status).toBe('success');
		expect(found.output()).toEqual([]);
	});

	it.each(['similar', 'citers', 'references'])(
		'gives its relatives with their signals: %s',
		async (mode) => {
			const { results } = await ask(`/910002/similar?intent=surge&mode=${mode}&k=5`);

			const found = await run('getSimilar', {
				id: '910002',
				intent: 'surge',
				k: 5,
				additionalFields: { mode },
			});

			expect(jsons(found.output())).toMatchObject(results as IDataObject[]);
			expect(found.output().length).toBeGreaterThan(0);
			expect(found.output()[0].json).toMatchObject({
				signals: expect.any(Object),
				request: { poolSize: expect.any(Number), truncated: expect.any(Boolean) },
			});
		},
	);

	it('takes further papers along as anchors', async () => {
		await run('getSimilar', {
			id: '910002',
			intent: 'surge',
			additionalFields: {
				anchor: 'doi:10.5555/tide.2024.001, 910022',
				rerank: false,
				mode: 'citers',
			},
		});

		expect({ ...entries()[0].query }).toEqual({
			intent: 'surge',
			k: '10',
			anchor: ['doi:10.5555/tide.2024.001', '910022'],
			rerank: 'false',
			mode: 'citers',
		});
	});

	it('keeps to its input item', async () => {
		const found = await run(
			'get',
			{ id: '={{ $json.id }}' },
			{ input: [{ id: '910002' }, { id: '910001' }] },
		);

		expect(found.output().map(({ json, pairedItem }) => [json.paperId, pairedItem])).toEqual([
			['910002', { item: 0 }],
			['910001', { item: 1 }],
		]);
	});
});

describe('a refused paper operation', () => {
	it('says that there is no such paper', async () => {
		const refused = await run('get', { id: 'doi:10.5555/none' });

		expect(refused.error).toMatchObject({ httpCode: '404' });
		expect(refused.error?.message).toMatch(/\(HTTP 404.*\[item 0\]/);
		expect(refused.error?.description).toMatch(/id/i);
	});
});
