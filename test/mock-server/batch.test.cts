import { JobClient, sourcesOf } from './pageJobs/jobClient.cjs';
import { request } from './request.cjs';
import { startService, type Service } from './service.cjs';

let service: Service;
let batch: JobClient;
beforeAll(async () => {
	service = await startService({ pages: { pageMs: 10 } });
	batch = new JobClient(service, '/v2/batch/scrape');
});
afterAll(() => service.close());
beforeEach(() => service.reset());

const host = 'https://tidewatch.example';
const tides = `${host}/guides/spring-tides`;
const storms = `${host}/guides/storm-surges`;
const tables = `${host}/guides/reading-a-tide-table`;
const live = `${host}/stations/live`;
const unknownId = '00000000-0000-4000-8000-000000000000';
const hour = 3_600_000;
const several = [tides, storms, tables, `${host}/`, `${host}/energy`, `${host}/stations`];

describe('starting', () => {
	test('answers id and address, and invalidURLs unless leniency was refused', async () => {
		const { id, url, invalidURLs } = await batch.start({ urls: [tides] });
		expect(url).toBe(`${service.url}/v2/batch/scrape/${id}`);
		expect(invalidURLs).toEqual([]);
		const strict = await batch.start({ urls: [tides], ignoreInvalidURLs: false });
		expect(strict).not.toHaveProperty('invalidURLs');
		const lenient = await batch.start({ urls: [tides], ignoreInvalidURLs: true });
		expect(lenient.invalidURLs).toEqual([]);
	});

	test('completes a missing scheme', async () => {
		const { data } = await batch.run({ urls: ['tidewatch.example/guides/spring-tides'] });
		expect(sourcesOf(data)).toEqual(['http://tidewatch.example/guides/spring-tides']);
	});

	test.each([
		['no urls', {}, 'urls'],
		['an empty list', { urls: [] }, 'urls'],
		['one text in place of a list', { urls: tides }, 'urls'],
		['an unknown key', { urls: [tides], url: tides }, ''],
		['scrapeOptions, which belong to crawls', { urls: [tides], scrapeOptions: {} }, ''],
		['null for absent', { urls: [tides], webhook: null }, 'webhook'],
		['maxConcurrency 0', { urls: [tides], maxConcurrency: 0 }, 'maxConcurrency'],
		['an id that is no UUID', { urls: [tides], appendToId: 'latest' }, 'appendToId'],
		['toolDetail', { urls: [tides], toolDetail: 'full' }, ''],
		[
			'an event of other jobs',
			{ urls: [tides], webhook: { url: 'https://a.example', events: ['action'] } },
			'webhook',
		],
		['a waitFor above half of the timeout', { urls: [tides], waitFor: 40_000 }, 'waitFor'],
	])('%s is 400', async (_name, body, path) => {
		const { status, body: answer } = await batch.post(body);
		expect(status).toBe(400);
		expect(answer).toMatchObject({ success: false, code: 'BAD_REQUEST' });
		expect(answer.details?.map((detail) => detail.path[0] ?? '')).toContain(path);
	});

	test.each([undefined, false])(
		'an invalid URL is 400 with ignoreInvalidURLs %s',
		async (given) => {
			const { status, body } = await batch.post({
				urls: [tides, 'ftp://tidewatch.example', 'nohost'],
				ignoreInvalidURLs: given,
			});
			expect(status).toBe(400);
			expect(body.details?.map(({ path }) => path)).toEqual([
				['urls', 1],
				['urls', 2],
			]);
		},
	);

	test('sets invalid and unsupported URLs aside only when told to', async () => {
		service.context.unsupportedHosts.add('emberroast.example');
		const urls = ['ftp://tidewatch.example/', tides, 'https://emberroast.example/'];
		const strict = await batch.post({ urls: urls.slice(1) });
		expect([strict.status, strict.body.code]).toEqual([403, 'UNSUPPORTED_SITE']);
		const { invalidURLs, data, total } = await batch.run({ urls, ignoreInvalidURLs: true });
		expect(invalidURLs).toEqual([urls[0], urls[2]]);
		expect([sourcesOf(data), total]).toEqual([[tides], 1]);
	});

	test('nothing but invalid URLs is 400', async () => {
		const { status, body } = await batch.post({ urls: ['nohost'], ignoreInvalidURLs: true });
		expect([status, body.error]).toEqual([400, 'No valid URLs provided']);
	});

	test('an empty balance is 402, a part of it too', async () => {
		const empty = new JobClient(service, '/v2/batch/scrape', service.keys.empty);
		expect((await empty.post({ urls: [tides] })).status).toBe(402);
		const low = new JobClient(service, '/v2/batch/scrape', service.keys.low);
		expect((await low.post({ urls: several })).status).toBe(402);
		expect((await low.post({ urls: several.slice(0, 5) })).status).toBe(200);
	});

	test('features and scopes are 403', async () => {
		const plain = new JobClient(service, '/v2/batch/scrape', service.keys.plain);
		expect((await plain.post({ urls: [tides], zeroDataRetention: true })).status).toBe(403);
		expect((await plain.post({ urls: [tides], threatProtection: {} })).status).toBe(403);
		const scrapeOnly = new JobClient(service, '/v2/batch/scrape', service.keys.scrapeOnly);
		expect((await scrapeOnly.post({ urls: [tides] })).status).toBe(403);
	});

	test('shares the scrape’s limit per minute, not the crawl’s', async () => {
		const free = new JobClient(service, '/v2/batch/scrape', service.keys.free);
		const { crawl = 0, scrape = 0 } = service.teams.of(service.keys.free).ratePerMinute;
		const statuses: number[] = [];
		for (let count = 0; count <= scrape; count++) {
			statuses.push((await free.post({ urls: [tides] })).status);
		}
		expect(scrape).toBeGreaterThan(crawl);
		expect(statuses).toEqual([...Array.from({ length: scrape }, () => 200), 429]);
	});
});

