import { JobClient, sourcesOf } from './pageJobs/jobClient.cjs';
import { request } from './request.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
let crawls: JobClient;
beforeAll(async () => {
	service = await startService({ pages: { pageMs: 10 } });
	crawls = new JobClient(service, '/v2/crawl');
});
afterAll(() => service.close());
beforeEach(() => service.reset());

const tidewatch = 'https://tidewatch.example';
const docs = 'https://docs.relayworks.example';
const port = 'https://portoffice.example';

/** The addresses that a crawl ends with, sorted. */
const crawled = async (body: object): Promise<string[]> =>
	sourcesOf((await crawls.run(body)).data).sort();
const paths = (urls: readonly string[]): string[] => urls.map((url) => new URL(url).pathname);

describe('the way through a site', () => {
	test('stays below the start page', async () => {
		const found = await crawled({ url: `${tidewatch}/stations`, sitemap: 'skip' });
		expect(paths(found)).toEqual([
			'/stations',
			'/stations/cape-morrow',
			'/stations/live',
			'/stations/port-ansel',
			'/stations/port-ansel/datum-shift-1998',
			'/stations/port-ansel/gauge-history',
		]);
	});

	test('a path is below another by whole folders', async () => {
		const found = await crawled({ url: 'https://emberroast.example/shop/hand-grinder' });
		expect(paths(found)).toEqual(['/shop/hand-grinder', '/shop/hand-grinder/care']);
	});

	test('crawlEntireDomain takes siblings and parents', async () => {
		const url = `${tidewatch}/guides/spring-tides`;
		expect(await crawled({ url })).toEqual([url]);
		const found = await crawled({ url, crawlEntireDomain: true, limit: 8 });
		expect(found).toHaveLength(8);
		expect(found.every((each) => each.startsWith(tidewatch))).toBe(true);
	});

	test('maxDiscoveryDepth counts links; pages of the sitemap have depth 0', async () => {
		const url = `${tidewatch}/stations`;
		const deep = '/stations/port-ansel/gauge-history';
		const found = async (options: object): Promise<string[]> =>
			paths(await crawled({ url, ...options }));
		expect(await found({ sitemap: 'skip', maxDiscoveryDepth: 0 })).toEqual(['/stations']);
		const one = await found({ sitemap: 'skip', maxDiscoveryDepth: 1 });
		expect(one).toContain('/stations/port-ansel');
		expect(one).not.toContain(deep);
		expect(await found({ sitemap: 'skip', maxDiscoveryDepth: 2 })).toContain(deep);
		const listed = await found({ maxDiscoveryDepth: 0 });
		expect(listed).toContain('/stations/port-ansel');
		expect(listed).not.toContain(deep);
		expect(await found({ maxDiscoveryDepth: 1 })).toContain(deep);
	});

	test('sitemap: only opens what it lists and the start page, no links', async () => {
		const found = await crawled({ url: `${tidewatch}/`, sitemap: 'only' });
		const { body } = await service.site.render(`${tidewatch}/sitemap.xml`);
		const listed = [...body.toString().matchAll(/<loc>([^<]+)/g)].map(([, url]) => url);
		expect(found).toEqual(listed.sort());
	});

	test('limit bounds the pages, and total says how many are known', async () => {
		const { data, total, completed, creditsUsed } = await crawls.run({ url: tidewatch, limit: 3 });
		expect([data.length, total, completed, creditsUsed]).toEqual([3, 3, 3, 3]);
	});

	test('subdomains and external hosts only when allowed; external pages are not followed', async () => {
		const hosts = (urls: readonly string[]): string[] =>
			[...new Set(urls.map((url) => new URL(url).hostname))].sort();
		const relayworks = { url: 'https://relayworks.example', limit: 60 };
		expect(hosts(await crawled(relayworks))).toEqual(['relayworks.example']);
		expect(hosts(await crawled({ ...relayworks, allowSubdomains: true }))).toEqual([
			'docs.relayworks.example',
			'relayworks.example',
		]);
		const outside = await crawled({ ...relayworks, allowExternalLinks: true });
		const linked = outside.filter((url) => new URL(url).hostname === 'docs.relayworks.example');
		expect(linked.length).toBeGreaterThan(0);
		expect(linked).not.toContain(`${docs}/changelog`);
	});

	test('an external start page is reported in place of being opened', async () => {
		const { id, data } = await crawls.run({
			url: `${tidewatch}/reports`,
			maxDiscoveryDepth: 1,
			allowExternalLinks: true,
		});
		const homepage = 'https://northshore.example/';
		expect(sourcesOf(data)).not.toContain(homepage);
		const { errors } = await crawls.errors(id);
		expect(errors).toMatchObject([{ url: homepage, code: 'EXTERNAL_LINK' }]);
	});

	test('includePaths and excludePaths match the path, the start page’s as well', async () => {
		const found = await crawled({
			url: tidewatch,
			includePaths: ['^/$', '^/guides'],
			excludePaths: ['tides$'],
		});
		expect(paths(found)).toEqual([
			'/',
			'/guides',
			'/guides/reading-a-tide-table',
			'/guides/storm-surges',
		]);
		const nothing = await crawls.run({ url: tidewatch, includePaths: ['x'], sitemap: 'skip' });
		expect(nothing).toMatchObject({ status: 'completed', total: 0, data: [], success: true });
	});

	test('regexOnFullURL matches the whole address', async () => {
		const includePaths = ['^https://tidewatch\\.example/guides$'];
		const url = `${tidewatch}/guides`;
		expect(await crawled({ url, includePaths, regexOnFullURL: true })).toEqual([url]);
		expect(await crawled({ url, includePaths })).toEqual([]);
	});

	test('query parameters tell pages apart unless they are ignored', async () => {
		service.site.update(`${tidewatch}/guides`, {
			markdown: '[a](/guides/spring-tides?print=1) [b](/guides/spring-tides?print=2)',
		});
		const queries = async (options: object): Promise<number> => {
			const found = await crawled({ url: `${tidewatch}/guides`, sitemap: 'skip', ...options });
			return found.filter((url) => url.includes('?')).length;
		};
		expect(await queries({})).toBe(2);
		expect(await queries({ ignoreQueryParameters: true })).toBe(1);
	});

	test('similar addresses are one page unless told otherwise', async () => {
		service.site.update(`${tidewatch}/guides`, {
			markdown: '[a](/guides/spring-tides/) [b](http://tidewatch.example/guides/spring-tides)',
		});
		const similar = async (options: object): Promise<number> => {
			const found = await crawled({ url: `${tidewatch}/guides`, sitemap: 'skip', ...options });
			return found.filter((url) => url.includes('spring-tides')).length;
		};
		expect(await similar({})).toBe(1);
		expect(await similar({ deduplicateSimilarURLs: false })).toBeGreaterThan(1);
	});

	test('a start page that moved is where the crawl begins', async () => {
		const { data } = await crawls.run({ url: `${tidewatch}/tides` });
		expect(data[0].metadata).toMatchObject({
			sourceURL: `${tidewatch}/tides`,
			url: `${tidewatch}/guides/spring-tides`,
		});
	});

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

	test('pages that answer with an error are documents', async () => {
		const { data } = await crawls.run({
			url: docs,
			includePaths: ['^/$', '^/(reference/v1|play)'],
		});
		const codes = data.map(({ metadata }) => [new URL(metadata.url).pathname, metadata.statusCode]);
		expect(new Map(codes as Array<[string, number]>)).toEqual(
			new Map([
				['/', 200],
				['/reference/v1', 410],
				['/playground', 500],
			]),
		);
	});

	test('files that are no pages are not opened, PDFs are', async () => {
		const found = await crawled({ url: `${port}/documents`, limit: 20 });
		expect(found.filter((url) => url.endsWith('.pdf')).length).toBeGreaterThan(4);
		expect(paths(await crawled({ url: port, limit: 50 }))).not.toContain('/sitemap.xml');
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

	test('may be ignored by those who are allowed to, others get 403', async () => {
		const found = await crawled({ url: port, ignoreRobotsTxt: true });
		expect(found).toContain(registry);
		const plain = new JobClient(service, '/v2/crawl', service.keys.plain);
		for (const option of [{ ignoreRobotsTxt: true }, { robotsUserAgent: 'ArchiveBot' }]) {
			expect((await plain.post({ url: port, limit: 1, ...option })).status).toBe(403);
		}
		expect((await plain.post({ url: port, limit: 1, ignoreRobotsTxt: false })).status).toBe(200);
	});

	test('robotsUserAgent picks the rules of another agent', async () => {
		const url = `${tidewatch}/reports`;
		const minutes = `${tidewatch}/members/minutes`;
		const body = { url, crawlEntireDomain: true, sitemap: 'skip', maxDiscoveryDepth: 1 };
		expect(await crawled(body)).not.toContain(minutes);
		expect(await crawled({ ...body, robotsUserAgent: 'ArchiveBot/2.0' })).toContain(minutes);
	});

	test('a forbidden start page is denied, and the crawl completes with nothing', async () => {
		const url = `${tidewatch}/members/minutes`;
		const run = await crawls.run({ url });
		expect(run).toMatchObject({ success: true, status: 'completed', total: 0, data: [] });
		expect((await crawls.errors(run.id)).errors).toMatchObject([
			{ url, code: 'CRAWL_DENIAL', error: expect.stringContaining('robots.txt') as string },
		]);
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
		['limit 0', { url: tidewatch, limit: 0 }, 'limit'],
		['delay 0', { url: tidewatch, delay: 0 }, 'delay'],
		['delay 61', { url: tidewatch, delay: 61 }, 'delay'],
		['a negative depth', { url: tidewatch, maxDiscoveryDepth: -1 }, 'maxDiscoveryDepth'],
		['an unknown sitemap mode', { url: tidewatch, sitemap: 'auto' }, 'sitemap'],
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
		['a long prompt', { url: tidewatch, prompt: 'a'.repeat(10_001) }, 'prompt'],
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
		service.teams.add({ id: 'strict', credits: 99, lowersLimit: false }, 'fc-strict');
		const strict = new JobClient(service, '/v2/crawl', 'fc-strict');
		expect((await strict.post({ url: tidewatch })).status).toBe(402);
		expect((await strict.post({ url: tidewatch, limit: 100 })).status).toBe(402);
		expect((await strict.post({ url: tidewatch, limit: 99 })).status).toBe(200);
		const json = { formats: [{ type: 'json', prompt: 'title' }] };
		expect((await strict.post({ url: tidewatch, limit: 20, scrapeOptions: json })).status).toBe(
			402,
		);
	});

	test('a site that is not supported is 403, the crawl of one without address completes with nothing', async () => {
		service.context.unsupportedHosts.add('emberroast.example');
		const refused = await crawls.post({ url: 'https://emberroast.example' });
		expect([refused.status, refused.body.code]).toEqual([403, 'UNSUPPORTED_SITE']);
		const none = await crawls.run({ url: 'https://nowhere.example' });
		expect(none).toMatchObject({ status: 'completed', completed: 0, total: 0, creditsUsed: 0 });
		expect((await crawls.errors(none.id)).errors).toMatchObject([
			{ code: 'SCRAPE_DNS_RESOLUTION_ERROR', error: expect.stringContaining('nowhere') as string },
		]);
	});

	test('a prompt makes options, given ones win', async () => {
		const started = await crawls.start({
			url: tidewatch,
			prompt: 'Crawl the whole site but skip /energy, at most 30 pages',
			limit: 4,
		});
		expect(started.promptGeneratedOptions).toEqual({
			crawlEntireDomain: true,
			excludePaths: ['^/energy(/.*)?$'],
			limit: 30,
		});
		expect(started.finalCrawlerOptions).toMatchObject({
			crawlEntireDomain: true,
			excludePaths: ['^/energy(/.*)?$'],
			limit: 4,
		});
		const { data } = await crawls.ended(started.id);
		expect(data).toHaveLength(4);
		expect(paths(sourcesOf(data)).filter((path) => path.startsWith('/energy'))).toEqual([]);
	});
});

describe('pace', () => {
	test('delay leaves seconds between pages, one at a time', async () => {
		service.clock.hold();
		const { id } = await crawls.start({ url: `${tidewatch}/guides`, delay: 20, maxConcurrency: 9 });
		const completed = async (): Promise<number> => (await crawls.status(id)).body.completed;
		await service.clock.advance(1000);
		expect(await completed()).toBe(1);
		await service.clock.advance(18_000);
		expect(await completed()).toBe(1);
		await service.clock.advance(2000);
		expect(await completed()).toBe(2);
		await service.clock.advance(20_000);
		expect(await completed()).toBe(3);
	});

	test('progress: completed and total grow while it runs, next is there until the end', async () => {
		service.clock.hold();
		const { id } = await crawls.start({ url: `${tidewatch}/stations`, sitemap: 'skip' });
		const first = (await crawls.status(id)).body;
		expect(first).toMatchObject({ status: 'scraping', completed: 0, total: 0, data: [] });
		await service.clock.advance(16);
		const second = (await crawls.status(id)).body;
		expect(second.completed).toBeGreaterThan(0);
		expect(second.total).toBeGreaterThan(second.completed);
		expect(second.next).toBe(`${service.url}/v2/crawl/${id}?skip=${second.data.length}`);
		await service.clock.advance(10_000);
		const last = await crawls.ended(id);
		expect([last.status, last.next]).toEqual(['completed', undefined]);
		expect(last.completed).toBe(last.total);
		expect(last.data.length).toBe(last.completed);
	});

	test('2 000 pages of 200 kB are crawled and read', async () => {
		Object.assign(service.site.bulk, { pages: 2000, bytes: 200_000 });
		const { id } = await crawls.start({ url: 'https://bulk.example', limit: 2001 });
		let { data, next } = await crawls.ended(id);
		const seen = new Set<string>();
		for (;;) {
			for (const { metadata, markdown } of data) {
				if (markdown?.length === 200_000) seen.add(metadata.url);
			}
			if (!next) break;
			({ data, next } = (await crawls.status(id, new URL(next).search)).body);
		}
		expect(seen.size).toBe(2000);
	}, 60_000);
});

describe('cancelling', () => {
	test('ends it, with what it has', async () => {
		service.clock.hold();
		const { id } = await crawls.start({ url: tidewatch, delay: 10 });
		await service.clock.advance(1000);
		const { status, text } = await crawls.cancel(id);
		expect([status, text]).toEqual([200, '{"status":"cancelled"}']);
		const after = (await crawls.status(id)).body;
		expect(after).toMatchObject({ status: 'cancelled', completed: 1, success: true });
		// For ever: only an empty page tells the end.
		expect(after.next).toBe(`${service.url}/v2/crawl/${id}?skip=1`);
		const beyond = (await crawls.status(id, '?skip=1')).body;
		expect([beyond.data, beyond.next]).toEqual([[], after.next]);
		expect((await crawls.cancel(id)).status).toBe(200);
	});
});

describe('the list of active crawls', () => {
	test.each(['active', 'ongoing'])('/crawl/%s: the team’s own, while they run', async (name) => {
		service.clock.hold();
		const { id } = await crawls.start({
			url: tidewatch,
			limit: 2,
			scrapeOptions: { formats: ['links'] },
		});
		await new JobClient(service, '/v2/batch/scrape').start({ urls: [tidewatch] });
		await new JobClient(service, '/v2/crawl', service.keys.plain).start({ url: docs });
		const { body } = await crawls.get<{ crawls: unknown[] }>(`/${name}`);
		expect(body).toEqual({
			success: true,
			crawls: [
				{
					id,
					teamId: 'team-full',
					url: `${tidewatch}/`,
					created_at: new Date(service.clock.now()).toISOString(),
					options: expect.objectContaining({
						limit: 2,
						scrapeOptions: { formats: [{ type: 'links' }] },
					}),
				},
			],
		});
		await service.clock.advance(10_000);
		await crawls.ended(id);
		expect((await crawls.get(`/${name}`)).body).toEqual({ success: true, crawls: [] });
	});
});

describe('params-preview', () => {
	const preview = (body: object) =>
		request<{ data: object }>(service, 'POST', '/v2/crawl/params-preview', body);

	test('reads a prompt; depth and delay are not what a crawl takes', async () => {
		const prompt =
			'Only blog posts and no /drafts, 3 levels deep, with subdomains, 5 seconds apart, skip the sitemap';
		const { status, body } = await preview({ url: 'http://example.com/', prompt });
		expect(status).toBe(200);
		expect(body.data).toEqual({
			url: 'http://example.com/',
			includePaths: ['^/blog(/.*)?$'],
			excludePaths: ['^/drafts(/.*)?$'],
			maxDepth: 3,
			maxDiscoveryDepth: 3,
			allowSubdomains: true,
			sitemap: 'skip',
			delay: 5000,
		});
		const { data } = body;
		expect((await crawls.post(data)).status).toBe(400);
	});

	test.each([{ url: tidewatch }, { prompt: 'all' }, { url: tidewatch, prompt: 'all', limit: 1 }])(
		'%j is 400',
		async (body) => expect((await preview(body)).status).toBe(400),
	);

	test('exists as POST alone', async () => {
		expect((await crawls.get('/params-preview')).status).toBe(400);
	});
});

test('webhooks: started, page, completed, also of a dead host and when cancelled', async () => {
	const webhook = 'http://127.0.0.1:9/hook';
	const types = (): string[] => service.context.webhooks.deliveries.map(({ type }) => type);
	await crawls.run({ url: `${tidewatch}/guides/spring-tides`, webhook });
	expect(types()).toEqual(['crawl.started', 'crawl.page', 'crawl.completed']);
	service.context.webhooks.clear();
	await crawls.run({ url: 'https://nowhere.example', webhook });
	expect(types()).toEqual(['crawl.started', 'crawl.page', 'crawl.completed']);
	service.context.webhooks.clear();
	service.clock.hold();
	const { id } = await crawls.start({ url: tidewatch, webhook: { url: webhook } });
	await crawls.cancel(id);
	expect(types()).toEqual(['crawl.started', 'crawl.completed']);
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
