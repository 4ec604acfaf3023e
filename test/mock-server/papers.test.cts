import { Firecrawl } from '@mendable/firecrawl-js';

import { request, type Answered } from './request.cjs';
import type { IndexedPaper, PaperRecord } from './papers.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.close());
beforeEach(() => service.reset());

interface Results {
	results: Array<PaperRecord & { signals?: Record<string, number> }>;
	poolSize: number;
	truncated: boolean;
	note?: string;
}
interface OnePaper {
	paperId?: string;
	query?: string;
	paper: {
		paperId: string;
		title: string;
		authors: string;
		categories?: string[];
		createdDate: string;
		updateDate: string;
	};
	passages?: Array<{ text: string; score: number }>;
}
const get = <T = Results,>(path: string, key?: string | null): Promise<Answered<T>> =>
	request<T>(service, 'GET', `/v2/search/research/papers${path}`, undefined, key);
const find = async (query: string): Promise<Results['results']> =>
	(await get(`?${query}`)).body.results;
const known = (id: string): IndexedPaper => {
	const paper = service.context.papers.find(id);
	if (!paper) throw new Error(`No paper ${id}`);
	return paper;
};

test('the index holds sixty papers, each id of one paper, citing papers that exist', () => {
	const { all } = service.context.papers;
	expect(all.length).toBeGreaterThanOrEqual(60);
	const ids = all.flatMap((paper) =>
		Object.entries(paper.ids).flatMap(([name, each]) => each.map((id) => `${name}:${id}`)),
	);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { primaryId, cites } of all) {
		expect(ids).toContain(primaryId);
		for (const cited of cites) expect(known(cited).paperId).toBe(cited);
	}
});

describe('search', () => {
	test('ranks by title and abstract, up to k', async () => {
		const results = await find('query=storm%20surge%20forecast');
		expect(results[0].title.toLowerCase()).toContain('surge');
		expect(results.map(({ score }) => score)).toEqual(
			results.map(({ score }) => score).sort((a, b) => b - a),
		);
		expect(await find('query=storm%20surge%20forecast&k=2')).toEqual(results.slice(0, 2));
		expect(Object.keys(results[0]).sort()).toEqual([
			'abstract',
			'ids',
			'paperId',
			'primaryId',
			'score',
			'title',
		]);
	});

	test('40 by default, more with k', async () => {
		expect(await find('query=the')).toHaveLength(40);
		expect((await find('query=the&k=500')).length).toBe(service.context.papers.all.length);
	});

	test('authors: parts of names in any case, all of them; repeated or joined', async () => {
		const repeated = await find('query=the&k=100&authors=castellan&authors=FARRANT');
		expect(repeated.length).toBeGreaterThan(0);
		for (const { paperId } of repeated)
			expect(known(paperId).authors).toEqual(
				expect.arrayContaining(['Mira Castellan', 'Lio Farrant']),
			);
		expect(await find('query=the&k=100&authors=castellan,FARRANT')).toEqual(repeated);
	});

	test('categories: all of them; papers without any are left out', async () => {
		const results = await find('query=the&k=100&categories=cs.IR&categories=cs.CL');
		expect(results.length).toBeGreaterThan(1);
		for (const { paperId } of results)
			expect(known(paperId).categories).toEqual(expect.arrayContaining(['cs.IR', 'cs.CL']));
	});

	test('from and to: created or updated on these days', async () => {
		const results = await find('query=the&k=100&from=2026-01-01&to=2026-06-11');
		const within = (date: string): boolean => date >= '2026-01-01' && date <= '2026-06-11';
		const expected = service.context.papers.all.filter(
			({ created, updated }) => within(created) || within(updated),
		);
		expect(results.map(({ paperId }) => paperId).sort()).toEqual(
			expected.map(({ paperId }) => paperId).sort(),
		);
		expect(expected.some(({ updated }) => updated === '2026-06-11')).toBe(true);
	});
});

