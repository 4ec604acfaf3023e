import type { FaultInput } from '../../service/faults.cjs';
import { startService, type Service } from '../../service/service.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { useWorkbench } from '../workbench.cjs';

/** Repeats on driven time: what is sent again, when, how often, and what it costs. */
describe('retries', () => {
	const bench = useWorkbench();
	const time = useDrivenTime(() => bench.service);
	const parameters = { query: 'tide', limit: 1 };

	/** When each search request arrived, in milliseconds after the first. */
	const arrivals = (): number[] => {
		const times = bench.service.log.of('POST', '/v2/search').map(({ at }) => at);
		return times.map((at) => at - times[0]);
	};
	const gaps = (): number[] =>
		arrivals()
			.slice(1)
			.map((at, index) => at - arrivals()[index]);
	const charges = () => bench.service.ledger.entries.length;

	describe.each([408, 429, 500, 502, 503, 504])('after status %i', (status) => {
		it.each([1, 4])('go on until the answer comes, %i times', async (count) => {
			bench.service.faults.add({ kind: 'status', status, count });

			const run = await time.drive(bench.search(parameters));

			expect(run.status).toBe('success');
			expect(run.output()).toHaveLength(1);
			expect(bench.sent).toHaveLength(count + 1);
			expect(charges()).toBe(1);
		});

		it("end after five tries, with the service's words and advice", async () => {
			bench.service.faults.add({ kind: 'status', status, count: 9, error: 'The tide is out' });

			const run = await time.drive(bench.search(parameters));

			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(new RegExp(`The tide is out.*${status}.*\\[item 0\\]`));
			expect(run.error?.description).toMatch(/Tried 5 times/);
			expect(run.error).toMatchObject({ httpCode: String(status) });
			expect(bench.sent).toHaveLength(5);
			expect(charges()).toBe(0);
		});

		it('wait longer each time when the service names no wait', async () => {
			bench.service.faults.add({ kind: 'status', status, count: 6 });

			await time.drive(bench.search({ ...parameters, retries: { maxTries: 7 } }));

			const longest = [2, 4, 8, 16, 30, 30];
			expect(gaps()).toHaveLength(longest.length);
			gaps().forEach((gap, index) => {
				expect(gap).toBeGreaterThanOrEqual(longest[index] * 1000);
				expect(gap).toBeLessThanOrEqual(longest[index] * 1000 + 1000);
			});
		});

		it.each<[string, Partial<Extract<FaultInput, { kind: 'status' }>>]>([
			['the header', { retryAfter: 77 }],
			['the body', { retryAfterSeconds: 77 }],
			['the text', { textHint: 77 }],
			[
				'the details',
				{ body: { success: false, error: 'Wait', details: { retryAfterSeconds: 77 } } },
			],
			['several places, the longest', { retryAfter: 5, retryAfterSeconds: 77, textHint: 8 }],
		])('wait as long as the service names in %s', async (_place, hint) => {
			bench.service.faults.add({ kind: 'status', status, ...hint });

			await time.drive(bench.search(parameters));

			expect(gaps()).toEqual([77_000]);
		});

		it('wait until the date that the service names', async () => {
			const date = new Date(Date.now() + 90_000).toUTCString();
			bench.service.faults.add({ kind: 'status', status, retryAfter: date });

			await time.drive(bench.search(parameters));

			const [, second] = bench.service.log.entries;
			expect(second.at).toBe(Date.parse(date));
		});
	});

	it.each([400, 401, 402, 403, 404, 409, 413, 422])('do not follow status %i', async (status) => {
		bench.service.faults.add({ kind: 'status', status, retryAfter: 1 });

		// Not driven: a pause would never end.
		const run = await bench.search(parameters);

		expect(run.error).toMatchObject({ httpCode: String(status) });
		expect(bench.sent).toHaveLength(1);
	});

	it('go through a mixture of failures', async () => {
		bench.service.faults.add(
			{ kind: 'status', status: 503 },
			{ kind: 'html', status: 502 },
			{ kind: 'empty', status: 504 },
			{ kind: 'status', status: 429, retryAfter: 3 },
		);

		const run = await time.drive(bench.search(parameters));

		expect(run.status).toBe('success');
		expect(bench.sent).toHaveLength(5);
		expect(charges()).toBe(1);
	});

	it.each<FaultInput>([
		{ kind: 'html', status: 502, count: 5 },
		{ kind: 'empty', status: 502, count: 5 },
	])('end with readable words after %j', async (fault) => {
		bench.service.faults.add(fault);

		const run = await time.drive(bench.search(parameters));

		expect(run.error?.message).toMatch(/502/);
		expect(run.error?.message).not.toMatch(/<[a-z/]/i);
		expect(run.error?.description).toMatch(/Tried 5 times/);
	});

	it('are as many as the user allows', async () => {
		bench.service.faults.add({ kind: 'status', status: 500, count: 9 });

		const run = await time.drive(bench.search({ ...parameters, retries: { maxTries: 2 } }));

		expect(run.status).toBe('error');
		expect(bench.sent).toHaveLength(2);
	});

	it('are none when the user allows one try', async () => {
		bench.service.faults.add({ kind: 'status', status: 500 });

		const run = await bench.search({ ...parameters, retries: { maxTries: 1 } });

		expect(run.error).toMatchObject({ httpCode: '500' });
		expect(bench.sent).toHaveLength(1);
	});

	it('wait no longer than the user allows when the service names no wait', async () => {
		bench.service.faults.add({ kind: 'status', status: 500, count: 4 });

		await time.drive(bench.search({ ...parameters, retries: { maxBackOff: 3 } }));

		for (const gap of gaps()) expect(gap).toBeLessThanOrEqual(4000);
		expect(gaps()).toHaveLength(4);
	});

	it.each([429, 503])(
		'end at once when the service names a wait beyond the time allowed (%i)',
		async (status) => {
			bench.service.faults.add({ kind: 'status', status, retryAfter: 7200 });

			const run = await bench.search(parameters);

			expect(run.error).toMatchObject({ httpCode: String(status) });
			expect(run.error?.description).toMatch(/7200 s.*Max Retry Time/);
			expect(bench.sent).toHaveLength(1);
		},
	);

	it('end when the time that the user allows is over', async () => {
		bench.service.faults.add({ kind: 'status', status: 503, count: 9, retryAfter: 40 });

		const run = await time.drive(bench.search({ ...parameters, retries: { maxRetryTime: 100 } }));

		expect(arrivals()).toEqual([0, 40_000, 80_000]);
		expect(run.error?.description).toMatch(/Tried 3 times in 80 s.*Max Retry Time/);
	});

	it('use the longer time that the user allows', async () => {
		bench.service.faults.add({ kind: 'status', status: 429, retryAfter: 7200 });

		const run = await time.drive(bench.search({ ...parameters, retries: { maxRetryTime: 8000 } }));

		expect(run.status).toBe('success');
		expect(arrivals()).toEqual([0, 7_200_000]);
	});

	it('do not follow an answer that was lost or cut, for it is charged', async () => {
		for (const fault of [{ kind: 'reset', stage: 'after' }, { kind: 'truncate' }] as const) {
			bench.service.faults.add(fault);
			expect((await bench.search(parameters)).status).toBe('error');
		}

		expect(bench.sent).toHaveLength(2);
		expect(charges()).toBe(2);
	});

	describe('after an error that may have lost a charged answer', () => {
		const lose = (count: number): FaultInput => ({
			kind: 'html',
			status: 502,
			stage: 'after',
			count,
		});
		const words = 'sent again after a gateway error';

		it('go on, and a notice counts them', async () => {
			bench.service.faults.add(lose(2), { kind: 'status', status: 503 });

			const run = await time.drive(bench.search(parameters));

			expect(run.status).toBe('success');
			expect(charges()).toBe(3);
			expect(run.hints().map(({ message }) => message)).toEqual([
				expect.stringContaining(`2 requests were ${words}`),
			]);
		});

		it('count those of all items together', async () => {
			bench.service.faults.add({ kind: 'status', status: 504, count: 3 });

			const run = await time.drive(bench.search(parameters, { input: [{}, {}, {}] }));

			expect(run.hints().map(({ message }) => message)).toEqual([
				expect.stringContaining(`3 requests were ${words}`),
			]);
		});

		it.each([408, 429, 500, 503])(
			'is no matter of %i, which the service tells itself',
			async (status) => {
				bench.service.faults.add({ kind: 'status', status, retryAfter: 1 });

				const run = await time.drive(bench.search(parameters));

				expect(run.hints()).toEqual([]);
			},
		);

		it('do not follow when the user turned that off', async () => {
			bench.service.faults.add(lose(1));

			const run = await time.drive(
				bench.search({ ...parameters, retries: { repeatUncertainAnswers: false } }),
			);

			expect(run.status).toBe('error');
			expect(bench.sent).toHaveLength(1);
			expect(charges()).toBe(1);
			expect(run.error?.description).toMatch(/may have been answered and charged.*not sent again/);
		});

		it('say in the end how many may have been charged', async () => {
			bench.service.faults.add(lose(2), { kind: 'status', status: 401 });

			const run = await time.drive(bench.search(parameters));

			expect(run.error?.description).toMatch(/2 of the tries may have been answered and charged/);
		});
	});

	describe('of refusals', () => {
		const refuse = (status: number, code: string, rest: object = {}): FaultInput => ({
			kind: 'status',
			status,
			count: 9,
			body: { success: false, code, error: 'In words.', ...rest },
		});
		const scrape = async () => await bench.operate('page', 'scrape', { url: 'https://a.example' });
		const asked = () => bench.service.log.of('POST', '/v2/scrape');

		it.each([
			refuse(500, 'SCRAPE_BRANDING_NOT_SUPPORTED'),
			refuse(500, 'SCRAPE_SSL_ERROR'),
			refuse(503, 'DB_DISABLED'),
			refuse(429, 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED'),
			refuse(500, 'SCRAPE_SITE_ERROR', { details: { retryable: false } }),
			refuse(429, '', { reason: 'requests', retry_after_seconds: 5 }),
		])('that cannot change are none: %j', async (fault) => {
			bench.service.faults.add(fault);

			// Not driven: a pause would never end.
			const run = await scrape();

			expect(run.status).toBe('error');
			expect(asked()).toHaveLength(1);
		});

		it.each([
			refuse(408, 'SCRAPE_TIMEOUT'),
			refuse(500, 'SCRAPE_ALL_ENGINES_FAILED'),
			refuse(500, 'SCRAPE_RETRY_LIMIT'),
			refuse(500, 'SCRAPE_SITE_ERROR'),
		])('that seldom change are one, later: %j', async (fault) => {
			bench.service.faults.add(fault);

			const run = await time.drive(scrape());

			expect(run.status).toBe('error');
			expect(asked()).toHaveLength(2);
			const [first, second] = asked();
			expect(second.at - first.at).toBeGreaterThanOrEqual(30_000);
		});

		it('say what a longer time would do for a page that was too slow', async () => {
			bench.service.faults.add(refuse(408, 'SCRAPE_TIMEOUT'));

			const run = await time.drive(scrape());

			expect(run.error?.description).toMatch(/Raise 'Timeout': a longer one.*more time/);
		});

		it('go on where a proxy of the service failed', async () => {
			const details = { retryable: true, origin: 'provider_proxy' };
			bench.service.faults.add({ ...refuse(500, 'SCRAPE_SITE_ERROR', { details }), count: 3 });

			const run = await time.drive(
				bench.operate('page', 'scrape', { url: 'https://tidewatch.example' }),
			);

			expect(run.status).toBe('success');
			expect(asked()).toHaveLength(4);
		});

		it('that concern one request pause no other', async () => {
			const fault = refuse(429, 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED', { retry_after_seconds: 60 });
			bench.service.faults.add({ ...fault, count: 1 });
			const account = bench.account();
			await bench.search(parameters, { account });

			// Not driven: a pause would never end.
			const run = await bench.search(parameters, { account });

			expect(run.status).toBe('success');
		});
	});

	describe('when nothing answers', () => {
		let late: Service | undefined;

		afterEach(async () => {
			await late?.close();
			late = undefined;
		});

		const freePort = async (): Promise<number> => {
			const { port, close } = await startService();
			await close();
			return port;
		};

		it('follow, for nothing has arrived', async () => {
			const port = await freePort();
			const webDataApi = { baseUrl: `http://127.0.0.1:${port}`, apiKey: '' };
			const search = bench.search(parameters, { account: { credentials: { webDataApi } } });
			await time.untilPaused();
			late = await startService({ port, authentication: false });

			const run = await time.drive(search);

			expect(run.status).toBe('success');
			expect(late.ledger.entries).toHaveLength(1);
		});

		it('end after five tries, and say where nobody answers', async () => {
			const webDataApi = { baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'fc-key' };
			const shown: unknown[] = [];

			const run = await time.drive(
				bench.search(parameters, {
					account: { credentials: { webDataApi } },
					onMessage: (words) => shown.push(words),
				}),
			);

			expect(run.error?.message).toMatch(/did not answer.*ECONNREFUSED/);
			expect(run.error?.description).toMatch(/Base URL.*nothing was charged.*Tried 5 times/);
			expect(shown).toEqual(
				[2, 3, 4, 5].map((next) =>
					expect.stringMatching(
						new RegExp(`^Nothing answers \\(.*ECONNREFUSED.*\\); try ${next} of 5 follows$`),
					),
				),
			);
		});
	});

	it('cost no other item anything', async () => {
		bench.service.faults.add({
			kind: 'status',
			status: 500,
			skip: 2,
			count: 9,
			path: '/v2/search',
		});

		const run = await time.drive(
			bench.search(
				{
					query: '={{ $json.q }}',
					limit: 1,
					retries: { maxTries: 2 },
					limits: { requestsInFlight: 1 },
				},
				{
					input: ['tide', 'coffee', 'herring', 'agents'].map((q) => ({ q })),
					onError: 'continueRegularOutput',
				},
			),
		);

		expect(run.output().map(({ json }) => 'error' in json)).toEqual([false, false, true, true]);
		expect(bench.sent).toHaveLength(6);
		expect(charges()).toBe(2);
	});
});
