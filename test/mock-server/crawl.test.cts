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
		['null for absent', { url: tidewatch, limit: null }, 'limit'],
	])('%s is 400', async (_name, body, path) => {
		const { status, body: answer } = await crawls.post(body);
		expect([status, answer.success, answer.code]).toEqual([400, false, 'BAD_REQUEST']);
		expect(answer.details?.map((detail) => detail.path[0] ?? '')).toContain(path);
	});

	test.each([
		[{ includePaths: ['a', '['] }, '/[/: Unterminated character class'],
		[{ excludePaths: ['*a'] }, '/*a/: Nothing to repeat'],
		[{ excludePaths: ['(?=a)'] }, '/(?=a)/: Unsupported syntax'],
	])('a pattern that the engine cannot run is 400: %j', async (patterns, fault) => {
		const { status, body } = await crawls.post({ url: tidewatch, ...patterns });
		expect([status, body]).toEqual([
			400,
			{ success: false, error: `Invalid regular expression: ${fault}` },
		]);
	});

	test.each([0, -1])('the limit %d reads the start page', async (limit) => {
		const { status, body } = await crawls.post({ url: tidewatch, limit });
		expect([status, body.success]).toEqual([200, true]);
	});

	describe('with less credits than its limit', () => {
		const lowered = async (credits: number, overage: number, body: object, spendLimit?: number) => {
			const key = 'fc-10a00000000000000000000000000001';
			service.teams.add({ id: 'poor', credits, overage }, key);
			Object.assign(service.teams.key(key) ?? {}, { spendLimit });
			const poor = new JobClient(service, '/v2/crawl', key);
			service.context.pageJobs.paces.add({ pageMs: 60_000 });
			const { status, body: started } = await poor.post({ url: tidewatch, ...body });
			const { body: active } = await poor.get<{ crawls: Array<{ options: { limit: number } }> }>(
				'/active',
			);
			return { status, started, limits: active.crawls?.map(({ options }) => options.limit) };
		};

		test('it is lowered to the balance without a word, as only the list of active ones shows', async () => {
			const { status, started, limits } = await lowered(5, 0, { limit: 40 });
			expect([status, limits]).toEqual([200, [5]]);
			expect(Object.keys(started).sort()).toEqual(['id', 'success', 'url']);
		});

		test('it stays where an overage allows it, and where none was asked', async () => {
			expect((await lowered(5, 35, { limit: 40 })).limits).toEqual([40]);
			service.reset();
			expect((await lowered(5, 0, {})).limits).toEqual([10_000]);
		});

		test('the response to a prompt names the one that counts', async () => {
			const { started } = await lowered(5, 0, { limit: 40, prompt: 'Only guides' });
			expect(started.finalCrawlerOptions).toMatchObject({ limit: 5 });
		});

		test('it is 402 where the balance is empty, or the key may not spend what is left', async () => {
			const refusal = { status: 402, started: { error: expect.stringMatching(/lower value\.$/) } };
			expect(await lowered(0, 0, { limit: 1 })).toMatchObject(refusal);
			expect(await lowered(5, 0, { limit: 40 }, 3)).toMatchObject(refusal);
			expect((await lowered(5, 0, { limit: 3 }, 3)).limits).toEqual([3]);
		});
	});

	test('an ended one says why it may have found little, a running one does not', async () => {
		const one = await crawls.run({ url: `${tidewatch}/guides/spring-tides` });
		expect(one.warning).toMatch(/^Only 1 result\(s\) found\. For broader coverage/);
		const wide = { url: `${tidewatch}/guides`, crawlEntireDomain: true, limit: 1 };
		expect((await crawls.run(wide)).warning).toBeUndefined();
		expect((await crawls.run({ url: port })).warning).toMatch(/robots\.txt file prevented this/);
		service.context.pageJobs.paces.add({ pageMs: 60_000 });
		const { id } = await crawls.start({ url: port });
		expect((await crawls.status(id)).body.warning).toBeUndefined();
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

	test.each([{ url: tidewatch }, { prompt: 'all' }, { url: 'nope', prompt: 'all' }])(
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