describe('one paper', () => {
	test.each([
		['910002', 'Forecasting storm surge'],
		['arxiv:2403.90002', 'Forecasting storm surge'],
		['arXiv:2403.90002v3', 'Forecasting storm surge'],
		['2403.90002', 'Forecasting storm surge'],
		['https://arxiv.org/abs/2403.90002v1', 'Forecasting storm surge'],
		['https://arxiv.org/pdf/2403.90002.pdf', 'Forecasting storm surge'],
		['pmid:99100001', 'Spring tides'],
		['pmcid:PMC9910013', 'Machine reading'],
		['pmcid:9910013', 'Machine reading'],
		['doi:10.5555/tide.2024.001', 'Spring tides'],
		['DOI:10.5555/TIDE.2024.001', 'Spring tides'],
		['doi:10.5555/phys.2024.066/supplement(1)', 'Batteries on the quay'],
		['math.NA/0105067', 'Shallow water'],
		['https://doi.org/10.5555/tide.2024.001', 'Spring tides'],
	])('by %s', async (id, title) => {
		const { status, body } = await get<OnePaper>(`/${encodeURIComponent(id)}`);
		expect([status, body.paper?.title]).toEqual([
			200,
			expect.stringMatching(new RegExp(`^${title}`)),
		]);
	});

	test('shows authors as one text, categories and dates', async () => {
		const { body } = await get<OnePaper>('/910002');
		expect(body.paper).toMatchObject({
			paperId: '910002',
			authors: 'Mira Castellan, Jonas Weide, Ines Okafor',
			categories: ['cs.LG', 'physics.ao-ph'],
			createdDate: '2024-03-19',
			updateDate: '2024-11-02',
		});
		expect(body).not.toHaveProperty('passages');
		expect((await get<OnePaper>('/910001')).body.paper).not.toHaveProperty('categories');
	});

	test('with a question the passages that answer it, best first, up to k', async () => {
		const question = encodeURIComponent('mean absolute error at twelve hours');
		const { body } = await get<OnePaper>(`/910002?query=${question}&k=2`);
		expect(body).toMatchObject({
			paperId: '910002',
			query: 'mean absolute error at twelve hours',
			paper: { paperId: '910002' },
		});
		expect(body.passages).toHaveLength(2);
		expect(body.passages?.[0].text).toContain('8.2 cm');
		expect(known('910002').passages).toEqual(
			expect.arrayContaining(body.passages?.map(({ text }) => text) ?? []),
		);
		expect((await get<OnePaper>(`/910002?query=${question}`)).body.passages?.length).toBe(3);
	});

	test('without full text there is no passage', async () => {
		expect((await get<OnePaper>('/pmid%3A99100037?query=rounding')).body.passages).toEqual([]);
	});

	test('an id cut at its slash finds another route or nothing', async () => {
		const { status, text } = await get('/doi:10.5555/tide.2024.001');
		expect(status).toBe(404);
		expect(text).toContain('Cannot GET');
	});
});

describe('similar', () => {
	const similar = async (query: string, id = '910002'): Promise<Results> =>
		(await get(`/${id}/similar?${query}`)).body;

	test('relatives in the citation graph with their signals, without the seed', async () => {
		const { results, poolSize, truncated } = await similar(
			'intent=uncertainty%20of%20surge%20forecasts',
		);
		expect(results[0].paperId).toBe('910024');
		expect(results.map(({ paperId }) => paperId)).not.toContain('910002');
		expect(Object.keys(results[0].signals ?? {}).sort()).toEqual([
			'articleRank',
			'seedOverlap',
			'semantic',
			'structural',
		]);
		expect([poolSize, truncated]).toEqual([results.length, false]);
		const cut = await similar('intent=uncertainty%20of%20surge%20forecasts&k=1');
		expect([cut.results.length, cut.poolSize, cut.truncated]).toEqual([1, poolSize, true]);
	});

	test('citers and references follow the citations', async () => {
		const citers = await similar('intent=x&mode=citers');
		expect(citers.results.length).toBeGreaterThan(0);
		for (const { paperId } of citers.results) expect(known(paperId).cites).toContain('910002');
		const references = await similar('intent=x&mode=references');
		expect(references.results.map(({ paperId }) => paperId).sort()).toEqual(
			[...known('910002').cites].sort(),
		);
	});

	test('the intent re-ranks, unless rerank is false', async () => {
		const order = async (query: string): Promise<string[]> =>
			(await similar(query)).results.map(({ paperId }) => paperId);
		const graph = await order('intent=sediment%20transport%20tides&rerank=false');
		expect(await order('intent=graph%20sensors&rerank=false')).toEqual(graph);
		expect((await order('intent=sediment%20transport%20tides'))[0]).toBe('910001');
		expect(graph[0]).not.toBe('910001');
	});

	test('anchors are further seeds, of any id form', async () => {
		const { results } = await similar(
			'intent=x&mode=references&anchor=arxiv:2309.90010&anchor=910005',
		);
		const ids = results.map(({ paperId }) => paperId);
		expect(ids).toEqual(
			expect.arrayContaining([...known('910010').cites, ...known('910002').cites]),
		);
		expect(results.find(({ paperId }) => paperId === '910050')?.signals?.seedOverlap).toBe(1);
		const both = await similar('intent=x&mode=references&anchor=910059', '910005');
		expect(both.results.find(({ paperId }) => paperId === '910050')?.signals?.seedOverlap).toBe(2);
	});

	test('none: a note says so', async () => {
		const { results, note, poolSize } = await similar('intent=x&mode=citers', '910070');
		expect([results, poolSize]).toEqual([[], 0]);
		expect(note).toMatch(/citers/);
	});
});

