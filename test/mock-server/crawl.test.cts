import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { JobClient, request, sourcesOf } from './testClient.cjs';

let service: Service;
let crawls: JobClient;
useService(
	(started) => {
		service = started;
		crawls = new JobClient(service, '/v2/crawl');
	},
	{ pages: { pageMs: 10 } },
);

const tidewatch = 'https://tidewatch.example';
const docs = 'https://docs.relayworks.example';
const port = 'https://portoffice.example';

const paths = (urls: readonly string[]): string[] => urls.map((url) => new URL(url).pathname);

describe('the way through a site', () => {
	test('redirects: a page known already is left out, one that leads outside is an error', async () => {
		service.site.update(`${docs}/`, {
			markdown: '[a](/quickstart) [b](/start) [c](/home) [d](/concepts/retry)',
		});
		const { id, data, total } = await crawls.run({
			url: docs,
			sitemap: 'skip',
			maxDiscoveryDepth: 1,
			excludePaths: ['^/(concepts|guides|reference|changelog)$'],
			maxConcurrency: 1,
		});
		const found = paths(sourcesOf(data));
		expect(found).toContain('/quickstart');
		expect(found).not.toContain('/start');
		const { errors } = await crawls.errors(id);
		expect(errors.map(({ url }) => url)).toEqual([`${docs}/home`]);
		expect(total).toBe(data.length);
	});
});

describe('robots.txt', () => {
	const registry = `${port}/internal/registry`;

	test('is respected: what it forbids is listed, not opened', async () => {
		const { id, data } = await crawls.run({ url: port });
		expect(sourcesOf(data)).not.toContain(registry);
		const answer = await crawls.get<object>(`/${id}/errors`);
		expect(answer.body).toEqual({ errors: [], robotsBlocked: [registry] });
	});
});

describe('starting', () => {
	test.each([
		['no url', { limit: 1 }, 'url'],
		['a URL without host', { url: 'https://' }, 'url'],
		['a host without top-level domain', { url: 'http://intranet/' }, 'url'],
		['another scheme', { url: 'file:///etc/hosts' }, 'url'],
		['an unknown key', { url: tidewatch, maxDepth: 2 }, ''],
		['scrape options at top level', { url: tidewatch, formats: ['markdown'] }, ''],
		['an unknown key inside', { url: tidewatch, scrapeOptions: { format: [] } }, 'scrapeOptions'],
		['delay 0', { url: tidewatch, delay: 0 }, 'delay'],
		['delay 61', { url: tidewatch, delay: 61 }, 'delay'],
		['a text in place of patterns', { url: tidewatch, includePaths: 'blog' }, 'includePaths'],
		[
			'an include pattern that does not compile',
			{ url: tidewatch, includePaths: ['a', '['] },
			'includePaths',
		],
		[
			'an exclude pattern that does not compile',
			{ url: tidewatch, excludePaths: ['*a'] },
			'excludePaths',
		],
		['null for absent', { url: tidewatch, limit: null }, 'limit'],
	])('%s is 400', async (_name, body, path) => {
		const { status, body: answer } = await crawls.post(body);
		expect([status, answer.success, answer.code]).toEqual([400, false, 'BAD_REQUEST']);
		expect(answer.details?.map((detail) => detail.path[0] ?? '')).toContain(path);
	});

	test('the balance has to cover the limit, else it is lowered or refused', async () => {
		const low = new JobClient(service, '/v2/crawl', service.keys.low);
		const { warning, ...lowered } = await low.run({ url: tidewatch });
		expect(warning).toMatch(/lowered to 5/);
		expect([lowered.total, lowered.status]).toEqual([5, 'completed']);
		expect((await low.post({ url: tidewatch, limit: 1 })).status).toBe(402);
	});

	test('the crawl of a site without address completes with nothing', async () => {
		const none = await crawls.run({ url: 'https://nowhere.example' });
		expect(none).toMatchObject({ status: 'completed', completed: 0, total: 0, creditsUsed: 0 });
		expect((await crawls.errors(none.id)).errors).toMatchObject([
			{ code: 'SCRAPE_DNS_RESOLUTION_ERROR', error: expect.stringContaining('nowhere') as string },
		]);
	});
});

describe('params-preview', () => {
	const preview = (body: object) =>
		request<{ data: object }>(service, 'POST', '/v2/crawl/params-preview', body);

	test.each([{ url: tidewatch }, { prompt: 'all' }, { url: tidewatch, prompt: 'all', limit: 1 }])(
		'%j is 400',
		async (body) => expect((await preview(body)).status).toBe(400),
	);

	test('exists as POST alone', async () => {
		expect((await crawls.get('/params-preview')).status).toBe(400);
	});
});

describe('the idempotency key', () => {
	const key = { 'x-idempotency-key': 'c0ffee00-0000-4000-8000-00000000beef' };
	const body = { url: port, limit: 1 };

	test('starts one crawl: a repeat is 409 and does not name it', async () => {
		expect((await crawls.post(body, key)).status).toBe(200);
		const repeat = await crawls.post(body, key);
		expect([repeat.status, repeat.body.error]).toEqual([409, 'Idempotency key already used']);
		expect(repeat.body.id).toBeUndefined();
	});

	test('is one for all teams', async () => {
		await crawls.post(body, key);
		const others = new JobClient(service, '/v2/crawl', service.keys.plain);
		expect((await others.post(body, key)).status).toBe(409);
	});

	test.each([
		'again',
		'c0ffee00-0000-4000-8000-00000000beex',
		'c0ffee00-0000-0000-8000-00000000beef',
	])('that is no UUID counts as used: %s', async (text) => {
		const { status, body: answer } = await crawls.post(body, { 'x-idempotency-key': text });
		expect([status, answer.error]).toEqual([409, 'Idempotency key already used']);
	});

	test('is used up by a request that is refused for its body', async () => {
		expect((await crawls.post({ url: 'nothing' }, key)).status).toBe(400);
		expect((await crawls.post(body, key)).status).toBe(409);
	});

	test('is not used up by one without credits', async () => {
		const poor = new JobClient(service, '/v2/crawl', service.keys.empty);
		expect((await poor.post(body, key)).status).toBe(402);
		expect((await crawls.post(body, key)).status).toBe(200);
	});
});
