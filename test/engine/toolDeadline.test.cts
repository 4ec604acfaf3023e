import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from './drivenTime.cjs';
import { toolTexts } from './toolTexts.cjs';
import { useTestBed } from './testBed.cjs';

/** Seconds that a tool waits at most: clients of MCP give up after 60. */
const longest = 45;

/** The client of a tool gives up without a word to the node, so that what is sent later is paid for nothing. */
describe('the wait of a tool', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const asTool = () => ({ node: { type: testBed.engine.typeName('webDataTool') } });
	const search: INodeParameters = { query: 'tide', limit: 1 };

	const charges = () => testBed.service.ledger.entries.length;
	const sentAfter = (start: number) =>
		testBed.service.log.of('POST', '/v2/search').map(({ at }) => (at - start) / 1000);

	it.each([
		['a rate limit that names its wait', { status: 429, retryAfter: 2 }],
		['a rate limit that names none', { status: 429 }],
		['an overload', { status: 503, retryAfter: 4 }],
	])('ends after 45 s of %s, and nothing is sent or charged later', async (_name, fault) => {
		testBed.service.faults.add({ kind: 'status', count: 1000, ...fault });
		const start = Date.now();

		const run = await time.drive(testBed.search(search, asTool()));

		const ended = (Date.now() - start) / 1000;
		expect(ended).toBeLessThanOrEqual(longest);
		expect(toolTexts(run).error).toBe('The request failed');
		testBed.service.faults.clear();
		await time.pass(600_000);
		expect(Math.max(...sentAfter(start))).toBeLessThanOrEqual(longest);
		expect(charges()).toBe(0);
	});

	it('ends at once if the service names a longer wait', async () => {
		testBed.service.faults.add({ kind: 'status', status: 429, retryAfter: 90, count: 1000 });
		const start = Date.now();

		const run = await time.drive(testBed.search(search, asTool()));

		expect(Date.now() - start).toBeLessThan(1000);
		expect(toolTexts(run).advice).toMatch(/Nothing was charged\. Call again in (89|90) s/);
		expect(testBed.sent).toHaveLength(1);
	});

	it('ends at once, and without a request, while others wait for so long', async () => {
		const account = testBed.account();
		testBed.service.faults.add({
			kind: 'status',
			status: 429,
			headers: { 'ratelimit-reset': '100' },
			count: 1,
		});
		const other = testBed.start(search, { account });
		await time.until(() => testBed.sent.length === 1);
		await time.untilPaused();
		const start = Date.now();

		const run = await time.drive(testBed.search(search, { account, ...asTool() }));

		expect(Date.now() - start).toBeLessThan(1000);
		expect(toolTexts(run).advice).toMatch(
			/Not sent: .*Nothing was charged\. Call again in (99|100) s/,
		);
		expect((await time.drive(other.done)).status).toBe('success');
		expect(testBed.sent).toHaveLength(2);
	});

	it('ends after 45 s in the queue', async () => {
		const account = testBed.account();
		// Five requests in flight, as many as are sent at first, hold the queue.
		testBed.service.faults.add({ kind: 'delay', delayMs: 100_000, count: 5 });
		const busy = testBed.start(search, { account, input: Array(5).fill({}) });
		await time.until(() => testBed.sent.length === 5);
		const start = Date.now();

		const run = await time.drive(testBed.search(search, { account, ...asTool() }));

		expect((Date.now() - start) / 1000).toBe(longest);
		expect(JSON.stringify(run.output())).toMatch(/Not sent: other requests/);
		expect(toolTexts(run).advice).toMatch(/Nothing was charged\. Call again in \d+ s/);
		expect((await time.drive(busy.done)).status).toBe('success');
		expect(testBed.sent).toHaveLength(5);
	});

	it.each<[set: INodeParameters, asked: number]>([
		[{}, 60_000],
		[{ additionalFields: { timeout: 70_000 } }, 70_000],
		[{ additionalFields: { timeout: 20_000 } }, 20_000],
	])('is that of a page, too, with %j', async (set, asked) => {
		const page = { url: 'https://tidewatch.example/guides/spring-tides', ...set };
		const timeouts = () =>
			testBed.service.log
				.of('POST', '/v2/scrape')
				.map(({ body }) => (body as { timeout?: number }).timeout ?? 60_000);

		await testBed.run('page', 'scrape', page, asTool());
		await testBed.run('page', 'scrape', page);

		const [tool, ordinary] = timeouts();
		expect(tool).toBeLessThanOrEqual(Math.min(asked, longest * 1000));
		expect(ordinary).toBe(asked);
	});

	it('does not end the wait of an ordinary node', async () => {
		testBed.service.faults.add({ kind: 'status', status: 429, retryAfter: 90 });

		const run = await time.drive(testBed.search(search));

		expect(run.status).toBe('success');
	});
});
