import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { TestClient } from './testClient.cjs';

let service: Service;
let client: TestClient;
useService((started) => {
	service = started;
	client = new TestClient(service);
});

const page = (url: string) => {
	const found = service.site.find(url);
	if (!found) throw new Error(`No page ${url}`);
	return found;
};

describe('narrowing', () => {
	test('limit counts per source; positions of news and images start at 1, web results have none', async () => {
		const { body } = await client.search({
			query: 'ferry tide',
			sources: ['web', 'news', 'images'],
			limit: 3,
		});
		const { web, news, images } = body.data;
		for (const list of [news, images]) {
			expect(list?.map(({ position }) => position)).toEqual([1, 2, 3]);
		}
		expect(web).toHaveLength(3);
		for (const result of web ?? []) expect(result).not.toHaveProperty('position');
	});

	test('a source that finds nothing has no list', async () => {
		const { body } = await client.search({
			query: '"no page says this"',
			sources: ['web', 'news', 'images'],
		});
		expect(body.data).toEqual({});
	});
});

describe('categories', () => {
	test.each(['pdf', 'developer'] as const)('%s', async (category) => {
		const found = await client.web({
			query: 'rate limits harbour',
			categories: [category],
			limit: 100,
		});
		expect(found.length).toBeGreaterThan(0);
		for (const result of found) {
			expect(result.category).toBe(category);
			const { kind, category: own } = page(result.url);
			expect(category === 'pdf' ? kind : own).toBe(category);
		}
	});

	test('research since 2026-11-16: paper records instead of web results', async () => {
		const { body } = await client.search({
			query: 'tide gauges',
			categories: ['research'],
			limit: 2,
		});
		expect(body.data.web).toBeUndefined();
		expect(body.warnings).toBeUndefined();
		expect(body.data.research).toHaveLength(2);
		for (const record of body.data.research ?? []) {
			expect(Object.keys(record).sort()).toEqual([
				'abstract',
				'ids',
				'paperId',
				'primaryId',
				'score',
				'title',
			]);
			expect(`${record.title} ${record.abstract}`).toMatch(/tid(e|al)/i);
		}
	});
});

describe('tool discovery', () => {
	test('domainTools false keeps domain matches out; toolDetail cuts the contract', async () => {
		const { body } = await client.search({
			query: 'tide times',
			sources: ['web', 'alexandria'],
			domainTools: false,
			toolDetail: 'compact',
		});
		expect(body.data.tools?.length).toBeGreaterThan(0);
		for (const tool of body.data.tools ?? []) {
			expect(Object.keys(tool).sort()).toEqual([
				'capability',
				'description',
				'matchedBy',
				'provider',
			]);
		}
	});
});

describe('scrapeOptions in a search', () => {
	test('a page that cannot be scraped stays, and says why', async () => {
		const { body } = await client.search({
			query: 'tide site:tidewatch.example',
			limit: 1,
			scrapeOptions: { formats: ['markdown'], lockdown: true },
		});
		expect(body.data.web).toHaveLength(1);
		expect(body.data.web?.[0].markdown).toBeUndefined();
		expect(body.data.web?.[0].metadata).toMatchObject({
			statusCode: 404,
			error: expect.stringContaining('not in the cache'),
		});
		expect(body.creditsUsed).toBe(3);
	});
});
