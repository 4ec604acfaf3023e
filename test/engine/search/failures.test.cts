import type { FaultInput } from '../../mock/faults.cjs';
import { useTestBed } from '../testBed.cjs';

/** Errors that end at once: what is said, and what the other items keep. */
describe('a failing item', () => {
	const testBed = useTestBed();
	const all = [0, 1, 2, 3, 4];
	const parameters = {
		query: '={{ $json.q }}',
		limit: 1,
	};
	const input = ['tide', 'coffee', 'herring', 'agents', 'storage'].map((q) => ({ q }));
	const forbidden: FaultInput = { kind: 'status', status: 403, skip: 2 };
	const pairs = (items: number[]) => items.map((item) => ({ item }));

	it('ends the run, says what that costs, and nothing more is sent', async () => {
		testBed.service.faults.add(forbidden);

		const run = await testBed.search(parameters, { input });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/Forbidden.*\[item 2\]/);
		expect(run.error?.description).toMatch(/\d other items.*On Error/);
		expect(testBed.sent.length).toBeLessThanOrEqual(input.length);
	});

	it('costs no other its result when the node goes on', async () => {
		testBed.service.faults.add(forbidden);

		const run = await testBed.search(parameters, { input, onError: 'continueRegularOutput' });

		const items = run.output();
		expect(run.status).toBe('success');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs(all));
		expect(items[2].json).toEqual({
			error: expect.stringMatching(/Forbidden.*\[item 2\]\. .*permissions/),
		});
		expect(items.filter(({ json }) => json.source === 'web')).toHaveLength(4);
	});

	it.each([
		['not if others succeed', 1, 5],
		['if all fail', 99, 15],
	])('as the first of all is repeated by Retry On Fail %s', async (_, count, sent) => {
		testBed.service.faults.add({ kind: 'status', status: 403, count });

		const run = await testBed.search(parameters, {
			input,
			onError: 'continueRegularOutput',
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});

		expect(run.output()[0].json).toEqual({ error: expect.stringMatching(/Forbidden/) });
		expect(testBed.sent).toHaveLength(sent);
	});

	it('says in its item what it may have cost', async () => {
		testBed.service.faults.add({ kind: 'reset' });

		const run = await testBed.search(parameters, { input, onError: 'continueRegularOutput' });

		expect(run.output()[0].json.error).toMatch(/may have been processed and charged/);
	});

	it('goes to the error output when the node has one', async () => {
		testBed.service.faults.add(forbidden);

		const run = await testBed.search(parameters, { input, onError: 'continueErrorOutput' });

		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(pairs([0, 1, 3, 4]));
		expect(run.output().every(({ json }) => json.source === 'web')).toBe(true);
		const failed = run.output(undefined, 1);
		expect(failed).toMatchObject([
			{ json: { error: expect.stringMatching(/Forbidden/) }, pairedItem: { item: 2 } },
		]);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'comes out as an error even if every item fails (%s)',
		async (onError) => {
			testBed.service.faults.add({ kind: 'status', status: 402, count: 5 });

			const run = await testBed.search(parameters, { input, onError });

			const items = run.output(undefined, onError === 'continueErrorOutput' ? 1 : 0);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs(all));
			for (const { json } of items) expect(json.error).toMatch(/Insufficient credits/);
		},
	);

	it('leaves the requests that are under way their results', async () => {
		testBed.service.faults.add({ kind: 'status', status: 403, skip: 2 });

		const run = await testBed.search(
			{ ...parameters, limits: { maxConcurrency: 5 } },
			{ input, onError: 'continueRegularOutput' },
		);

		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(pairs(all));
		expect(run.output().filter(({ json }) => 'error' in json)).toHaveLength(1);
	});

	/** What the user reads: the service's words, and what to do. What is said of which answer is asked in test/unit/runtime/errors. */
	it.each<[string, FaultInput, { message: RegExp; advice: RegExp; status: string | null }]>([
		[
			'402',
			{ kind: 'status', status: 402 },
			{ message: /Insufficient credits/, advice: /credits/, status: '402' },
		],
		[
			'details of a field',
			{
				kind: 'status',
				status: 400,
				body: {
					success: false,
					error: 'Invalid request body',
					details: [{ code: 'custom', path: ['scrapeOptions', 'waitFor'], message: 'Too long' }],
				},
			},
			{ message: /Invalid request body.*Wait For.*Too long/, advice: /./, status: '400' },
		],
		[
			'success: false in a 200',
			{ kind: 'failure', error: 'The host was not found', code: 'SCRAPE_DNS_RESOLUTION_ERROR' },
			{
				message: /The host was not found.*SCRAPE_DNS_RESOLUTION_ERROR/,
				advice: /see its message/,
				status: null,
			},
		],
		[
			'a web page in a 200',
			{ kind: 'html', status: 200 },
			{ message: /not JSON/, advice: /Base URL/, status: null },
		],
		[
			'an empty 403',
			{ kind: 'empty', status: 403 },
			{ message: /403/, advice: /right|scopes|plan/, status: '403' },
		],
	])('is sent once and explained: %s', async (_name, fault, { message, advice, status }) => {
		testBed.service.faults.add(fault);

		const run = await testBed.search({ query: 'tide' });

		expect(run.status).toBe('error');
		const { error } = run;
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toMatch(/<\/?[a-z]+>/);
		expect(error?.message).toContain('[item 0]');
		expect(error?.description).toMatch(advice);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: status });
		expect(testBed.sent).toHaveLength(1);
	});

	it('is one whose answer got lost: not sent again, for it is charged', async () => {
		testBed.service.faults.add({ kind: 'reset', stage: 'after' });

		const run = await testBed.search({ query: 'tide' });

		expect(run.status).toBe('error');
		expect(run.error?.description).toMatch(/charged.*not retried/);
		expect(testBed.sent).toHaveLength(1);
		expect(testBed.service.ledger.entries).toHaveLength(1);
	});
});
