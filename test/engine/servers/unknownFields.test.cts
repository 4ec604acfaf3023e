import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../../root.cjs';
import { inMemory } from '../file/inputFiles.cjs';
import type { EngineRun } from '../harness.cjs';
import { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';

const page = 'https://tidewatch.example/guides/spring-tides';

const question = { type: 'question', question: 'When is high water?' };
const unknown = { newToken: 'a', scrapeOptions: { depth: 3, formats: [{ ...question, tone: 1 }] } };
const known = { scrapeOptions: { formats: [question] } };

/** Members that the node knows as little as the service, as those of a newer one. */
describe('a request with members that the server does not know', () => {
	const testBed = useTestBed();

	const search = (requestJson: object, retries: INodeParameters = {}): INodeParameters => ({
		query: 'tide',
		limit: 1,
		additionalFields: { requestJson: JSON.stringify(requestJson) },
		retries,
	});
	const leaveOut = { onUnsupportedField: 'omit' };
	const bodies = () => testBed.service.log.entries.map(({ body }) => body);
	const statuses = () => testBed.service.log.entries.map(({ status }) => status);
	const hints = (run: EngineRun) => run.hints().map(({ message }) => message);

	it('is sent as given and not checked, and ends in an error that names them as the editor does', async () => {
		const run = await testBed.search(search(unknown), { onError: 'continueRegularOutput' });

		expect(bodies()).toEqual([{ query: 'tide', limit: 1, ...unknown }]);
		expect(hints(run)).toEqual([
			`This version of the node does not support 'Formats > entry 1 > tone', 'Scrape Options > depth', 'newToken' of 'Request (JSON)': sent without validation.`,
		]);
		const [{ error }] = run.output();
		expect(error?.message).toMatch(/This server does not support 'newToken'/);
		expect(error?.message).toMatch(/does not support 'Scrape Options > depth'/);
		expect(error?.message).toMatch(/'Formats > entry 1 > tone'/);
		expect(error?.description).toMatch(
			/Remove it.*'On Unsupported Field' can omit such fields\. Nothing was charged\./,
		);
		expect(testBed.service.ledger.entries).toEqual([]);
	});

	it('is sent once more without them where the user wants that, which is said', async () => {
		const run = await testBed.search(search(unknown, leaveOut));

		expect(run.status).toBe('success');
		expect(run.output()).toHaveLength(1);
		expect(bodies()).toEqual([
			{ query: 'tide', limit: 1, ...unknown },
			{ query: 'tide', limit: 1, ...known },
		]);
		expect(hints(run).at(-1)).toBe(
			`This server does not support 'Formats > entry 1 > tone', 'Scrape Options > depth', 'newToken'. The request was sent without, by 'On Unsupported Field'.`,
		);
	});

	it('is not sent a third time', async () => {
		const details = [{ code: 'unrecognized_keys', keys: ['query'], path: [], message: 'no' }];
		testBed.service.faults.add({
			kind: 'status',
			status: 400,
			skip: 1,
			body: { success: false, error: 'Unrecognized key in body', details },
		});

		const run = await testBed.search(search({ newToken: 'a' }, leaveOut));

		expect(run.error?.message).toMatch(/does not support 'Query'/);
		expect(statuses()).toEqual([400, 400]);
	});

	it('is a form with a file, too', async () => {
		const html = '<h1>Fees</h1>';
		const run = await testBed.run(
			'file',
			'parse',
			{ additionalFields: { requestJson: '{"newToken": "a"}' }, retries: leaveOut },
			{ input: [{ json: {}, binary: { data: inMemory('fees.html', 'text/html', html) } }] },
		);

		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		expect(statuses()).toEqual([400, 200]);
		expect(run.output()[0].json.markdown).toContain('Fees');
	});

	it('is that of a trigger, too', async () => {
		const { credentials } = testBed.account();
		const polled = new PolledWorkflow(testBed.engine, {
			type: 'webDataPollingTrigger',
			parameters: { watch: 'search', ...search({ newToken: 'a' }, leaveOut) },
			credentials,
		});

		await polled.activate();

		expect(polled.errors).toEqual([]);
		expect(statuses()).toEqual([400, 200]);
		expect(bodies().at(-1)).toEqual({ query: 'tide', limit: 1 });
	});

	describe('that starts a crawl at the hosted service', () => {
		beforeEach(() => {
			const baseUrl: object = require(join(projectRoot, 'dist/nodes/runtime/http/baseUrl.js'));
			jest.spyOn(baseUrl as { isHosted: () => boolean }, 'isHosted').mockReturnValue(true);
		});
		afterEach(() => jest.restoreAllMocks());

		const ownKey = 'c0ffee00-0000-4000-8000-00000000beef';

		it.each([{}, { idempotencyKey: ownKey }])(
			'takes a new key, for the one of the refused start is used up: %j',
			async (fields) => {
				const run = await testBed.run('crawl', 'start', {
					url: page,
					limit: 1,
					additionalFields: { ...fields, requestJson: '{"newToken": "a"}' },
					retries: leaveOut,
				});

				expect([run.status, run.error?.message]).toEqual(['success', undefined]);
				expect(statuses()).toEqual([400, 200]);
				const [one, other] = testBed.service.log.entries.map(
					({ headers }) => headers['x-idempotency-key'],
				);
				if ('idempotencyKey' in fields) expect(one).toBe(ownKey);
				expect(other).toMatch(/^[0-9a-f-]{36}$/);
				expect(other).not.toBe(one);
			},
		);
	});
});