test.each(['c0ffee00-0000-4000-8000-00000000beef', 'no UUID'])(
	'the idempotency key %s is ignored, as the real service does: a repeat is another job',
	async (key) => {
		const header = { 'x-idempotency-key': key };
		const first = await batch.post({ urls: [tides] }, header);
		const again = await batch.post({ urls: [tides] }, header);
		expect([first.status, again.status]).toEqual([200, 200]);
		expect(again.body.id).not.toBe(first.body.id);
	},
);

describe('results', () => {
	test('are documents of the options, error pages among them, each billed', async () => {
		const gone = `${host}/no-such-page`;
		const before = service.ledger.spent('team-full');
		const { id, data, status, creditsUsed, ...rest } = await batch.run({
			urls: [tides, gone],
			formats: ['markdown', { type: 'question', question: 'Why?' }],
		});
		expect([status, creditsUsed]).toEqual(['completed', 10]);
		expect(service.ledger.spent('team-full') - before).toBe(10);
		const booked = service.ledger.entries.filter(({ jobId }) => jobId === id);
		expect(booked.map(({ credits }) => credits)).toEqual([5, 5]);
		const page = data.find(({ metadata }) => metadata.sourceURL === tides);
		expect(page?.markdown).toContain('# Why spring tides are higher');
		expect(page?.answer).toEqual(expect.any(String));
		const missing = data.find(({ metadata }) => metadata.sourceURL === gone);
		expect(missing?.metadata).toMatchObject({ statusCode: 404, error: 'Not Found' });
		expect(rest).toMatchObject({ success: true, total: 2, completed: 2 });
		expect(rest.next).toBeUndefined();
	});

	test('come in the order in which the pages were done', async () => {
		service.clock.hold();
		const { id } = await batch.start({ urls: [live, ...several] });
		await service.clock.advance(1000);
		const { body } = await batch.status(id);
		expect(body).toMatchObject({ status: 'scraping', completed: 6, total: 7 });
		await service.clock.advance(3000);
		const order = sourcesOf((await batch.ended(id)).data);
		expect(order.at(-1)).toBe(live);
		expect([...order].sort()).toEqual([live, ...several].sort());
	});

	test('one page at a time keeps the order of the request', async () => {
		const { data } = await batch.run({ urls: several, maxConcurrency: 1 });
		expect(sourcesOf(data)).toEqual(several);
	});

	test('the same URL twice is scraped twice', async () => {
		const { data, creditsUsed } = await batch.run({ urls: [tides, tides] });
		expect([sourcesOf(data), creditsUsed]).toEqual([[tides, tides], 2]);
	});

	test('a document is read by its scrape id too, unless zero data retention forbids', async () => {
		const { data, creditsUsed } = await batch.run({ urls: [tides] });
		const path = `/v2/scrape/${data[0].metadata.scrapeId?.toUpperCase()}`;
		expect((await request(service, 'GET', path)).body).toMatchObject({ data: data[0] });
		const zdr = await batch.run({ urls: [tides], zeroDataRetention: true });
		expect(zdr.creditsUsed).toBe(creditsUsed + 1);
		const kept = `/v2/scrape/${zdr.data[0].metadata.scrapeId}`;
		expect((await request(service, 'GET', kept)).status).toBe(400);
	});

	test('pages that cannot be scraped are errors, unpaid, and not documents', async () => {
		const nowhere = 'https://nowhere.example/';
		const { id, status, total, completed, creditsUsed } = await batch.run({
			urls: [tides, nowhere, live],
			timeout: 2000,
		});
		expect({ status, total, completed, creditsUsed }).toEqual({
			status: 'completed',
			total: 1,
			completed: 1,
			creditsUsed: 1,
		});
		const answer = await batch.get(`/${id}/errors`);
		expect(answer.body).not.toHaveProperty('success');
		const { errors, robotsBlocked } = await batch.errors(id);
		expect(robotsBlocked).toEqual([]);
		expect(errors.map(({ url, code }) => [url, code])).toEqual([
			[nowhere, 'SCRAPE_DNS_RESOLUTION_ERROR'],
			[live, 'SCRAPE_TIMEOUT'],
		]);
		expect(errors.every(({ id: each, timestamp }) => each && Date.parse(timestamp) > 0)).toBe(true);
	});

	test('a blocked page costs its scan', async () => {
		const { id, creditsUsed } = await batch.run({
			urls: ['https://phishing.example/'],
			threatProtection: { mode: 'normal' },
		});
		expect(creditsUsed).toBe(2);
		expect((await batch.errors(id)).errors).toMatchObject([{ code: 'unsafe_domain_blocked' }]);
	});

	test('a large document is waited for, whatever the timeout', async () => {
		service.clock.hold();
		const { id } = await batch.start({
			urls: ['https://portoffice.example/internal/perpetua-logbook.pdf'],
		});
		await service.clock.advance(100);
		// The file is there: its timeout and its processing are under way.
		await service.clock.untilWaiting(2);
		await service.clock.advance(80_000);
		expect((await batch.status(id)).body).toMatchObject({ status: 'scraping', completed: 0 });
		await service.clock.advance(10_000);
		expect(await batch.ended(id)).toMatchObject({ status: 'completed', creditsUsed: 12 });
	});
});

