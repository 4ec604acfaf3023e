import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { projectRoot } from '../root.cjs';
import { type Age, ages } from './servers.cjs';
import { type Service, startService } from './service.cjs';
import { keys } from './teams.cjs';
import { request } from './testClient.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const page = 'https://tidewatch.example/guides/spring-tides';
const monitor = {
	name: 'Tides',
	schedule: { text: 'hourly' },
	targets: [{ type: 'scrape', urls: [page] }],
};

/** A service of a profile while a test runs. */
async function on<Result>(
	age: Age,
	selfHosted: boolean,
	work: (service: Service) => Promise<Result>,
): Promise<Result> {
	const service = await startService({ server: { age, selfHosted } });
	return await work(service).finally(async () => await service.close());
}

const ask = async (service: Service, endpoint: string, body?: object) => {
	const [method, path] = endpoint.split(' ');
	return await request<Record<string, unknown>>(service, method, `/v2${path}`, body, keys.full);
};

describe('a server of its time', () => {
	const newer: Array<[endpoint: string, since: Age, body?: object]> = [
		['GET /team/queue-status', '2026-04'],
		[`GET /batch/scrape/${id}/errors`, '2026-04'],
		[`GET /agent/${id}`, '2026-04'],
		['POST /agent', '2026-04', { prompt: 'tides' }],
		['GET /monitor', '2026-08'],
		['POST /interact', '2026-08', {}],
		['POST /feedback', '2026-08', {}],
		[`GET /agent/${id}/trace`, '2026-08'],
		['GET /agent', 'newest'],
		['POST /search/gov', 'newest', { query: 'tide' }],
		['GET /parse/formats', 'newest'],
	];

	it.each(ages)(
		'of %s lacks what came later, with a page in the place of an answer',
		async (age) => {
			const lacked = await on(age, false, async (service) => {
				const answers = [];
				for (const [endpoint, , body] of newer) {
					const { status, text } = await ask(service, endpoint, body);
					answers.push(status === 404 && text.includes(`Cannot ${endpoint.replace(' ', ' /v2')}`));
				}
				return answers;
			});
			const isLater = (since: Age) => ages.indexOf(since) > ages.indexOf(age);
			expect(lacked).toEqual(newer.map(([, since]) => isLater(since)));
		},
	);

	it.each([
		['2025-08', 'POST /search', { query: 'a', objective: 'b' }, [], 'objective', /^Bad Request$/],
		[
			'2026-08',
			'POST /scrape',
			{ url: page, checkPromptInjection: true },
			[],
			'checkPromptInjection',
			/^Unrecognized key in body/,
		],
		[
			'2026-08',
			'POST /crawl',
			{ url: page, scrapeOptions: { checkPromptInjection: true } },
			['scrapeOptions'],
			'checkPromptInjection',
			/^Unrecognized key in body/,
		],
		['2026-04', 'POST /agent', { prompt: 'a', effort: 'low' }, [], 'effort', /^Unrecognized key/],
	] as const)(
		'of %s refuses members that came later: %s',
		async (age, endpoint, body, path, key, error) => {
			const { status, body: answer } = await on(
				age,
				false,
				async (service) => await ask(service, endpoint, body),
			);
			expect(status).toBe(400);
			expect(answer).toMatchObject({
				success: false,
				error: expect.stringMatching(error),
				details: [{ code: 'unrecognized_keys', keys: [key], path }],
			});
		},
	);

	it('of today knows those members', async () => {
		const body = { url: page, checkPromptInjection: true, formats: ['markdown'] };
		const { status } = await on(
			'newest',
			false,
			async (service) => await ask(service, 'POST /scrape', body),
		);
		expect(status).toBe(200);
	});
});

