import { request, type Answered } from './request.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService({ keyless: true });
});
afterAll(() => service.close());
beforeEach(() => service.reset());

interface Found {
	success: boolean;
	data: { web?: Array<{ url: string; title: string; category: string; position: number }> };
	creditsUsed?: number;
}
const post = (body: object, key?: string | null): Promise<Answered<Found>> =>
	request<Found>(service, 'POST', '/v2/search/gov', body, key);
const get = (query: string): Promise<Answered<Found>> =>
	request<Found>(service, 'GET', `/v2/search/gov?${query}`);

test('finds publications by their words, best first, free and by both methods', async () => {
	const { body } = await post({ query: 'allergens on food labels' });
	expect(body.success).toBe(true);
	expect(body.data.web?.[0]).toMatchObject({ position: 1, category: 'gov' });
	expect(body.data.web?.map(({ url }) => url)).toContain(
		'https://regulations.federal.example/part-101/subpart-b',
	);
	expect((await get('query=allergens%20on%20food%20labels')).body).toEqual(body);
	expect(service.log.entries.at(-1)?.credits).toBe(0);
});

test('ten by default, otherwise as many as asked for', async () => {
	expect((await post({ query: 'the' })).body.data.web).toHaveLength(10);
	expect((await post({ query: 'the', k: 2 })).body.data.web).toHaveLength(2);
	expect((await get('query=the&k=100')).body.data.web?.length).toBeGreaterThan(10);
});

test('answers without a key', async () => {
	expect((await post({ query: 'tide' }, null)).status).toBe(200);
});

test.each([
	{},
	{ query: ' ' },
	{ query: 'tide', k: 0 },
	{ query: 'tide', k: 101 },
	{ query: 'tide', k: '2' },
	{ query: 'tide', limit: 2 },
])('refuses %j', async (body) => {
	expect((await post(body)).status).toBe(400);
});

test.each(['', 'query=tide&k=0', 'query=tide&limit=2'])('refuses ?%s', async (query) => {
	expect((await get(query)).status).toBe(400);
});

test('is a category of a search, too, in the list of the web', async () => {
	const { body } = await request<Found>(service, 'POST', '/v2/search', {
		query: 'tidelands',
		categories: ['gov'],
	});
	const publications = await post({ query: 'tidelands' });
	expect(body.data).toEqual(publications.body.data);
});