describe('adding to a batch', () => {
	test('goes on with a running one, with options of its own', async () => {
		service.clock.hold();
		const { id } = await batch.start({ urls: [tides] });
		const added = await batch.start({ urls: [storms], appendToId: id, formats: ['links'] });
		expect([added.id, added.url]).toEqual([id, `${service.url}/v2/batch/scrape/${id}`]);
		await service.clock.advance(1000);
		const { data, total } = await batch.ended(id);
		expect(total).toBe(2);
		const second = data.find(({ metadata }) => metadata.sourceURL === storms);
		expect([second?.links?.length, second?.markdown]).toEqual([expect.any(Number), undefined]);
	});

	test('opens a completed one again', async () => {
		const { id } = await batch.run({ urls: [tides] });
		await batch.start({ urls: [storms], appendToId: id });
		const { status, data } = await batch.ended(id);
		expect([status, sourcesOf(data)]).toEqual(['completed', [tides, storms]]);
	});

	test('an unknown one is 404, another team’s 403, a crawl 404', async () => {
		const body = (appendToId: string): object => ({ urls: [tides], appendToId });
		expect((await batch.post(body(unknownId))).status).toBe(404);
		service.clock.hold();
		const { id } = await batch.start({ urls: [live] });
		const others = new JobClient(service, '/v2/batch/scrape', service.keys.plain);
		expect((await others.post(body(id))).status).toBe(403);
		const crawl = await new JobClient(service, '/v2/crawl').start({ url: host, limit: 1 });
		expect((await batch.post(body(crawl.id))).status).toBe(404);
	});
});

