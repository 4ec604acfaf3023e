import { Firecrawl } from '@mendable/firecrawl-js';

import type { PaperRecord } from './papers.cjs';
import { useService } from '../useService.cjs';
import { startService, type Service } from './service.cjs';
import { type Answered, request } from './testClient.cjs';

let service: Service;
useService((started) => (service = started));

interface Results {
	results: Array<PaperRecord & { signals?: Record<string, number> }>;
	poolSize: number;
	truncated: boolean;
	note?: string;
}
const get = <T = Results,>(path: string, key?: string | null): Promise<Answered<T>> =>
	request<T>(service, 'GET', `/v2/search/research/papers${path}`, undefined, key);

describe('refused', () => {
	test.each([
		'',
		'?query=',
		'?query=%20',
		'?query=a&query=b',
		'?query=a&k=0',
		'?query=a&k=1.5',
		'?query=a&k=x',
		'?query=a&foo=1',
		'?query=a&from=2024-1-1',
		'?query=a&to=2024-02-30',
		'?query=a&authors=',
		'/910002?k=3',
		'/910002?query=',
		'/910002?limit=3',
		'/910002/similar',
		'/910002/similar?intent=',
		'/910002/similar?intent=a&mode=x',
		'/910002/similar?intent=a&rerank=yes',
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

test('are free, and who may ask', async () => {
	const { keys } = service;
	await get('?query=the&k=11');
	await get('/910002');
	await get('/910002?query=error');
	await get('/910002/similar?intent=x');
	expect(service.ledger.entries).toEqual([]);
	expect((await get('?query=the', keys.empty)).status).toBe(200);
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
