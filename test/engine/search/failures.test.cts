import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useTestBed } from '../testBed.cjs';

/** Errors that end at once: what is said, and what the other items keep. */
describe('a failing item', () => {
	const testBed = useTestBed();
	const parameters = { query: '={{ $json.q }}', limit: 1 };
	const input = ['tide', 'coffee', 'herring', 'agents', 'storage'].map((q) => ({ q }));
	const forbidden: FaultInput = { kind: 'status', status: 403, skip: 2 };

	it('ends the run, says what that costs, and nothing more is sent', async () => {
		testBed.service.faults.add(forbidden);

		const run = await testBed.search(parameters, { input });

		expect(run.status).toBe('error');
		expect(run.error?.message).toMatch(/Forbidden.*\[item 2\]/);
		expect(run.error?.description).toMatch(/\d other items.*On Error/);
		expect(testBed.sent.length).toBeLessThanOrEqual(input.length);
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('costs no other its result: On Error %s', async (onError, output) => {
		testBed.service.faults.add(forbidden);

		const run = await testBed.search(parameters, { input, onError });

		expect(run.status).toBe('success');
		const isFailed = ({ json }: { json: object }) => 'error' in json;
		expect(run.output(undefined, output).filter(isFailed)).toMatchObject([
			{
				json: { error: expect.stringMatching(/Forbidden.*\[item 2\]\. .*permissions/) },
				pairedItem: { item: 2 },
			},
		]);
		const found = run.output().filter((item) => !isFailed(item));
		expect(found.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 3, 4].map((item) => ({ item })),
		);
		expect(found.every(({ json }) => json.source === 'web')).toBe(true);
	});

	it.each([
		['not if others succeed', 'continueRegularOutput', 0, 1, 5],
		['not if others succeed', 'continueErrorOutput', 1, 1, 5],
		['if all fail', 'continueRegularOutput', 0, 99, 15],
	] as const)('as the first of all is repeated by Retry On Fail %s: %s', async (...given) => {
		const [, onError, output, count, sent] = given;
		testBed.service.faults.add({ kind: 'status', status: 403, count });

		const run = await testBed.search(parameters, {
			input,
			onError,
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});

		const [{ json }] = run.output(undefined, output);
		// Earlier n8n adds the input's fields on the error output.
		expect(json).toMatchObject({ error: expect.stringMatching(/Forbidden/) });
		expect(json).not.toHaveProperty('failed');
		expect(testBed.sent).toHaveLength(sent);
	});

	it('names the host of a page that does not exist', async () => {
		const run = await testBed.run('page', 'scrape', { url: 'https://nowhere.example/a' });

		expect(run.error?.message).toMatch(
			/SCRAPE_DNS_RESOLUTION_ERROR\): nowhere\.example \[item 0\]$/,
		);
	});

	const targets = { values: [{ type: 'scrape', urls: 'https://tidewatch.example' }] };

	// A self-hosted server without accounts, as recorded.
	it.each<[string, string, INodeParameters]>([
		['monitor', 'getAll', {}],
		['monitor', 'create', { name: 'M', targets, schedule: 'hourly' }],
		['session', 'getAll', {}],
		['session', 'execute', { sessionId: 'a-b', code: '1' }],
		['account', 'getCreditUsage', {}],
		['agent', 'run', { prompt: 'tides' }],
	])('says at once that a server has no accounts: %s %s', async (resource, operation, given) => {
		const error = 'An error occurred. Please check your logs for more details. Error ID: 1';
		const body = { success: false, code: 'UNKNOWN_ERROR', error };
		testBed.service.faults.add({ kind: 'status', status: 500, body, count: 9 });

		const run = await testBed.run(resource, operation, given);

		expect(run.error?.description).toMatch(/server has none.*Nothing was done or charged/);
		expect(testBed.requests.map(({ method }) => method)).toEqual(
			testBed.requests.length === 1 ? ['GET'] : ['POST', 'GET'],
		);
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
