import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { JobClient, sourcesOf } from './testClient.cjs';

let service: Service;
let batch: JobClient;
useService(
	(started) => {
		service = started;
		batch = new JobClient(service, '/v2/batch/scrape');
	},
	{ pages: { pageMs: 10 } },
);

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

	test.each([
		['no urls', {}, 'urls'],
		['an empty list', { urls: [] }, 'urls'],
		['one text in place of a list', { urls: tides }, 'urls'],
		['an unknown key', { urls: [tides], url: tides }, ''],
		['scrapeOptions, which belong to crawls', { urls: [tides], scrapeOptions: {} }, ''],
		['null for absent', { urls: [tides], webhook: null }, 'webhook'],
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
				['urls', 1],
				['urls', 2],
			]);
		},
	);

	test('sets invalid URLs aside when told to', async () => {
		const urls = ['ftp://tidewatch.example/', tides];
		const { invalidURLs, data, total } = await batch.run({ urls, ignoreInvalidURLs: true });
		expect(invalidURLs).toEqual([urls[0]]);
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
});

describe('adding to a batch', () => {
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

	test.each(['skip=-1', 'skip=x', 'limit=-1', 'limit=x', 'skip=1&skip=2'])(
		'%s is an unknown error of the server of 2026-08',
		async (query) => {
			service.context.options.server = { age: '2026-08', selfHosted: false };
			const { id } = await batch.run({ urls: [tides] });
			const { status, body } = await batch.status(id, `?${query}`);
			expect([status, body.code]).toEqual([500, 'UNKNOWN_ERROR']);
		},
	);

	test.each([
		['limit=0', 0, '?skip=0&limit=0'],
		['limit=2.7', 2, '?skip=2&limit=2'],
	])('%s gives %d documents on the server of 2026-08', async (query, count, next) => {
		service.context.options.server = { age: '2026-08', selfHosted: false };
		const { id } = await batch.run({ urls: several });
		const { status, body } = await batch.status(id, `?${query}`);
		expect([status, body.data.length]).toEqual([200, count]);
		expect(new URL(body.next ?? '').search).toBe(next);
	});

	test.each([
		['limit=0', 'limit must be an integer between 1 and 1000'],
		['limit=1001', 'limit must be an integer between 1 and 1000'],
		['limit=2.7', 'limit must be an integer between 1 and 1000'],
		['limit=1&limit=2', 'limit must be an integer between 1 and 1000'],
		['skip=-1', 'skip must be a non-negative integer'],
		['skip=1&skip=2', 'skip must be a non-negative integer'],
	])('%s is 400 on the newest server', async (query, fault) => {
		const { id } = await batch.run({ urls: [tides] });
		const { status, body } = await batch.status(id, `?${query}`);
		expect([status, body.error]).toEqual([400, `Invalid pagination: ${fault}`]);
	});

	test('of 1000 is the largest page', async () => {
		const { id } = await batch.run({ urls: [tides] });
		expect((await batch.status(id, '?limit=1000')).status).toBe(200);
	});
});

describe('ids', () => {
	test.each([
		['', 'Invalid job ID format. Job ID must be a valid UUID.'],
		['/errors', 'Job not found'],
	])('GET …%s: no UUID “%s”, unknown 404, foreign 403', async (path, noUuid) => {
		const others = new JobClient(service, '/v2/batch/scrape', service.keys.plain);
		const { id } = await batch.run({ urls: [tides] });
		expect((await batch.get(`/latest${path}`)).body.error).toBe(noUuid);
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
	test.each([
		['newest', undefined],
		['2026-08', '?skip=1'],
	] as const)('on the server %s keeps what is done, and bills no more', async (age, following) => {
		service.context.options.server = { age, selfHosted: false };
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
			next: following && `${service.url}/v2/batch/scrape/${id}${following}`,
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
});