test('URLs added to a cancelled batch are taken and never scraped, as the real service does', async () => {
	service.clock.hold();
	const { id } = await batch.start({ urls: [live] });
	await batch.cancel(id);
	expect((await batch.post({ urls: [tides], appendToId: id })).status).toBe(200);
	await service.clock.advance(10_000);
	const { status, total, data } = (await batch.status(id)).body;
	expect({ status, total, data }).toEqual({ status: 'cancelled', total: 2, data: [] });
});

describe('paging', () => {
	test('skip and limit cut, next names the rest', async () => {
		const { id } = await batch.run({ urls: several, maxConcurrency: 1 });
		const first = (await batch.status(id, '?limit=4')).body;
		expect(sourcesOf(first.data)).toEqual(several.slice(0, 4));
		expect(first.next).toBe(`${service.url}/v2/batch/scrape/${id}?skip=4&limit=4`);
		const second = (await batch.status(id, new URL(first.next ?? '').search)).body;
		expect(sourcesOf(second.data)).toEqual(several.slice(4));
		expect(second.next).toBeUndefined();
		const beyond = (await batch.status(id, '?skip=99')).body;
		expect([beyond.data, beyond.next]).toEqual([[], undefined]);
	});

	test('while it runs next may name an empty page', async () => {
		service.clock.hold();
		const { id } = await batch.start({ urls: [tides] });
		const { next, data } = (await batch.status(id)).body;
		expect([data, next]).toEqual([[], `${service.url}/v2/batch/scrape/${id}?skip=0`]);
	});

	test('answers are cut at about 10 MB', async () => {
		service.site.bulk.pages = 9;
		service.site.bulk.bytes = 3_000_000;
		const urls = Array.from(
			{ length: 9 },
			(_, page) => `https://bulk.example/pages/${page + 1}.md`,
		);
		const { id, data, next } = await batch.run({ urls, maxConcurrency: 1 });
		expect([data.length, next]).toEqual([3, expect.stringContaining('?skip=3')]);
		const rest = (await batch.status(id, '?skip=6')).body;
		expect(sourcesOf(rest.data)).toEqual(urls.slice(6));
		expect(rest.data[2].markdown?.length).toBe(3_000_000);
	});

	test('next names another host where the service is told so', async () => {
		service.context.options.nextHost = 'elsewhere.example:8080';
		const { id, url } = await batch.run({ urls: several });
		expect(new URL(url).host).toBe(new URL(service.url).host);
		const { next } = (await batch.status(id, '?limit=1')).body;
		expect(next).toBe(`http://elsewhere.example:8080/v2/batch/scrape/${id}?skip=1&limit=1`);
	});

	test.each(['skip=-1', 'skip=x', 'limit=-1', 'limit=x', 'skip=1&skip=2'])(
		'%s is an unknown error, as in the real service',
		async (query) => {
			const { id } = await batch.run({ urls: [tides] });
			const { status, body } = await batch.status(id, `?${query}`);
			expect([status, body.code]).toEqual([500, 'UNKNOWN_ERROR']);
		},
	);

	test.each([
		['limit=0', 0, '?skip=0&limit=0'],
		['limit=2.7', 2, '?skip=2&limit=2'],
	])('%s gives %d documents', async (query, count, next) => {
		const { id } = await batch.run({ urls: several });
		const { status, body } = await batch.status(id, `?${query}`);
		expect([status, body.data.length]).toEqual([200, count]);
		expect(new URL(body.next ?? '').search).toBe(next);
	});
});