describe('a server on one’s own machine', () => {
	it.each<[Age, string, object | undefined, number]>([
		['2025-08', 'GET /team/credit-usage', undefined, 200],
		['2026-04', 'GET /team/credit-usage', undefined, 500],
		['2025-08', 'GET /concurrency-check', undefined, 500],
		['2026-04', 'GET /concurrency-check', undefined, 401],
		['2026-08', 'GET /concurrency-check', undefined, 200],
		['2026-08', 'GET /team/queue-status', undefined, 200],
		['2026-08', 'GET /team/activity', undefined, 500],
		['2026-08', 'POST /agent', { prompt: 'tides' }, 500],
		['2026-08', 'POST /agent', {}, 400],
		['2026-08', 'POST /monitor', monitor, 500],
		['2026-08', 'POST /interact', {}, 503],
		['2026-08', `POST /scrape/${id}/interact`, { prompt: 'x' }, 501],
		[
			'2026-08',
			'POST /feedback',
			{ jobId: id, endpoint: 'scrape', rating: 'good', note: 'a' },
			503,
		],
		['newest', 'GET /agent', undefined, 501],
		['newest', 'GET /search/research/papers?query=tide', undefined, 404],
		['newest', 'POST /search/gov', { query: 'tide' }, 404],
		['2025-08', 'POST /scrape', { url: page }, 200],
	])('of %s: %s %j is %i', async (age, endpoint, body, expected) => {
		const { status } = await on(age, true, async (service) => await ask(service, endpoint, body));
		expect(status).toBe(expected);
	});

	it.each<[Age, string]>([
		['2025-08', 'https:'],
		['2026-08', 'http:'],
	])('of %s knows no credits, and links jobs under %s', async (age, scheme) => {
		const answer = await on(age, true, async (service) => {
			const { body } = await ask(service, 'POST /batch/scrape', { urls: [page, `${page}?a=1`] });
			return await ask(service, `GET /batch/scrape/${String(body.id)}?limit=1`);
		});
		expect(answer.body.creditsUsed).toBe(-1);
		expect(new URL(String(answer.body.next)).protocol).toBe(scheme);
	});
});

describe('the issues of a refusal', () => {
	const words = 'Unrecognized key in body -- please review the v2 API documentation';

	it.each<[Age, error: string, issue: object]>([
		['2025-08', 'Bad Request', { code: 'invalid_type', received: 'number' }],
		['2026-04', words, { message: 'Invalid input: expected boolean, received number' }],
		['2026-08', words, { message: 'Invalid input: expected boolean, received number' }],
	])('have the shape of the time: %s', async (age, error, issue) => {
		const { body } = await on(age, false, async (service) =>
			ask(service, 'POST /scrape', { url: page, mobile: 1, bogus: 1 }),
		);
		expect(body.error).toMatch(error);
		expect(body.details).toMatchObject([
			{ path: ['mobile'], expected: 'boolean', ...issue },
			{ code: 'unrecognized_keys', keys: ['bogus'], path: [] },
		]);
	});

	it('of a union have the branches of the time', async () => {
		const body = { url: page, parsers: ['docx'] };
		const inside = (age: Age) =>
			on(age, false, async (service) => (await ask(service, 'POST /scrape', body)).body.details);
		expect(await inside('2025-08')).toMatchObject([
			{
				unionErrors: [{ issues: [{ code: 'invalid_literal', path: ['parsers', 0] }] }, {}, {}, {}],
			},
		]);
		expect(await inside('2026-08')).toMatchObject([
			{ errors: [[{ code: 'invalid_value', path: [] }], {}, {}, {}] },
		]);
	});
});

describe('the command', () => {
	const run = async (...words: string[]) => {
		const script = join(projectRoot, '.build/test/mock-server/main.cjs');
		const child = spawn(process.execPath, [script, ...words]);
		let output = '';
		child.stdout.on('data', (data: Buffer) => (output += data.toString()));
		child.stderr.on('data', (data: Buffer) => (output += data.toString()));
		const [code] = (await once(child, 'close')) as [number | null];
		return { code, output };
	};

	it('knows no other server', async () => {
		const { code, output } = await run('0', '--server', '1999-01');
		expect(code).toBe(1);
		expect(output).toMatch(/no server '1999-01', only 2025-08/);
	});
});
