import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { addressOf, page, topic, urlsOf, watcher } from '../engine/pollingTrigger/watching.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import { canaries, replay, scaled, seed, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { randomFaults } from './randomFaults.cjs';
import { triggerErrorFindings, type Findings } from './findings.cjs';
import { addressFindings, foreignFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { useForeignHost } from './useForeignHost.cjs';

/** Runs of some polls each. */
const runs = scaled(60);

/** The polling trigger while the service and the network misbehave. */
describe('chaos around the polling trigger', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const countPolls = useCount('polls under faults');
	const elsewhere = useForeignHost();

	const { webhookSecret } = canaries;
	const account = (): Account => canaryAccount(testBed.service, { webhookSecret });

	it('a search that is repeated loses nothing and fires for nothing twice', async () => {
		const round = fc.record({
			/** Results that appear, that vanish, that come back, and of which the title changes. */
			appear: fc.nat({ max: 3 }),
			vanish: fc.nat({ max: 1 }),
			back: fc.nat({ max: 1 }),
			change: fc.nat({ max: 1 }),
			restart: fc.boolean(),
			faults: randomFaults(elsewhere.url),
		});
		const calm = { appear: 0, vanish: 0, back: 0, change: 0, restart: true, faults: [] };
		const setups = fc.record({
			rounds: fc.array(round, { minLength: 1, maxLength: 6 }),
			executions: fc.constantFrom('one', 'each'),
			keeping: fc.constantFrom<'in memory' | 'staged'>('in memory', 'staged'),
			options: fc.record({ maxRetryTime: fc.constantFrom(0, 60, 600) }, { requiredKeys: [] }),
		});
		const findingsOf = async ({
			rounds,
			executions,
			keeping,
			options,
		}: typeof setups extends fc.Arbitrary<infer Setup> ? Setup : never): Promise<Findings> => {
			const { service } = testBed;
			const { site } = service;
			service.reset();
			const parameters: INodeParameters = { limit: 100, executions, options };
			const trigger = watcher(testBed, parameters, { keeping, account: account() });
			await time.drive(trigger.activate());
			// n8n does not always keep what the poll of the activation noted.
			await time.drive(trigger.poll());
			const there: string[] = [];
			const gone: string[] = [];
			const add = (name: string) => {
				site.add(page(name));
				there.push(name);
			};
			let appeared = 0;
			for (const { appear, vanish, back, change, restart, faults } of [...rounds, calm]) {
				for (const name of there.splice(0, vanish)) {
					site.remove(addressOf(name));
					gone.push(name);
				}
				gone.splice(0, back).forEach(add);
				for (let count = 0; count < appear; count += 1) add(`find-${(appeared += 1)}`);
				for (const name of there.slice(0, change)) {
					site.update(addressOf(name), { title: `${topic}, revision ${appeared}` });
				}
				service.faults.clear();
				service.faults.add(...faults.map((fault) => ({ ...fault })));
				countPolls();
				await time.drive(trigger.poll());
				await time.untilSilent();
				service.faults.clear();
				if (restart) await time.drive(trigger.restart());
			}
			// An answer in the place of the service's may hold results that never appeared.
			const known: unknown[] = Array.from({ length: appeared }, (_, at) =>
				addressOf(`find-${at + 1}`),
			);
			const fired = urlsOf(trigger.fired).filter((url) => known.includes(url));
			const strange = trigger.fired.length - fired.length;
			const isReplaced = rounds.some(({ faults }) =>
				faults.some((fault) => 'status' in fault && fault.status === 200),
			);
			const isOnce = new Set(fired).size === fired.length;
			const isAll = there.every((name) => fired.includes(addressOf(name)));
			return [
				...(isOnce && isAll && (strange === 0 || isReplaced)
					? []
					: [`appeared: ${appeared}, there: ${there.join()}; fired for: ${fired.join()}`]),
				...trigger.errors.flatMap(triggerErrorFindings),
				...secretFindings('what came of it', [trigger.executions, trigger.stored, trigger.errors]),
				...addressFindings(service.log.entries),
				...written.findings(),
				...foreignFindings(elsewhere.requests),
				...elsewhere.requests.map(({ method, path }) => `went elsewhere: ${method} ${path}`),
			];
		};

		await fc.assert(
			fc.asyncProperty(setups, async (setup) => {
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed, numRuns: runs, ...replay() },
		);
	});
});