describe('ids', () => {
	test.each(['', '/errors'])('GET …%s: no UUID 400, unknown 404, foreign 403', async (path) => {
		const others = new JobClient(service, '/v2/batch/scrape', service.keys.plain);
		const { id } = await batch.run({ urls: [tides] });
		expect((await batch.get(`/latest${path}`)).body.error).toBe(
			'Invalid job ID format. Job ID must be a valid UUID.',
		);
		const unknown = await batch.get(`/${unknownId}${path}`);
		expect([unknown.status, unknown.body]).toEqual([
			404,
			{ success: false, error: 'Job not found' },
		]);
		expect((await others.get(`/${id}${path}`)).status).toBe(403);
		// The service looks for both kinds under both paths.
		expect((await new JobClient(service, '/v2/crawl').get(`/${id}${path}`)).status).toBe(200);
	});

	test('results are kept for 24 hours after the end', async () => {
		service.clock.hold();
		const { id } = await batch.start({ urls: [live] });
		await service.clock.advance(4000);
		const { expiresAt, completedAt = '', duration } = await batch.ended(id);
		expect(Date.parse(expiresAt) - Date.parse(completedAt)).toBe(24 * hour);
		expect(duration).toBeGreaterThanOrEqual(3);
		await service.clock.advance(Date.parse(expiresAt) - service.clock.now() - 1);
		expect((await batch.status(id)).status).toBe(200);
		await service.clock.advance(1);
		const late = await batch.status(id);
		expect([late.status, late.body.error]).toEqual([404, 'Job expired']);
	});
});

describe('cancelling', () => {
	test('keeps what is done and neither keeps nor bills what is under way', async () => {
		service.clock.hold();
		const { id } = await batch.start({ urls: [tides, live] });
		await service.clock.advance(1000);
		const cancelled = await batch.cancel(id);
		expect([cancelled.status, cancelled.text]).toEqual([200, '{"status":"cancelled"}']);
		await service.clock.advance(10_000);
		const { status, data, creditsUsed, next } = (await batch.status(id)).body;
		expect({ status, sources: sourcesOf(data), creditsUsed, next }).toEqual({
			status: 'cancelled',
			sources: [tides],
			creditsUsed: 1,
			next: `${service.url}/v2/batch/scrape/${id}?skip=1`,
		});
		expect(service.ledger.entries.filter(({ jobId }) => jobId === id)).toHaveLength(1);
	});

	test('of a job that ended is 409, of an unknown one 404, both without success', async () => {
		const { id } = await batch.run({ urls: [tides] });
		const late = await batch.cancel(id);
		expect([late.status, Object.keys(late.body)]).toEqual([409, ['error']]);
		const unknown = await batch.cancel(unknownId);
		expect([unknown.status, Object.keys(unknown.body)]).toEqual([404, ['error']]);
	});

	test('frees the team’s slots', async () => {
		const team = service.teams.of(service.keys.full);
		team.concurrency = 1;
		service.clock.hold();
		const { id } = await batch.start({ urls: [live, live, live] });
		expect(service.context.limits.usage(team)).toEqual({ active: 1, waiting: 2 });
		await batch.cancel(id);
		await service.clock.untilWaiting(0);
		expect(service.context.limits.usage(team)).toEqual({ active: 0, waiting: 0 });
	});
});

