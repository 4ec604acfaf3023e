import { useService } from '../useService.cjs';
import { startService, type Service } from './service.cjs';
import { keys } from './teams.cjs';
import { TestClient, type SearchData, type Reply } from './testClient.cjs';

let service: Service;
useService((started) => (service = started));

const as = (key: string | null): TestClient => new TestClient(service, key);
const search = (
	key: string | null,
	change: Record<string, unknown> = {},
): Promise<Reply<SearchData>> => as(key).search({ query: 'harbour', limit: 3, ...change });

describe('keys', () => {
	test('none: 401, and nothing else than that', async () => {
		const { status, body } = await search(null);
		expect([status, body]).toEqual([401, { success: false, error: 'Unauthorized' }]);
	});

	test.each([
		['unknown', 'fc-00000000000000000000000000000000'],
		['revoked', keys.revoked],
	])('%s: 401 Invalid token', async (_name, key) => {
		const { status, body } = await search(key);
		expect([status, body.error]).toEqual([401, 'Unauthorized: Invalid token']);
	});

	test('a header that is no bearer token', async () => {
		const { status } = await as(null).get('/v2/team/credit-usage', {
			authorization: `Basic ${keys.full}`,
		});
		expect(status).toBe(401);
	});

	test('scopes: search only, scrape only, team always', async () => {
		const scrape = (key: string) => as(key).scrape({ url: 'https://tidewatch.example/' });
		expect((await search(keys.searchOnly)).status).toBe(200);
		expect((await scrape(keys.searchOnly)).status).toBe(403);
		expect((await search(keys.scrapeOnly)).status).toBe(403);
		expect((await scrape(keys.scrapeOnly)).status).toBe(200);
		expect((await as(keys.scrapeOnly).get('/v2/team/credit-usage')).status).toBe(200);
		expect((await search(keys.searchOnly, { categories: ['developer'] })).status).toBe(403);
	});

	test('a suspended account: 403', async () => {
		expect((await search(keys.suspended)).status).toBe(403);
	});

	test.each<[string, Record<string, unknown>]>([
		['alexandria', { sources: ['alexandria'] }],
		['domainTools', { domainTools: true }],
		['zdr', { enterprise: ['zdr'] }],
		['anon', { enterprise: ['anon'] }],
		['threat protection', { threatProtection: {} }],
		[
			'threat protection of the scrapes',
			{ scrapeOptions: { threatProtection: { mode: 'normal' } } },
		],
	])('a team without %s: 403', async (_name, change) => {
		expect((await search(keys.plain, change)).status).toBe(403);
		expect((await search(keys.full, change)).status).toBe(200);
	});

	test('tool discovery under zero data retention: 403', async () => {
		const text = 'Provider discovery requires access and does not support zero data retention.';
		const forced = await search(keys.zdr, { sources: ['alexandria'] });
		const asked = await search(keys.full, { domainTools: true, enterprise: ['anon'] });
		expect([forced.status, forced.body.error]).toEqual([403, text]);
		expect([asked.status, asked.body.error]).toEqual([403, text]);
	});

	test('authentication off: any key or none', async () => {
		const open = await startService({ authentication: false });
		try {
			expect((await new TestClient(open, null).search({ query: 'tide' })).status).toBe(200);
			expect((await new TestClient(open, 'whatever').get('/v2/team/credit-usage')).status).toBe(
				200,
			);
		} finally {
			await open.close();
		}
	});
});

describe('the keyless tier', () => {
	test('answers search, and nothing behind an account', async () => {
		service.context.options.keyless = true;
		expect((await search(null)).status).toBe(200);
		expect((await as(null).get('/v2/team/credit-usage')).status).toBe(401);
		expect((await search(null, { sources: ['alexandria'] })).body.error).toBe(
			'An API key is required for provider tools.',
		);
	});
});

describe('credits', () => {
	const price = async (change: Record<string, unknown>): Promise<number> =>
		(await search(keys.full, change)).body.creditsUsed;

	test('a search costs 2 per started ten results, over all lists', async () => {
		expect(await price({ limit: 3 })).toBe(2);
		expect(await price({ limit: 11 })).toBe(4);
		expect(await price({ query: 'ferry tide', limit: 4, sources: ['web', 'news', 'images'] })).toBe(
			4,
		);
		expect(await price({ query: 'zzzzqqqq' })).toBe(0);
		expect(await price({ limit: 3, enterprise: ['zdr'] })).toBe(10);
		expect(await price({ limit: 3, enterprise: ['anon'] })).toBe(2);
	});

	test('pages add their scrape price', async () => {
		const formats = [
			'markdown',
			{ type: 'json', prompt: 'a' },
			{ type: 'question', question: 'when?' },
		];
		expect(await price({ limit: 2, query: 'tide -filetype:pdf', scrapeOptions: { formats } })).toBe(
			2 + 2 * 9,
		);
		expect(
			await price({
				limit: 2,
				query: 'tide -filetype:pdf',
				scrapeOptions: { formats: ['markdown'], redactPII: true },
			}),
		).toBe(2 + 2 * 5);
	});

	test('the ledger, the log, the answers and the balance agree', async () => {
		const answers = [
			await search(keys.full, { limit: 5 }),
			await search(keys.full, { limit: 2, scrapeOptions: { formats: ['summary'] } }),
		];
		const scraped = await as(keys.full).scrape({ url: 'https://tidewatch.example/' });
		await search(keys.full, { limit: 0 });
		const billed =
			answers.reduce((sum, { body }) => sum + body.creditsUsed, 0) +
			(scraped.body.data.metadata.creditsUsed ?? 0);

		expect(service.ledger.entries.map(({ credits }) => credits).reduce((a, b) => a + b)).toBe(
			billed,
		);
		expect(service.ledger.entries.map(({ jobId }) => jobId).slice(0, 2)).toEqual(
			answers.map(({ body }) => body.id),
		);
		expect(service.log.entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(billed);
		const { body } = await as(keys.full).get<{ remainingCredits: number }>('/v2/team/credit-usage');
		expect(body.data.remainingCredits).toBe(100_000 - billed);
	});

	test('none left: 402, and nothing is charged', async () => {
		const { status, body } = await search(keys.empty);
		expect([status, body.error]).toEqual([402, expect.stringMatching(/^Insufficient credits/)]);
		expect((await as(keys.empty).scrape({ url: 'https://tidewatch.example/' })).status).toBe(402);
		expect(service.ledger.entries).toEqual([]);
		expect((await search(keys.empty, { sources: ['web'], query: '' })).status).toBe(400);
	});

	test('a low balance lowers the limit without a word', async () => {
		const { status, body } = await search(keys.low, { limit: 40 });
		expect(status).toBe(200);
		expect(body.data.web).toHaveLength(5);
		expect(body).not.toHaveProperty('warning');
		expect(body.creditsUsed).toBe(2);
	});
});

test('the log shows where the key went', async () => {
	await search(keys.full);
	await search(null);
	const [first, second] = service.log.of('POST', '/v2/search');
	expect(first).toMatchObject({
		authorization: true,
		key: keys.full,
		teamId: 'team-full',
		status: 200,
		credits: 2,
	});
	expect(first.body).toEqual({ query: 'harbour', limit: 3 });
	expect([second.authorization, second.key, second.status]).toEqual([false, undefined, 401]);
});
