import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { addressOf, page, topic, urlsOf, watcher } from '../engine/pollingTrigger/watching.cjs';
import { Triggers, watch } from '../engine/trigger/triggers.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import type { FaultInput } from '../mock/faults.cjs';
import { canaries, replay, scaled, seed, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { randomFaults, outages } from './randomFaults.cjs';
import { triggerErrorFindings, type Findings } from './findings.cjs';
import { addressFindings, foreignFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { useForeignHost } from './useForeignHost.cjs';

/** Runs of each of the first two: some polls, or an activation and what follows it. */
const runs = scaled(60);

/** Both triggers while the service and the network misbehave; what strangers send is in test/unit/hostileDeliveries. */
describe('chaos around the triggers', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const countPolls = useCount('polls under faults');
	const countActivations = useCount('activations under faults');
	const triggers = new Triggers(testBed);
	const elsewhere = useForeignHost();

	afterEach(async () => await triggers.close());

	const { webhookSecret } = canaries;
	const account = (): Account => canaryAccount(testBed.service, { webhookSecret });
	const disturb = (faults: FaultInput[]) =>
		testBed.service.faults.add(...faults.map((fault) => ({ ...fault })));

	/** Whether a fault answers with this status. */
	const tells =
		(status: number) =>
		(fault: FaultInput): boolean =>
			'status' in fault && fault.status === status;

	/** What may never be, whatever a trigger was asked to do. */
	const harm = (errors: unknown[], out: unknown): Findings => [
		...errors.flatMap(triggerErrorFindings),
		...secretFindings('what came of it', [out, errors]),
		...addressFindings(testBed.service.log.entries),
		...written.findings(),
		...foreignFindings(elsewhere.requests),
		...elsewhere.requests.map(({ method, path }) => `went elsewhere: ${method} ${path}`),
	];

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
				disturb(faults);
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
			const isReplaced = rounds.some(({ faults }) => faults.some(tells(200)));
			const isOnce = new Set(fired).size === fired.length;
			const isAll = there.every((name) => fired.includes(addressOf(name)));
			return [
				...(isOnce && isAll && (strange === 0 || isReplaced)
					? []
					: [`appeared: ${appeared}, there: ${there.join()}; fired for: ${fired.join()}`]),
				...harm(trigger.errors, [trigger.executions, trigger.stored]),
			];
		};

		await fc.assert(
			fc.asyncProperty(setups, async (setup) => {
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed, numRuns: runs, ...replay() },
		);
	});

	it('an activation leaves one monitor, or none', async () => {
		const trouble = fc.oneof(randomFaults(elsewhere.url), outages, fc.constant<FaultInput[]>([]));
		const setups = fc.record({ faults: trouble, faultsAtEnd: trouble });
		const findingsOf = async (setup: {
			faults: FaultInput[];
			faultsAtEnd: FaultInput[];
		}): Promise<Findings> => {
			const { service } = testBed;
			service.reset();
			const owner = account();
			const errors: unknown[] = [];
			const tried = async (work: Promise<void>): Promise<boolean> => {
				const before = errors.length;
				await time.drive(work.catch((error: unknown) => void errors.push(error)));
				await time.untilSilent();
				return errors.length === before;
			};
			const setting = { account: owner, secret: webhookSecret };
			const trigger = await triggers.trigger(watch, setting);
			const callers = () =>
				triggers.monitors.filter(({ settings }) => settings.webhook?.url === trigger.address);
			const findings: Findings = [];

			countActivations();
			disturb(setup.faults);
			const isActive = await tried(trigger.activate());
			service.faults.clear();
			if (isActive && callers().length !== 1) findings.push(`${callers().length} monitors call`);
			if (callers().length > 1) findings.push(`${callers().length} monitors after a failure`);

			disturb(setup.faultsAtEnd);
			await tried(trigger.deactivate());
			service.faults.clear();
			if (setup.faultsAtEnd.length === 0 && callers().length > 0) {
				findings.push(`${callers().length} monitors left by a deactivation without any trouble`);
			}
			// What trouble has left behind, the next activation takes up.
			if (!(await tried(trigger.activate()))) findings.push('not activated without any trouble');
			if (callers().length !== 1) findings.push(`${callers().length} monitors call in the end`);
			await tried(trigger.deactivate());
			if (callers().length > 0) findings.push(`${callers().length} monitors are left`);
			await trigger.close();
			return [...findings, ...harm(errors, trigger.stored)];
		};

		await fc.assert(
			fc.asyncProperty(setups, async (setup) => {
				expect(await findingsOf(setup)).toEqual([]);
			}),
			{ seed, numRuns: runs, ...replay() },
		);
	});
});
