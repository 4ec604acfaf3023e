import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { addressOf, page, urlsOf, watcher } from '../engine/pollingTrigger/watching.cjs';
import { signed, Triggers, watch } from '../engine/trigger/triggers.cjs';
import { useTestBed, type Account } from '../engine/testBed.cjs';
import type { FaultInput } from '../mock/faults.cjs';
import { canaries, replay, scaled, seed, useCount } from './fuzzRun.cjs';
import { canaryAccount } from './canaryAccount.cjs';
import { randomFaults, outages } from './randomFaults.cjs';
import { triggerErrorFindings, type Findings } from './findings.cjs';
import { oddValues } from './oddValues.cjs';
import { addressFindings, foreignFindings, secretFindings, useWrittenLines } from './secrets.cjs';
import { useForeignHost } from './useForeignHost.cjs';

/** Runs of each of the first two: some polls, or an activation and what follows it. */
const runs = scaled(60);

/** Calls from outside. */
const calls = scaled(400);

/** Both triggers while the service and the network misbehave, and while strangers call. */
describe('chaos around the triggers', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const written = useWrittenLines();
	const countPolls = useCount('polls under faults');
	const countActivations = useCount('activations under faults');
	const countCalls = useCount('calls of a webhook by strangers and by the service');
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
		const rounds = fc.array(
			fc.record({ appear: fc.nat({ max: 3 }), faults: randomFaults(elsewhere.url) }),
			{ minLength: 1, maxLength: 6 },
		);
		const setups = fc.record({
			rounds,
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
			service.reset();
			const parameters: INodeParameters = { limit: 100, executions, options };
			const trigger = watcher(testBed, parameters, { keeping, account: account() });
			await time.drive(trigger.activate());
			// n8n does not always keep what the poll of the activation noted.
			await time.drive(trigger.poll());
			const appeared: string[] = [];
			for (const { appear, faults } of [...rounds, { appear: 0, faults: [] }]) {
				for (let count = 0; count < appear; count += 1) {
					const name = `find-${appeared.length}`;
					service.site.add(page(name));
					appeared.push(addressOf(name));
				}
				service.faults.clear();
				disturb(faults);
				countPolls();
				await time.drive(trigger.poll());
				await time.untilSilent();
			}
			// An answer in the place of the service's may hold results that never appeared.
			const isReplaced = rounds.some(({ faults }) => faults.some(tells(200)));
			const fired = urlsOf(trigger.fired).filter(
				(url) => !isReplaced || appeared.some((each) => each === url),
			);
			const once = JSON.stringify([...fired].sort()) === JSON.stringify([...appeared].sort());
			return [
				...(once ? [] : [`appeared: ${appeared.join(' ')}; fired for: ${fired.join(' ')}`]),
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

	it('a call starts the workflow when it is genuine and new, and is answered in any case', async () => {
		const { service } = testBed;
		service.reset();
		const setting = { account: account(), secret: webhookSecret };
		const trigger = await triggers.trigger({ ...watch, events: ['changed', 'error'] }, setting);
		await time.drive(trigger.activate());
		const inherited = Object.keys(Object.prototype);
		const genuine = new Set<string>();

		const members = fc.record(
			{
				type: fc.oneof(fc.constantFrom<unknown>('monitor.page', 'crawl.page', '.'), oddValues()),
				webhookId: oddValues(),
				data: oddValues(),
				metadata: oddValues(),
				success: oddValues(),
			},
			{ requiredKeys: [] },
		);
		const bodies: fc.Arbitrary<string> = fc.oneof(
			{ weight: 3, arbitrary: fc.constant(null).map(() => triggers.pageEvent(trigger.address)) },
			{ weight: 3, arbitrary: members.map(asJson) },
			{ weight: 2, arbitrary: oddValues().map(asJson) },
			{ weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
			{
				weight: 2,
				arbitrary: fc.constantFrom(
					'{"type":"monitor.page","webhookId":"1","data":[{"__proto__":{"polluted":1},"status":"changed"}]}',
					'{"__proto__":{"type":"monitor.page","webhookId":"2"},"data":[]}',
					'{"type":"monitor.page","webhookId":"3","metadata":{"__proto__":{"registration":"created by n8n"}},"data":{"constructor":{"prototype":{"polluted":1}},"status":"changed"}}',
					`{"type":"monitor.page","webhookId":"4","data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
					`{"type":"monitor.page","webhookId":"${'x'.repeat(2_000_000)}","data":[]}`,
				),
			},
		);
		const signatures = fc.constantFrom('true', 'true', 'true', 'other', 'none', 'half', 'upper');
		const headersOf = (body: string, kind: string): Record<string, string> => {
			const right = signed(body, webhookSecret)['X-Firecrawl-Signature'];
			const given: Record<string, string | undefined> = {
				true: right,
				other: signed(body, `${webhookSecret}x`)['X-Firecrawl-Signature'],
				half: right.slice(0, 40),
				upper: right.toUpperCase(),
			};
			const signature = given[kind];
			return signature === undefined ? {} : { 'X-Firecrawl-Signature': signature };
		};

		await fc.assert(
			fc.asyncProperty(bodies, signatures, fc.boolean(), async (body, kind, again) => {
				const headers = headersOf(body, kind);
				const before = trigger.started.length;
				countCalls();
				if (again) countCalls();
				const statuses = [await triggers.call(trigger.address, body, headers)];
				if (again) statuses.push(await triggers.call(trigger.address, body, headers));
				const started = trigger.started.slice(before);

				const isGenuine = kind === 'true' || (kind === 'upper' && body === '');
				// n8n itself answers 422 to what is no JSON, before the node is asked.
				expect(statuses.filter((status) => ![200, 400, 401, 413, 422].includes(status))).toEqual(
					[],
				);
				if (!isGenuine)
					expect(statuses.filter((status) => [200, 400, 413].includes(status))).toEqual([]);
				const id = webhookIdIn(body);
				const isNew = isGenuine && id !== undefined && !genuine.has(id);
				expect(started.length).toBeLessThanOrEqual(isNew ? 1 : 0);
				if (isWhole(body) && isNew) expect(started).toHaveLength(1);
				if (started.length > 0 && id !== undefined) genuine.add(id);
				expect(harm([], [started])).toEqual([]);
				expect(Object.keys(Object.prototype)).toEqual(inherited);
				expect(Reflect.get({}, 'polluted')).toBeUndefined();
			}),
			{ seed, numRuns: calls, ...replay() },
		);
		expect(secretFindings('the static data', trigger.stored)).toEqual([]);
		expect(genuine.size).toBeGreaterThan(0);
	});
});

/** A value as JSON, where it has such a form. */
function asJson(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}

function parsed(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function webhookIdIn(body: string): string | undefined {
	const id: unknown = Reflect.get(Object(parsed(body)), 'webhookId');
	return typeof id === 'string' ? id : undefined;
}

/** Whether a body is an event as the service sends it. */
const isWhole = (body: string) =>
	body.includes('"metadata":{"registration":"created by n8n","trigger":');
