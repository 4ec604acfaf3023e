import { Firecrawl } from '@mendable/firecrawl-js';

import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { type Answered, request } from './testClient.cjs';

let service: Service;
useService((started) => (service = started));

interface Found {
	results: Array<{
		id: string;
		type: string;
		url: string;
		title: string;
		passages: Array<{ text: string; citation_url: string }>;
		license?: { state: string; spdx_id: string | null };
	}>;
	coverage: Record<string, string>;
	reranked: boolean;
	repos?: unknown[];
	sources?: unknown[];
}
const post = (body: object, key?: string | null): Promise<Answered<Found>> =>
	request<Found>(service, 'POST', '/v2/search/developer', { query: 'the', k: 100, ...body }, key);
const get = (query: string): Promise<Answered<Found>> =>
	request<Found>(service, 'GET', `/v2/search/developer?${query}`);

describe('refused with 400', () => {
	test.each<[string, object]>([
		['no query', { query: undefined }],
		['a blank query', { query: ' ' }],
		['k as text', { k: '5' }],
		['an unknown type', { types: ['commit'] }],
		['a list as text', { types: 'issue' }],
		['a repository without owner', { repos: ['relay'] }],
		['a long source', { sources: ['x'.repeat(513)] }],
		['min above max', { min_stars: 2, max_stars: 1 }],
		['camel case', { minStars: 1 }],
		['archived as text', { archived: 'true' }],
		['skills otherwise', { skills: 'all' }],
		['repos with doc alone', { repos: ['a/b'], types: ['doc'] }],
		['sources without doc', { sources: ['s'], types: ['issue'] }],
	])('POST %s', async (_name, change) => {
		const { status, body } = await post(change);
		expect([status, body.error]).toEqual([400, 'Invalid query parameters']);
		expect(body.details?.length).toBeGreaterThan(0);
	});

	test.each([
		'k=5',
		'query=a&k=x',
		'query=a&minStars=1',
		'query=a&archived=1',
		'query=a&types=issue,commit',
		'query=a&repos=a/b&types=doc',
		'query=a&query=b',
	])('GET %s', async (query) => {
		const { status, body } = await get(query);
		expect([status, body.error]).toEqual([400, 'Invalid query parameters']);
	});
});

test('the price, and who may ask', async () => {
	await post({ k: 11 });
	await post({ query: 'zzzzqqqq' });
	expect(service.ledger.entries.map(({ credits }) => credits)).toEqual([4, 0]);
	expect((await post({}, service.keys.empty)).status).toBe(402);
	expect((await post({}, service.keys.scrapeOnly)).status).toBe(403);
	expect((await post({}, null)).status).toBe(401);
});

test('the official SDK', async () => {
	const sdk = new Firecrawl({ apiKey: service.keys.full, apiUrl: service.url });
	const { results, repos } = await sdk.developerSearch('retry', {
		k: 5,
		passages: 2,
		types: ['issue', 'pull_request'],
		repos: ['harborline/fetchpool'],
		language: 'TypeScript',
		topic: ['http'],
		license: 'MIT',
		minStars: 10,
		maxStars: 100_000,
		archived: false,
		fork: false,
	});
	expect(results.length).toBeGreaterThan(2);
	expect(repos).toMatchObject([{ repo: 'harborline/fetchpool', indexed: true }]);
	await expect(
		sdk.developerSearch('x', { types: ['issue'], sources: ['s'] }),
	).rejects.toMatchObject({ status: 400 });
});
