import type { INodeExecutionData } from 'n8n-workflow';
import { NODE_UNDER_TEST, behindItems } from '../harness.cjs';
import { useTestBed } from '../testBed.cjs';

const testBed = useTestBed();

const queries = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ query: `tide ${index}` }));

const failures = (items: INodeExecutionData[]) =>
	items.filter(({ error }) => error !== undefined).map(({ error }) => error?.message ?? '');

describe('Max Credits per Execution', () => {
	const guarded = { query: '={{ $json.query }}', options: { maxCreditsPerExecution: 20 } };

	it('sends what it allows and tells every other item why it was not sent', async () => {
		const account = testBed.account();
		const run = await testBed.search(guarded, {
			account,
			input: queries(50),
			onError: 'continueRegularOutput',
		});
		expect(testBed.sent).toHaveLength(10);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(20);
		const told = failures(run.output());
		expect(told).toHaveLength(40);
		expect(told[0]).toMatch(/^Not sent: it may cost 2 credits.*20 are spent \[item 10\]/);
		expect(told[39]).toMatch(/\[item 49\]/);
	});

	it('covers the pages that searches scrape at the same time', async () => {
		const account = testBed.account();
		const scraping = { ...guarded, limit: 5, scrapeResults: true };
		const options = { account, input: queries(20), onError: 'continueRegularOutput' } as const;
		await testBed.search(scraping, options);
		const spent = testBed.service.ledger.spent(account.team.id);
		expect(spent).toBeGreaterThan(2 * testBed.sent.length);
		expect(spent).toBeLessThanOrEqual(20);
	});

	it.each([
		[
			'counts what may have been charged though its response was lost',
			{ stage: 'after', status: 502 },
			1,
		],
		['does not count what the service refused', { status: 400 }, 2],
	] as const)('%s', async (_, fault, sent) => {
		testBed.service.faults.add({ kind: 'status', path: '/v2/search', ...fault });
		const options = { maxCreditsPerExecution: 2, maxRetryTime: 0 };
		await testBed.search(
			{ query: '={{ $json.query }}', options },
			{ input: queries(3), onError: 'continueRegularOutput' },
		);
		expect(testBed.sent).toHaveLength(sent);
	});

	it('counts a start that may run though its response is an error', async () => {
		testBed.service.faults.add({ kind: 'status', method: 'POST', path: '/v2/agent', status: 500 });
		const options = { maxCreditsPerExecution: 100, maxRetryTime: 0 };
		await testBed.run(
			'agent',
			'start',
			{ prompt: '={{ $json.query }}', options },
			{ input: queries(2), onError: 'continueRegularOutput' },
		);
		expect(testBed.service.log.of('POST', '/v2/agent')).toHaveLength(1);
	});

	it('rejects a batch that costs more, and limits a crawl to what is left', async () => {
		const url = 'https://tidewatch.example/guides';
		const options = { maxCreditsPerExecution: 1 };
		const two = `${url} https://tidewatch.example/`;
		const refused = await testBed.run('batch', 'run', { urls: two, options });
		expect(refused.error?.message).toMatch(/^Not sent: it may cost 2 credits/);
		await testBed.run('crawl', 'start', { url, limit: 10, options });
		const [{ body }] = testBed.service.log.of('POST', '/v2/crawl');
		expect(body).toMatchObject({ url, limit: 1 });
	});

	it('counts all runs of the node in one execution together', async () => {
		const { engine } = testBed;
		const run = await engine.run({
			credentials: { ...testBed.account().credentials },
			...behindItems(
				queries(6),
				[
					...['A', 'B'].map((name) => ({ name, type: 'n8n-nodes-base.noOp' })),
					{
						name: NODE_UNDER_TEST,
						type: engine.typeName('webData'),
						parameters: { resource: 'search', operation: 'query', ...guarded },
						onError: 'continueRegularOutput' as const,
					},
				],
				{ Items: ['A', 'B'], A: [NODE_UNDER_TEST], B: [NODE_UNDER_TEST] },
			),
		});
		expect(run.data.data.resultData.runData[NODE_UNDER_TEST]).toHaveLength(2);
		expect(testBed.sent).toHaveLength(10);
		expect(failures(run.output())).toHaveLength(2);
	});
});
