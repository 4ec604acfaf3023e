import type { FaultInput } from '../../mock/faults.cjs';
import { startService } from '../../mock/service.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

/** Repeats on driven time: what is sent again, when, how often, and what it costs. */
describe('retries', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const parameters = { query: 'tide', limit: 1 };

	/** When each search request arrived, in milliseconds after the first. */
	const arrivals = (): number[] => {
		const times = testBed.service.log.of('POST', '/v2/search').map(({ at }) => at);
		return times.map((at) => at - times[0]);
	};
	const charges = () => testBed.service.ledger.entries.length;

	it('go through a mixture of failures', async () => {
		testBed.service.faults.add(
			{ kind: 'status', status: 503 },
			{ kind: 'html', status: 502 },
			{ kind: 'status', status: 504, body: '' },
			{ kind: 'status', status: 429, retryAfter: 3 },
		);

		const run = await time.drive(testBed.search(parameters));

		expect(run.status).toBe('success');
		expect(testBed.sent).toHaveLength(5);
		expect(charges()).toBe(1);
	});

	it("end when the user's time is over, with the service's words and advice", async () => {
		const error = 'The tide is out';
		testBed.service.faults.add({ kind: 'status', status: 503, count: 9, retryAfter: 40, error });

		const run = await time.drive(testBed.search({ ...parameters, options: { maxRetryTime: 100 } }));

		expect(arrivals()).toEqual([0, 40_000, 80_000]);
		expect(run.error?.message).toBe('The tide is out (HTTP 503) [item 0]');
		expect(run.error?.description).toMatch(/3 attempts in 80 s.*Max Retry Time/);
	});

	/** Answers that were charged and lost at a gateway. */
	const lost: FaultInput = { kind: 'html', status: 502, stage: 'after', count: 2 };

	it('of a charged answer that was lost go on, and a notice counts those of all items', async () => {
		testBed.service.faults.add(lost, { kind: 'status', status: 503 });

		const run = await time.drive(testBed.search(parameters, { input: [{}, {}] }));

		expect(run.status).toBe('success');
		expect(charges()).toBe(4);
		expect(run.hints().map(({ message }) => message)).toEqual([
			expect.stringContaining('2 requests were retried after a gateway'),
		]);
	});

	it('say in the end how many may have been charged', async () => {
		testBed.service.faults.add(lost, { kind: 'status', status: 401 });

		const run = await time.drive(testBed.search(parameters));

		expect(run.error?.description).toMatch(/2 of the attempts may have been processed and charged/);
	});

	it('are none once another item has ended the run', async () => {
		testBed.service.faults.add(
			{ kind: 'status', status: 400 },
			{ kind: 'status', status: 429, retryAfter: 30, count: 4 },
		);

		const run = await time.drive(testBed.search(parameters, { input: Array(5).fill({}) }));

		expect(run.error?.message).toMatch(/HTTP 400/);
		expect([testBed.sent.length, charges()]).toEqual([5, 0]);
	});

	it('are none of an answer that begins and never ends, whose connection is ended', async () => {
		for (const bytes of [0, 10]) {
			testBed.service.faults.add({ kind: 'stall', stage: 'after', bytes });
			const begun = Date.now();

			const run = await time.drive(testBed.search({ ...parameters, options: { maxRetryTime: 0 } }));

			expect(run.error?.message).toMatch(/did not respond: .*300000 ?ms/);
			expect(Date.now() - begun).toBeGreaterThanOrEqual(300_000);
			await time.untilSilent();
		}
	});

	describe('when nothing answers', () => {
		const freePort = async (): Promise<number> => {
			const { port, close } = await startService();
			await close();
			return port;
		};

		it('follow, for nothing has arrived', async () => {
			const port = await freePort();
			const webDataApi = { baseUrl: `http://127.0.0.1:${port}`, apiKey: '' };
			const search = testBed.search(parameters, { account: { credentials: { webDataApi } } });
			await time.untilPaused();
			const late = await startService({ port, authentication: false });

			const run = await time.drive(search).finally(async () => await late.close());

			expect(run.status).toBe('success');
			expect(late.ledger.entries).toHaveLength(1);
		});

		it('end after five attempts', async () => {
			const webDataApi = { baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: 'fc-key' };

			const run = await time.drive(
				testBed.search(parameters, { account: { credentials: { webDataApi } } }),
			);

			expect(run.error?.message).toMatch(/did not respond.*ECONNREFUSED/);
			expect(run.error?.description).toMatch(
				new RegExp(`Base URL.*nothing was charged.*5 attempts`),
			);
		});
	});
});