describe('refused', () => {
	test.each([
		'',
		'?query=',
		'?query=%20',
		'?query=a&query=b',
		'?query=a&k=0',
		'?query=a&k=501',
		'?query=a&k=1.5',
		'?query=a&k=x',
		'?query=a&foo=1',
		'?query=a&from=2024-1-1',
		'?query=a&to=2024-02-30',
		'?query=a&authors=',
		'/910002?k=3',
		'/910002?query=',
		'/910002?query=a&k=51',
		'/910002?limit=3',
		'/910002/similar',
		'/910002/similar?intent=',
		'/910002/similar?intent=a&mode=x',
		'/910002/similar?intent=a&rerank=yes',
		'/910002/similar?intent=a&k=501',
		`/910002/similar?intent=a${'&anchor=910001'.repeat(10)}`,
	])('400 %s', async (path) => {
		const { status, body } = await get(path);
		expect([status, body.error, body.code]).toEqual([
			400,
			'Invalid query parameters',
			'BAD_REQUEST',
		]);
		expect(body.details?.length).toBeGreaterThan(0);
		expect(service.ledger.entries).toEqual([]);
	});

	test.each([
		'/999999',
		'/arxiv%3A1111.11111',
		'/doi%3A10.1%2Fx/similar?intent=a',
		'/pmid%3A1?query=a',
	])('404 without a body: %s', async (path) => {
		const { status, text } = await get(path);
		expect([status, text]).toEqual([404, '']);
	});

	test("an id of no known form: the index's own problem document", async () => {
		const { status, headers, body } = await get('/what%20is%20this');
		expect([status, headers.get('content-type')]).toEqual([
			400,
			expect.stringMatching(/^application\/problem\+json/),
		]);
		expect(body).toMatchObject({
			title: 'Invalid paper id',
			status: 400,
			detail: expect.any(String) as string,
		});
		expect(body).not.toHaveProperty('success');
	});
});

test('the price, and who may ask', async () => {
	const { keys } = service;
	await get('?query=the&k=11');
	await get('/910002');
	await get('/910002?query=error');
	await get('/910002/similar?intent=x');
	expect(service.ledger.entries.map(({ credits }) => credits)).toEqual([4, 1, 1, 2]);
	await get('?query=the&k=11', keys.zdr);
	expect(service.ledger.spent('team-zdr')).toBe(20);
	expect((await get('?query=the', keys.empty)).status).toBe(402);
	expect((await get('?query=the', keys.searchOnly)).status).toBe(403);
	expect((await get('?query=the', null)).status).toBe(401);
	const keyless = await startService({ keyless: true });
	try {
		expect(
			(await request(keyless, 'GET', '/v2/search/research/papers?query=the', undefined, null))
				.status,
		).toBe(200);
	} finally {
		await keyless.close();
	}
});

test('the official SDK: search, get, read, similar', async () => {
	const { research } = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	const { results } = await research.searchPapers('retina images', {
		k: 5,
		authors: ['Vantongeren'],
		from: '2017-01-01',
		to: '2026-01-01',
	});
	expect(results.length).toBeGreaterThan(1);
	const { paper } = await research.getPaper('doi:10.5555/phys.2024.066/supplement(1)');
	expect(paper.title).toMatch(/^Batteries/);
	const read = await research.getPaper('arxiv:2403.90002', { query: 'edges between gauges', k: 1 });
	expect(read).toMatchObject({
		paperId: '910002',
		passages: [{ text: expect.stringContaining('edge') as string }],
	});
	const similar = await research.similarPapers('910002', {
		intent: 'warnings',
		mode: 'similar',
		anchor: ['pmid:99100001', '910020'],
		rerank: false,
		k: 3,
	});
	expect(similar.results).toHaveLength(3);
	await expect(research.getPaper('what')).rejects.toMatchObject({
		status: 400,
		code: 'invalid_paper_id',
		message: expect.stringMatching(/no paper id/) as string,
	});
	await expect(research.getPaper('pmid:1')).rejects.toMatchObject({ status: 404 });
});
