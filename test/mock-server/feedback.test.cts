import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { type Answered, request } from './testClient.cjs';

const minute = 60_000;
const tides = 'https://tidewatch.example/guides/spring-tides';
const good = { rating: 'good', valuableSources: [{ url: tides, reason: 'It says why.' }] };
let service: Service;
useService((started) => (service = started), { now: Date.parse('2026-11-21T12:00:00Z') });

interface Refund {
	feedbackId: string;
	creditsRefunded: number;
	feedbackErrorCode: string;
}
const post = <T,>(path: string, body: unknown, key?: string | null) =>
	request<T>(service, 'POST', `/v2${path}`, body, key);
const search = async (query = 'tide', key?: string): Promise<string> =>
	(await post<{ id: string }>('/search', { query }, key)).body.id;
const rate = (id: string, body: unknown = good, key?: string | null) =>
	post<Refund>(`/search/${id}/feedback`, body, key);
const report = (body: unknown) => post<Refund>('/feedback', body);
const refused = ({ status, body }: Answered<Refund>) => [
	status,
	body.success,
	body.feedbackErrorCode,
];
const unknown = '11111111-1111-4111-8111-111111111111';

describe('POST /search/{jobId}/feedback', () => {
	test('gives one of the two credits back, once', async () => {
		const id = await search();
		const spent = service.ledger.spent('team-full');
		const first = await rate(id);
		expect(first.body).toEqual({
			success: true,
			feedbackId: expect.any(String) as string,
			creditsRefunded: 1,
			creditsRefundedToday: 1,
			dailyRefundCap: 100,
		});
		expect(service.ledger.spent('team-full')).toBe(spent - 1);
		const again = await rate(id, { rating: 'bad', querySuggestions: 'tides' });
		expect(again.body).toMatchObject({
			feedbackId: first.body.feedbackId,
			creditsRefunded: 0,
			alreadySubmitted: true,
		});
		expect(service.ledger.spent('team-full')).toBe(spent - 1);
	});

	test('a search without results was free: nothing comes back', async () => {
		const id = await search('zzqqx');
		const { body } = await rate(id, { rating: 'bad', querySuggestions: 'other words' });
		expect(body).toMatchObject({ creditsRefunded: 0, creditsRefundedToday: 0 });
	});

	test('the window is two minutes of the clock', async () => {
		const [early, late] = [await search(), await search()];
		await service.clock.advance(2 * minute);
		expect((await rate(early)).status).toBe(200);
		await service.clock.advance(1);
		expect(refused(await rate(late))).toEqual([409, false, 'FEEDBACK_WINDOW_EXPIRED']);
		expect((await rate(early)).body).toMatchObject({ alreadySubmitted: true });
	});

	test.each<[string, unknown]>([
		['no rating', {}],
		['good without sources', { rating: 'good' }],
		['good with an empty list', { rating: 'good', valuableSources: [] }],
		['partial with a suggestion alone', { rating: 'partial', querySuggestions: 'x' }],
		['bad with a source alone', { ...good, rating: 'bad' }],
		['an unknown key', { ...good, note: 'x' }],
		['an address that is none', { rating: 'good', valuableSources: [{ url: 'tides' }] }],
		['51 sources', { rating: 'good', valuableSources: Array(51).fill({ url: tides }) }],
		['an empty topic', { rating: 'bad', missingContent: [{ topic: '' }] }],
		['21 topics', { rating: 'bad', missingContent: Array(21).fill({ topic: 'x' }) }],
	])('refuses %s', async (_name, body) => {
		const id = await search();
		expect(refused(await rate(id, body))).toEqual([400, false, 'INVALID_BODY']);
		expect((await rate(id)).body).not.toHaveProperty('alreadySubmitted');
	});

	test.each([
		{ rating: 'partial', missingContent: [{ topic: 'neap tides', description: 'not a word' }] },
		{ rating: 'partial', valuableSources: [{ url: tides }] },
		{ rating: 'bad', missingContent: [{ topic: 'neap tides' }] },
		{ rating: 'bad', querySuggestions: 'neap tides', integration: 'n8n' },
	])('takes %j', async (body) => {
		expect((await rate(await search(), body)).status).toBe(200);
	});

	test('only for searches of the team', async () => {
		const foreign = await search('tide', service.keys.plain);
		expect(refused(await rate(foreign))).toEqual([404, false, 'SEARCH_NOT_FOUND']);
		expect(refused(await rate(unknown))).toEqual([404, false, 'SEARCH_NOT_FOUND']);
		expect(refused(await rate('abc'))).toEqual([400, false, undefined]);
	});

	test('needs a key with the scope', async () => {
		const id = await search();
		expect((await rate(id, good, null)).status).toBe(401);
		expect((await rate(id, good, service.keys.scrapeOnly)).status).toBe(403);
		expect((await rate(id, good, service.keys.searchOnly)).status).toBe(200);
	});
});

describe('POST /feedback', () => {
	const scrape = async (): Promise<string> => {
		const { body } = await post<{ data: { metadata: { scrapeId: string } } }>('/scrape', {
			url: tides,
		});
		return body.data.metadata.scrapeId;
	};

	test('on a scrape it refunds nothing, and one signal is enough', async () => {
		const jobId = await scrape();
		const spent = service.ledger.spent('team-full');
		const body = { endpoint: 'scrape', jobId, rating: 'bad', issues: ['missing_table'] };
		expect((await report(body)).body).toMatchObject({ success: true, creditsRefunded: 0 });
		expect((await report(body)).body).toMatchObject({ alreadySubmitted: true });
		expect(service.ledger.spent('team-full')).toBe(spent);
	});

	test.each<[string, Record<string, unknown>]>([
		['no signal', {}],
		['tags alone', { tags: ['pdf'] }],
		['an issue with capitals', { issues: ['Missing'] }],
		['page 0', { pageNumbers: [0] }],
		['metadata above 8 KB', { note: 'x', metadata: { text: 'x'.repeat(8 * 1024) } }],
		['an unknown endpoint', { note: 'x', endpoint: 'crawl' }],
		['an id that is none', { note: 'x', jobId: 'abc' }],
		['an unknown key', { note: 'x', stars: 5 }],
	])('refuses %s', async (_name, change) => {
		const jobId = await scrape();
		const body = { endpoint: 'scrape', jobId, rating: 'bad', ...change };
		expect(refused(await report(body))).toEqual([400, false, 'INVALID_BODY']);
	});

	test('the job has to be of that endpoint', async () => {
		const jobId = await scrape();
		const body = { endpoint: 'map', jobId, rating: 'bad', note: 'Half of it is missing' };
		expect(refused(await report(body))).toEqual([404, false, 'JOB_NOT_FOUND']);
	});
});
