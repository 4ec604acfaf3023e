import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

/** Many items, several executions and stopped ones on driven time. */
describe('the pace', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const subjects = ['tide', 'coffee', 'agents', 'storage', 'herring'];
	const input = Array.from({ length: 20 }, (_, index) => ({
		q: `${subjects[index % subjects.length]} ${index}`,
	}));
	const parameters = { query: '={{ $json.q }}', limit: 1 };
	/** Every item answered in its order, each charged once. */
	const expectAllAnswered = (run: Awaited<ReturnType<typeof testBed.search>>) => {
		expect(run.error?.message).toBeUndefined();
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, item) => ({ item })),
		);
		const charged = testBed.service.ledger.entries;
		expect(charged).toHaveLength(input.length);
		expect(new Set(charged.map(({ jobId }) => jobId)).size).toBe(input.length);
		const queries = testBed.service.log
			.of('POST', '/v2/search')
			.filter(({ status }) => status === 200)
			.map(({ body }) => (body as { query: string }).query);
		expect(queries.sort()).toEqual(input.map(({ q }) => q).sort());
	};

	it.each([
		['of two at a time', { concurrency: 2, retryHint: 'header' }],
		['per minute', { ratePerMinute: 6, retryHint: 'details' }],
	] as const)('keeps to a limit %s', async (_name, limit) => {
		const account = testBed.account(limit);
		// Makes each search take a second, in which others meet the limit.
		testBed.service.faults.add({ kind: 'delay', delayMs: 1000, stage: 'during', count: 1000 });

		const run = await time.drive(testBed.search(parameters, { account, input }));

		expectAllAnswered(run);
		const refused = testBed.service.log.entries.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThan(0);
	});

	describe('of a stopped execution', () => {
		it.each([
			[429, 'stopWorkflow'],
			[503, 'continueRegularOutput'],
		] as const)(
			'ends in the middle of a pause after status %i, without error items: On Error %s',
			async (status, onError) => {
				testBed.service.faults.add({ kind: 'status', status, retryAfter: 300, count: 9 });
				const execution = testBed.start(parameters, { input, onError });
				await time.until(() => testBed.sent.length === 5);
				await time.untilPaused();

				execution.cancel();
				const run = await execution.done;

				expect(run.status).toBe('canceled');
				expect(testBed.sent).toHaveLength(5);
				expect(jest.getTimerCount()).toBe(0);
				expect(testBed.service.ledger.entries).toEqual([]);
			},
		);

		it('ends in the middle of a request', async () => {
			testBed.service.faults.add({ kind: 'delay', delayMs: 20_000, count: 20 });
			const execution = testBed.start(parameters, { input });
			await time.until(() => testBed.service.clock.waiting === 5);

			execution.cancel();
			const run = await execution.done;

			expect(run.status).toBe('canceled');
			expect(testBed.sent).toHaveLength(5);
			await time.untilSilent();
		});
	});
});
