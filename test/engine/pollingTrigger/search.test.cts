import { PollContext } from 'n8n-core';
import { NodeApiError, NodeOperationError, type INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { stagesPolls } from '../earlierN8n.cjs';
import type { PolledWorkflow } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { addressOf, page, started, topic, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
const add = (...names: string[]) => names.forEach((name) => testBed.service.site.add(page(name)));
const poll = async (trigger: PolledWorkflow) => await time.drive(trigger.poll());
/** The service answers a search with these results. */
const answer = (web: object[], count = 1) =>
	testBed.service.faults.add({
		kind: 'status',
		status: 200,
		count,
		body: { success: true, data: { web }, id: 'job', creditsUsed: 2 },
	});
const results = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ url: `https://a.example/${from + index}` }));

describe('a watched search', () => {
	it('fires for each result that was not there before, once', async () => {
		add('first');
		const trigger = await started(watcher(testBed), time);
		expect(trigger.executions).toEqual([]);

		add('second', 'third');
		await poll(trigger);
		await poll(trigger);

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(1);
		expect(urlsOf(trigger.fired).sort()).toEqual([addressOf('second'), addressOf('third')]);
		expect(trigger.fired).toMatchObject([
			{ change: 'new', source: 'web' },
			{ change: 'new', title: expect.stringContaining(topic) },
		]);
	});

	it.each([
		[101, 51],
		[1000, 100],
	])('remembers %i results for an execution each in %i writes', async (count, writes) => {
		const trigger = await started(watcher(testBed, { executions: 'each' }), time);
		answer(results(count));

		await poll(trigger);

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(count);
		const known = trigger.storedAtStart.map(
			({ returned, state }) => String(returned ?? Object(state).seen).length / 11,
		);
		expect(new Set(known).size).toBe(writes);
		// Each result is remembered when its execution begins.
		expect(known.every((remembered, place) => remembered > place)).toBe(true);
		expect(known.at(-1)).toBe(count);
		expect(trigger.stored).not.toHaveProperty('returned');
	});

	it('fires for no known result when other parameters of URLs are ignored', async () => {
		const web = results(2).map(({ url }) => ({ url: `${url}?session=1` }));
		answer(web, Infinity);
		const trigger = await started(watcher(testBed), time);

		await time.drive(trigger.change({ query: topic, ignoreQueryParameters: 'session' }));
		await poll(trigger);

		expect([trigger.errors, trigger.fired]).toEqual([[], []]);
	});

	it('is not overtaken by its next check', async () => {
		const trigger = await started(watcher(testBed), time);
		add('first');
		testBed.service.log.clear();
		testBed.service.faults.add({ kind: 'delay', delayMs: 60_000 });

		const slow = trigger.poll();
		await time.until(() => testBed.sent.length === 1);
		await trigger.poll();
		await time.drive(slow);
		await poll(trigger);

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
		expect(testBed.sent).toHaveLength(2);
	});

	it.each<[string, FaultInput, RegExp]>([
		['401', { kind: 'status', status: 401 }, /Invalid token.*HTTP 401/],
		['an answer that was lost', { kind: 'reset', stage: 'after' }, /did not respond/],
		['success: false', { kind: 'status', status: 200, error: 'Not now' }, /Not now/],
	])('loses nothing by a check that fails: %s', async (_name, fault, message) => {
		const account = testBed.account();
		const trigger = await started(watcher(testBed, {}, { account }), time);
		add('first');
		const before = trigger.stored;
		testBed.service.faults.add({ ...fault, path: '/v2/search' });

		await poll(trigger);

		const [error, ...others] = trigger.errors;
		expect(others).toEqual([]);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toMatch(message);
		expect(error.message).not.toMatch(/item|undefined/);
		expect(JSON.stringify(error)).not.toContain(account.key);
		expect([trigger.executions, trigger.stored]).toEqual([[], before]);

		await poll(trigger);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
		expect(trigger.errors).toHaveLength(1);
	});

	it('repeats its first check when that has failed', async () => {
		add('first');
		const trigger = watcher(testBed, { firstCheck: 'all' });
		testBed.service.faults.add({ kind: 'status', status: 402 });

		await expect(time.drive(trigger.activate())).rejects.toThrow('Insufficient credits');
		expect(trigger.stored).toEqual({});
		await time.drive(trigger.activate());

		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
	});

	it('logs how many results a check compared, how many are new, and what it cost', async () => {
		const log = jest.spyOn(PollContext.prototype.logger, 'info');
		add('first');
		const trigger = watcher(testBed);
		await time.drive(trigger.activate());

		expect(log.mock.calls.map(([line]) => line)).toEqual([
			"'Trigger': 1 result checked, nothing new; 2 credits used.",
		]);
		log.mockRestore();
	});

	it('remembers on when only how much it asks for, since when and how it fires change', async () => {
		add('first');
		const before = { firstCheck: 'all', additionalFields: { tbs: { range: 'qdr:y' } } };
		const trigger = watcher(testBed, before);
		await time.drive(trigger.activate());

		const change = trigger.change({
			...before,
			query: topic,
			limit: 50,
			scrapeResults: true,
			formats: ['links'],
			additionalFields: { highlights: false, timeout: 20_000, tbs: { range: 'qdr:w' } },
			executions: 'each',
			options: { maxRetryTime: 2 },
		});
		await time.drive(change);
		add('second');
		await poll(trigger);

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first'), addressOf('second')]);
	});

	it.each<[string, INodeParameters]>([
		['the query', { query: topic.toUpperCase() }],
		['the country', { additionalFields: { country: 'DE' } }],
	])('starts afresh when %s changes', async (_name, change) => {
		add('first');
		const before = { query: topic, firstCheck: 'all' };
		const trigger = watcher(testBed, before);
		await time.drive(trigger.activate());

		await time.drive(trigger.change({ ...before, ...change }));

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first'), addressOf('first')]);
	});

	const budgets: Array<[string, number | undefined, number, number]> = [
		["n8n's usual time", undefined, 301, 1],
		['the time that n8n gives it', 20_000, 30, 1],
		['less than that', 60_000, 30, 2],
	];
	// Earlier versions of n8n give a poll no time of its own.
	it.each(stagesPolls ? budgets : budgets.slice(0, 1))(
		'waits for no repeat beyond %s',
		async (_name, budget, retryAfter, requests) => {
			const trigger = watcher(testBed, {}, { budget });
			await time.drive(trigger.activate());
			testBed.service.log.clear();
			testBed.service.faults.add({ kind: 'status', status: 429, retryAfter });

			await poll(trigger);

			expect(testBed.sent).toHaveLength(requests);
			expect(trigger.errors).toHaveLength(2 - requests);
		},
	);

	it.each<[string, INodeParameters, RegExp]>([
		['an empty query', { query: '={{ "" }}' }, /^'Query' has no value: the expression/],
		['an expression', { query: '={{ $nowhere.at.all }}' }, /\S/],
		['a search of tomorrow', { watch: 'pictures' }, /does not support 'pictures'/],
		[
			'what costs too much',
			{ limit: 50, options: { maxCreditsPerExecution: 0 } },
			/Max Credits per Execution/,
		],
	])('refuses %s before any request', async (_name, parameters, message) => {
		const activation = time.drive(watcher(testBed, parameters).activate());

		const error: unknown = await activation.catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: expect.stringMatching(message) });
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('shows by hand what there is, or the error, and remembers nothing', async () => {
		add('first', 'second');
		const trigger = watcher(testBed, { executions: 'each' });

		const shown = await time.drive(trigger.fetchTestEvent());

		expect(urlsOf(shown).sort()).toEqual([addressOf('first'), addressOf('second')]);
		expect(shown).toMatchObject([{ change: 'new' }, { change: 'new' }]);
		expect([trigger.stored, trigger.executions]).toEqual([{}, []]);
		answer([]);
		expect(await time.drive(trigger.fetchTestEvent())).toEqual([]);
		testBed.service.faults.add({ kind: 'status', status: 402 });
		await expect(time.drive(trigger.fetchTestEvent())).rejects.toThrow('Insufficient credits');
	});

	it('remembers 10,000 results in less than 120 kB, and forgets the oldest', async () => {
		const trigger = watcher(testBed, { firstCheck: 'all' });
		for (const from of [0, 5_000, 10_000]) {
			answer(results(5_000, from));
			await time.drive(from === 0 ? trigger.activate() : trigger.poll());
		}

		expect(trigger.errors).toEqual([]);
		expect(trigger.fired).toHaveLength(15_000);
		const size = Buffer.byteLength(JSON.stringify(trigger.stored));
		expect(size).toBeGreaterThan(110_000);
		expect(size).toBeLessThan(110_500);
	});

	it('downloads the files of what fires, and of nothing else', async () => {
		const files = () => testBed.service.log.entries.filter(({ path }) => /^\/_files\//.test(path));
		add('first', 'second');
		const screenshots = { scrapeResults: true, formats: ['screenshot'] };
		const options = { downloadFiles: true };
		const trigger = await started(watcher(testBed, { ...screenshots, options }), time);
		expect(files()).toEqual([]);

		add('third');
		await poll(trigger);

		expect(trigger.errors).toEqual([]);
		expect(files()).toHaveLength(1);
		const [[item]] = trigger.executions;
		expect(item.json.url).toBe(addressOf('third'));
		expect(item.binary?.screenshot).toMatchObject({ mimeType: 'image/png' });
		expect((await testBed.engine.binary(item, 'screenshot')).subarray(1, 4).toString()).toBe('PNG');
		expect(item).not.toHaveProperty('pairedItem');
	});
});

it('watched papers fire once each, known by their ID', async () => {
	const papers = { watch: 'paper', query: 'tide', firstCheck: 'all' };
	const trigger = await started(watcher(testBed, { ...papers, k: 3 }), time);
	expect(trigger.fired).toHaveLength(3);

	await time.drive(trigger.change({ ...papers, k: 5 }));
	await poll(trigger);

	expect(trigger.errors).toEqual([]);
	const ids = trigger.fired.map(({ paperId }) => paperId);
	expect(ids).toHaveLength(5);
	expect(new Set(ids).size).toBe(5);
});