test('a job may be unknown for a moment after its start, and have a status of its own', async () => {
	service.context.pageJobs.paces.set({
		unknownMs: 1000,
		runningStatus: 'initializing',
		pageMs: 2000,
	});
	service.clock.hold();
	const { id } = await batch.start({ urls: [tides] });
	expect((await batch.status(id)).status).toBe(404);
	await service.clock.advance(1000);
	expect((await batch.status(id)).body.status).toBe('initializing');
	await service.clock.advance(3000);
	expect((await batch.status(id)).body.status).toBe('completed');
});

test('100 documents are on a page that no limit was asked for', async () => {
	const { id } = await batch.run({ urls: Array.from({ length: 120 }, () => tides) });
	const { data, next } = (await batch.status(id)).body;
	expect([data.length, next]).toEqual([100, `${service.url}/v2/batch/scrape/${id}?skip=100`]);
	expect((await batch.status(id, '?skip=100')).body).not.toHaveProperty('next');
});

describe('pace', () => {
	test('the team’s slots bound all its jobs together', async () => {
		service.teams.of(service.keys.full).concurrency = 2;
		service.clock.hold();
		await batch.start({ urls: several });
		await batch.start({ urls: several });
		const usage = service.context.limits.usage(service.teams.of(service.keys.full));
		expect(usage).toEqual({ active: 2, waiting: 10 });
	});

	test('a job can be made to fail after some pages', async () => {
		const next = { failure: { afterPages: 2, error: 'The worker died.' } };
		expect((await request(service, 'POST', '/_control/pages/next', next)).status).toBe(200);
		const failed = await batch.run({ urls: several, maxConcurrency: 1 });
		expect(failed).toMatchObject({ success: false, status: 'failed', error: 'The worker died.' });
		expect([failed.completed, sourcesOf(failed.data)]).toEqual([2, several.slice(0, 2)]);
		expect((await batch.run({ urls: [tides] })).status).toBe('completed');
	});
});

test('webhooks: started, a page each, completed; failed ones say so', async () => {
	const url = 'http://127.0.0.1:9/hook';
	const nowhere = 'https://nowhere.example/';
	const { id } = await batch.run({
		urls: [tides, nowhere],
		maxConcurrency: 1,
		webhook: { url, metadata: { order: '7' } },
	});
	const events = service.context.webhooks.deliveries.map(
		({ body }) => JSON.parse(body) as Record<string, unknown>,
	);
	expect(events).toMatchObject([
		{ type: 'batch_scrape.started', id, success: true, data: [], metadata: { order: '7' } },
		{ type: 'batch_scrape.page', success: true, data: [{ metadata: { sourceURL: tides } }] },
		{ type: 'batch_scrape.page', success: false, error: expect.stringContaining('DNS') },
		{ type: 'batch_scrape.completed', id, success: true, data: [] },
	]);
});

test('the control path does for other processes what tests do with the service', async () => {
	const control = async (name: string, body: object): Promise<void> => {
		const { status, text } = await request(service, 'POST', `/_control/${name}`, body);
		if (status !== 200) throw new Error(text);
	};
	await control('site/bulk', { pages: 2, bytes: 500 });
	await control('settings', { nextHost: 'elsewhere.example' });
	await control('pages/pace', { pageMs: 0 });
	const urls = ['https://bulk.example/pages/1.md', 'https://bulk.example/pages/2.md'];
	const { id, data } = await batch.run({ urls });
	expect(data.map(({ markdown }) => markdown?.length)).toEqual([500, 500]);
	const { next = '' } = (await batch.status(id, '?limit=1')).body;
	expect(new URL(next).host).toBe('elsewhere.example');
	await control('settings', { nextHost: null });
	const own = (await batch.status(id, '?limit=1')).body.next ?? '';
	expect(new URL(own).host).toBe(new URL(service.url).host);
});
