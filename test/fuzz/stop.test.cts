import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { inWords, operationNames, waitsForJob } from '../engine/operationNames.cjs';
import { projectRoot } from '../root.cjs';
import { replay, scaled, seed, seedOf } from './fuzzRun.cjs';
import { chosenOperations } from './directRuns.cjs';
import { defect, reported, usePlants, type Plant } from './plants.cjs';
import { moments, stopSetups, useStopRuns } from './stopRuns.cjs';

/** Stopped executions of all operations together, shared out evenly; those that wait for a job are stopped more often. */
const runs = Math.ceil(scaled(300) / operationNames.length);

/** Executions of every operation, stopped at random moments. */
describe('a stopped execution', () => {
	const stopped = useStopRuns();

	it.each(chosenOperations)('leaves nothing of $resource: $operation', async (name) => {
		await fc.assert(
			fc.asyncProperty(stopSetups, async (setup) => {
				expect(await stopped.ofOperation(name, setup)).toEqual([]);
			}),
			{ seed: seedOf(inWords(name)), numRuns: waitsForJob(name) ? 5 * runs : runs, ...replay() },
		);
	});

	it('leaves nothing of the check of a trigger, and what it had found comes with the next', async () => {
		await fc.assert(
			fc.asyncProperty(moments, async (stop) => {
				expect(await stopped.ofCheck(stop)).toEqual([]);
			}),
			{ seed, numRuns: scaled(20), ...replay() },
		);
	});
});

const search = { resource: 'search', operation: 'query' };
const agentRun = { resource: 'agent', operation: 'run' };

/** Does something again and again; n8n's nodes have timeouts alone, and so has the driven time. */
function again(everyMs: number, act: () => void, timers: NodeJS.Timeout[]): void {
	timers.push(
		setTimeout(() => {
			act();
			again(everyMs, act, timers);
		}, everyMs),
	);
}

/** A stopped execution does something all the same. */
const afterStop = (act: (baseUrl: string) => void): Plant =>
	defect('http/send', 'send', (original) => async (request, requestContext) => {
		const { baseUrl } = await requestContext.context.getCredentials('webDataApi');
		requestContext.signal?.addEventListener('abort', () => act(String(baseUrl)), { once: true });
		return await original(request, requestContext);
	});

/** A detector that has never fired proves nothing. */
describe('the stop fuzz run reports', () => {
	const stopped = useStopRuns();
	const plant = usePlants('dist');
	const timers: NodeJS.Timeout[] = [];
	const sockets: Socket[] = [];

	afterEach(() => {
		for (const timer of timers.splice(0)) clearTimeout(timer);
		for (const socket of sockets.splice(0)) socket.destroy();
	});

	const controls: Array<{ what: string; operation: typeof search; plant: Plant; finding: RegExp }> =
		[
			{
				what: 'an execution that goes on',
				operation: agentRun,
				plant: defect(
					'jobs/poll',
					'poll',
					(original) =>
						async (look, deadline, requestContext, ...rest) =>
							await original(look, deadline, { ...requestContext, signal: undefined }, ...rest),
				),
				finding: /^went on for \d+ ms after the stop$/,
			},
			{
				what: 'a job that is not told to stop',
				operation: agentRun,
				plant: defect(
					'jobs/atEnd',
					'sendUncancellable',
					() => async () => await Promise.resolve({ ok: false, error: new Error('Not sent') }),
				),
				finding: /^left running: /,
			},
			{
				what: 'a timer that is left',
				operation: search,
				plant: afterStop(() => again(60_000, () => {}, timers)),
				finding: /^\d+ timers left$/,
			},
			{
				what: 'requests long after the end',
				operation: search,
				plant: afterStop((baseUrl) =>
					again(60_000, () => void fetch(`${baseUrl}/v2/team/queue-status`), timers),
				),
				finding: /^requests long after the end$/,
			},
			{
				what: 'a connection that is left',
				operation: search,
				plant: afterStop((baseUrl) => {
					const { port, hostname } = new URL(baseUrl);
					sockets.push(connect(Number(port), hostname));
				}),
				finding: /^\d+ connections left$/,
			},
		];

	it.each(controls)('$what', async ({ operation, plant: planted, finding }) => {
		plant(planted);
		const findingsOf = async (setup: Parameters<typeof stopped.ofOperation>[1]) =>
			await stopped.ofOperation(operation, setup);
		expect(await reported(stopSetups, findingsOf, finding)).toMatch(finding);
	});

	it('a result that a trigger loses', async () => {
		const finding = /^fired for nothing$/;
		plant((origin) => {
			const { SeenSet }: typeof import('../../nodes/runtime/values/seenSet') = require(
				`${projectRoot}/${origin}/nodes/runtime/values/seenSet`,
			);
			const spy = jest.spyOn(SeenSet.prototype, 'has').mockReturnValue(true);
			return () => spy.mockRestore();
		});
		expect(await reported(moments, stopped.ofCheck, finding)).toMatch(finding);
	});
});
