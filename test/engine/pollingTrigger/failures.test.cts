import { NodeApiError, NodeOperationError, type INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { keepings } from '../polledWorkflow.cjs';
import { useTestBed } from '../testBed.cjs';
import { addressOf, page, topic, urlsOf, watcher } from './watching.cjs';

const testBed = useTestBed();
const time = useDrivenTime(() => testBed.service);
const add = (...names: string[]) => names.forEach((name) => testBed.service.site.add(page(name)));

describe.each(keepings)('a check that fails (memory %s)', (keeping) => {
	it.each<[string, FaultInput, RegExp]>([
		['401', { kind: 'status', status: 401 }, /Invalid token.*HTTP 401/],
		['an answer that was lost', { kind: 'reset', stage: 'after' }, /did not respond/],
		['success: false', { kind: 'failure', error: 'Not now' }, /Not now/],
	])('is an error, and loses nothing: %s', async (_name, fault, message) => {
		const account = testBed.account();
		const trigger = watcher(testBed, {}, { keeping, account });
		await time.drive(trigger.activate());
		await time.drive(trigger.poll());
		add('first');
		const before = trigger.stored;
		testBed.service.faults.add({ ...fault, path: '/v2/search' });

		await time.drive(trigger.poll());

		expect(trigger.errors).toHaveLength(1);
		const [error] = trigger.errors;
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toMatch(message);
		expect(error.message).not.toMatch(/item|undefined/);
		expect(JSON.stringify(error)).not.toContain(account.key);
		expect(trigger.executions).toEqual([]);
		expect(trigger.stored).toEqual(before);
		expect(testBed.service.faults.pending).toEqual([]);

		await time.drive(trigger.poll());
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
		expect(trigger.errors).toHaveLength(1);
	});

	it('is still the first one when it is repeated', async () => {
		add('first');
		const trigger = watcher(testBed, { firstCheck: 'all' }, { keeping });
		testBed.service.faults.add({ kind: 'status', status: 402 });

		await expect(time.drive(trigger.activate())).rejects.toThrow('Insufficient credits');
		expect(trigger.stored).toEqual({});
		await time.drive(trigger.activate());

		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
	});
});

describe('a check', () => {
	it('passes over a moment of trouble', async () => {
		const trigger = watcher(testBed);
		await time.drive(trigger.activate());
		add('first');
		testBed.service.faults.add(
			{ kind: 'status', status: 429, retryAfter: 30 },
			{ kind: 'status', status: 503 },
		);

		await time.drive(trigger.poll());

		expect(trigger.errors).toEqual([]);
		expect(urlsOf(trigger.fired)).toEqual([addressOf('first')]);
	});

	it.each<[string, number | undefined, number, number]>([
		['the time that n8n gives it', 20_000, 30, 1],
		["n8n's usual time", undefined, 301, 1],
		['less than that', 60_000, 30, 2],
	])('waits for no repeat beyond %s', async (_name, budget, retryAfter, requests) => {
		const trigger = watcher(testBed, {}, { budget });
		await time.drive(trigger.activate());
		testBed.service.log.clear();
		testBed.service.faults.add({ kind: 'status', status: 429, retryAfter });

		await time.drive(trigger.poll());

		expect(testBed.sent).toHaveLength(requests);
		expect(trigger.errors).toHaveLength(2 - requests);
	});

	it('is not sent beyond Max Credits per Execution', async () => {
		const trigger = watcher(testBed, { limit: 50, options: { maxCreditsPerExecution: 0 } });

		await expect(time.drive(trigger.activate())).rejects.toThrow('Max Credits per Execution');
		expect(testBed.sent).toEqual([]);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['an empty query', { query: '={{ "" }}' }, /^'Query' has no value: the expression/],
		['an expression', { query: '={{ $nowhere.at.all }}' }, /\S/],
		['a search of tomorrow', { watch: 'pictures' }, /does not support 'pictures'/],
	])('refuses %s before any request', async (_name, parameters, message) => {
		const trigger = watcher(testBed, { query: topic, ...parameters });

		const error = await time.drive(
			trigger.activate().then(
				() => undefined,
				(reason: unknown) => reason,
			),
		);

		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({ message: expect.stringMatching(message) });
		expect(testBed.service.log.entries).toEqual([]);
	});
});
