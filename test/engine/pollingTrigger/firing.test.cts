import { PollContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { keepings } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { addressOf, page, topic, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const add = (...names: string[]) => names.forEach((name) => testBed.service.site.add(page(name)));

/** An answer of the service in the place of its own. */
const answer = (data: object) =>
	testBed.service.faults.add({
		kind: 'status',
		status: 200,
		body: { success: true, data, id: `job-${Math.random()}`, creditsUsed: 2 },
	});

describe.each(keepings)('a watched search (memory %s)', (keeping) => {
	const watch = (parameters?: INodeParameters) => watcher(testBed, parameters, { keeping });

	it('fires for each result that was not there before, once', async () => {
		add('first');
		const trigger = watch();
		await trigger.activate();
		await trigger.poll();
		expect(trigger.executions).toEqual([]);

		add('second', 'third');
		await trigger.poll();
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(1);
		expect(urlsOf(trigger.fired).sort()).toEqual([addressOf('second'), addressOf('third')]);
		expect(trigger.fired).toMatchObject([
			{ change: 'new', source: 'web', requestCredits: 2 },
			{ change: 'new', title: expect.stringContaining(topic) },
		]);
	});

	it.each([
		[101, 51],
		[1000, 100],
	])('remembers %i results for an execution each in %i writes', async (count, writes) => {
		const trigger = watch({ executions: 'each' });
		await trigger.activate();
		await trigger.poll();
		answer({
			web: Array.from({ length: count }, (_, each) => ({ url: `https://a.example/${each}` })),
		});

		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(trigger.executions).toHaveLength(count);
		const known = trigger.storedAtStart.map(
			({ returned, state }) => String(returned ?? Object(state).seen).length / 11,
		);
		expect(new Set(known).size).toBe(writes);
		// Each result is remembered when its execution begins.
		expect(known.every((remembered, place) => remembered > place)).toBe(true);
		expect(known.at(-1)).toBe(count);
	});

	it('is not overtaken by its next check', async () => {
		const trigger = watch();
		await trigger.activate();
		await trigger.poll();
		add('first');
		testBed.service.log.clear();
		testBed.service.faults.add({ kind: 'delay', delayMs: 60_000 });

		const slow = trigger.poll();
		await testBed.service.clock.untilWaiting(1);
		await trigger.poll();
		await testBed.service.clock.advance(60_000);
		await slow;
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
		expect(testBed.sent).toHaveLength(2);
	});
});

describe('a watched search', () => {
	it('logs how many results a check compared, how many are new, and what it cost', async () => {
		const log = jest.spyOn(PollContext.prototype.logger, 'info');
		add('first');
		const trigger = watcher(testBed);
		await trigger.activate();
		await trigger.poll();

		expect(log.mock.calls.map(([line]) => line)).toEqual([
			"'Trigger': 1 result checked, nothing new; 2 credits used.",
			"'Trigger': 1 result checked, nothing new; 2 credits used.",
		]);
		log.mockRestore();
	});

	it('remembers on when only how much it asks for, since when and how it fires change', async () => {
		add('first');
		const before = { firstCheck: 'all', additionalFields: { tbs: { range: 'qdr:y' } } };
		const trigger = watcher(testBed, before);
		await trigger.activate();

		await trigger.change({
			...before,
			query: topic,
			limit: 50,
			scrapeResults: true,
			formats: ['links'],
			additionalFields: { highlights: false, timeout: 20_000, tbs: { range: 'qdr:w' } },
			executions: 'each',
			options: { maxRetryTime: 2 },
		});
		add('second');
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first'), addressOf('second')]);
	});

	it.each<[string, INodeParameters]>([
		['the query', { query: `${topic} inurl:finds` }],
		['the country', { additionalFields: { country: 'DE' } }],
	])('starts afresh when %s changes', async (_name, change) => {
		add('first');
		const before = { query: topic, firstCheck: 'all' };
		const trigger = watcher(testBed, before);
		await trigger.activate();

		await trigger.change({ ...before, ...change });

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first'), addressOf('first')]);
	});
});

describe('watched papers', () => {
	it('fire once each, known by their ID', async () => {
		const trigger = watcher(testBed, { watch: 'paper', query: 'tide', k: 3, firstCheck: 'all' });
		await trigger.activate();
		await trigger.poll();
		expect(trigger.fired).toHaveLength(3);

		await trigger.change({ watch: 'paper', query: 'tide', k: 5, firstCheck: 'all' });
		await trigger.poll();

		expect(trigger.errors).toEqual([]);
		const ids = trigger.fired.map(({ paperId }) => paperId);
		expect(ids).toHaveLength(5);
		expect(new Set(ids).size).toBe(5);
	});
});
