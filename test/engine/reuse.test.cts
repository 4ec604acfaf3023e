import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../mock-server/faults.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import type { Engine, EngineRun } from './harness.cjs';
import { isFromElsewhere, jobKinds, slowDown, startElsewhere } from './jobKinds.cjs';
import { useTestBed, type Account } from './testBed.cjs';
import { freshEngine } from './trigger/triggers.cjs';

const other = 'https://tidewatch.example/guides/storm-surges';
const hour = 3_600_000;

/** A job that the same request has started is gone on with, so that nothing is paid for twice. */
describe.each(jobKinds)('Reuse Recent Job: $resource', (kind) => {
	const { resource, path, parameters, near, each, lists, endpoint, isTold } = kind;
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	let account: Account;
	let workflowId: string;
	beforeEach(() => {
		account = testBed.account();
		workflowId = randomUUID();
	});

	const reusing = (reuseJob: string, more: INodeParameters = {}): INodeParameters => ({
		...parameters,
		...more,
		retries: { reuseJob },
	});
	interface Given {
		engine?: Engine;
		account?: Account;
		input?: IDataObject[];
	}

	/** Runs the node in one and the same workflow. */
	const begin = (operation: string, set: INodeParameters, given: Given = {}) => {
		const { engine = testBed.engine, account: own = account, input } = given;
		return engine.startNode({
			credentials: { ...own.credentials },
			workflowId,
			parameters: { resource, operation, ...set },
			input,
		});
	};
	const run = async (operation: string, set: INodeParameters, given?: Given): Promise<EngineRun> =>
		await time.drive(begin(operation, set, given).done);
	const starts = () => testBed.service.log.of('POST', path);
	const jobs = () =>
		testBed.service.context.activity.entries
			.filter((entry) => entry.endpoint === endpoint)
			.map(({ id }) => id);
	const spent = () => testBed.service.ledger.spent(account.team.id);
	const idsOf = (ended: EngineRun) => [
		...new Set(ended.output().map(({ json }) => String(json.jobId))),
	];
	const words = ({ error }: EngineRun) => `${error?.message} ${error?.description}`;
	/** The node's own hints; the service warns of short crawls. */
	const hintsOf = (ended: EngineRun) =>
		ended
			.hints()
			.map(({ message }) => message)
			.filter((message) => !message.includes('broader coverage'));

	it('off, two equal starts make two jobs, and look for none', async () => {
		for (let count = 0; count < 2; count += 1) await run('start', parameters);
		await run('start', reusing('off'));

		expect(starts()).toHaveLength(3);
		expect(testBed.service.log.entries.filter(({ method }) => method === 'GET')).toEqual([]);
		const origins = starts().map(({ body }) => Reflect.get(Object(body), 'origin') as unknown);
		if (!isTold) expect(origins).toEqual([undefined, undefined, undefined]);
		else expect(new Set(origins).size).toBe(3);
	});

	it('gives the result of the job again, marked, and costs nothing', async () => {
		const first = await run('run', reusing('error'));
		expect(first.status).toBe('success');
		const cost = spent();
		await time.pass(hour);

		const again = await run('run', reusing('error'));

		expect(again.status).toBe('success');
		expect(starts()).toHaveLength(1);
		expect(spent()).toBe(cost);
		expect(idsOf(again)).toEqual(jobs());
		expect(again.output()).toHaveLength(first.output().length);
		for (const { json } of again.output()) expect(json.request).toMatchObject({ reused: true });
		for (const { json } of first.output()) expect(json.request).not.toHaveProperty('reused');
		expect(hintsOf(again)).toEqual([
			expect.stringMatching(/was reused from an earlier start of the same request, at no charge/),
		]);
	});

	it('names the job where it is only started, and where nobody waits', async () => {
		const first = await run('start', reusing('error'));
		const again = await run('start', reusing('error'));
		const unwaited = await run('run', reusing('error', { wait: 'none' }));

		expect(idsOf(again)).toEqual(idsOf(first));
		expect(idsOf(unwaited)).toEqual(idsOf(first));
		expect(starts()).toHaveLength(1);
		expect(again.output()).toHaveLength(1);
		expect(again.output()[0].json.request).toEqual({ reused: true });
	});

	it('waits for a job that runs, and does not end it when the wait is over', async () => {
		await run('start', reusing('error'));
		const again = await run('run', reusing('error'));
		expect(again.output().length).toBeGreaterThan(0);
		expect(idsOf(again)).toEqual(jobs());

		testBed.service.reset();
		slowDown(testBed.service, hour);
		account = testBed.account();
		await run('start', reusing('error'));
		const impatient = await run('run', reusing('error', { maxWait: 0.01 }));
		expect(words(impatient)).toMatch(/did not finish.*It is still running/);
		expect(testBed.service.log.entries.filter(({ method }) => method === 'DELETE')).toEqual([]);
	});

	it('polls a job that another execution has started, which nobody calls back for', async () => {
		await run('start', reusing('error'));
		const polled = await run('run', reusing('error', { wait: 'suspend' }));
		expect(polled.status).toBe('success');
		expect(idsOf(polled)).toEqual(jobs());
		expect(polled.output()[0].json.request).toMatchObject({ reused: true });
	});

	it.each<[string, () => Promise<unknown>]>([
		['of another request', async () => await run('run', { ...reusing('error'), ...near })],
		[
			'of another credential',
			async () => await run('start', reusing('error'), { account: testBed.account() }),
		],
		[
			'of more than 24 hours ago',
			async () => {
				await run('run', reusing('error'));
				await time.pass(25 * hour);
			},
		],
		[
			'that was cancelled',
			async () => {
				const [jobId] = idsOf(await run('start', reusing('error')));
				await run('cancel', { jobId });
				await time.pass(60_000);
			},
		],
	])('starts anew beside a job %s', async (_name, arrange) => {
		await arrange();
		const [earlier] = jobs();

		const ended = await run('run', reusing('error'));

		expect(ended.status).toBe('success');
		expect(starts()).toHaveLength(2);
		expect(idsOf(ended)).not.toContain(earlier);
	});

	it('starts anew when the job is gone, or has failed', async () => {
		const [gone] = idsOf(await run('start', reusing('error')));
		await time.pass(60_000);
		const look = { method: 'GET', path: `${path}/${gone}` };
		testBed.service.faults.add({ ...look, kind: 'status', status: 404 });
		testBed.service.context.pageJobs.paces.set({ failure: { afterPages: 0, error: 'No room' } });
		testBed.service.context.agents.script.set({ outcome: 'failed', error: 'Lost the thread' });
		const failed = await run('run', reusing('error'));
		expect(failed.status).toBe('error');
		expect(starts()).toHaveLength(2);

		await run('run', reusing('error'));
		expect(starts()).toHaveLength(3);
	});

	it('shares one job among items of the same request, in two executions at the same time', async () => {
		const set = reusing('error', each);
		const runs = await time.drive(
			Promise.all([1, 2].map(async () => await begin('run', set, { input: [{}, {}] }).done)),
		);

		expect(starts()).toHaveLength(1);
		for (const ended of runs) {
			expect(idsOf(ended)).toEqual(jobs());
			const from = new Set(ended.output().map(({ pairedItem }) => JSON.stringify(pairedItem)));
			expect(from.size).toBe(2);
		}
	});

	it('goes on with the job of a start whose answer was cut, when the workflow is run again', async () => {
		const start = { method: 'POST', path };
		// Of a crawl that has ended, nothing tells the options.
		slowDown(testBed.service, 300_000);
		testBed.service.faults.add({ ...start, kind: 'truncate' });
		// Read before the start, and not after it.
		for (const list of lists) {
			testBed.service.faults.add({
				method: 'GET',
				path: list,
				kind: 'status',
				status: 500,
				skip: 1,
				count: 3,
			});
		}
		const cut = await run('run', reusing('error'));
		expect(words(cut)).toMatch(/could not list its jobs/);
		expect(jobs()).toHaveLength(1);
		await time.pass(60_000);

		const again = await run('run', reusing('error'));

		expect(again.error).toBeUndefined();
		expect(starts()).toHaveLength(1);
		expect(idsOf(again)).toEqual(jobs());
		expect(again.output()).toHaveLength(resource === 'batch' ? 2 : again.output().length);
	});

	it('is not certain of a job that another client has started in the time of a lost start', async () => {
		testBed.service.faults.add({ method: 'POST', path, kind: 'reset' });
		const lost = begin('run', reusing('error'));
		await time.until(() => starts().length === 1);
		await startElsewhere(testBed.service, account.key, path, Object.values(kind.alike)[0]);
		expect((await time.drive(lost.done)).status).toBe('error');
		await time.pass(60_000);

		const again = await run('run', reusing('error'));

		if (again.error) expect(words(again)).toMatch(/may have the same request/);
		else expect(starts().filter((entry) => !isFromElsewhere(entry))).toHaveLength(2);
		expect(testBed.service.log.entries.filter(({ method }) => method === 'DELETE')).toEqual([]);
	});

	it('starts anew when a start began nothing', async () => {
		testBed.service.faults.add({ method: 'POST', path, kind: 'reset' });
		expect(words(await run('run', reusing('error')))).toMatch(/lists no such job/);
		await time.pass(60_000);
		const again = await run('run', reusing('error'));
		expect(again.error).toBeUndefined();
		expect(starts()).toHaveLength(2);
		expect(jobs()).toHaveLength(1);
	});

	describe('in a process that remembers nothing', () => {
		it.each(['error', 'reuse', 'startNew'])(
			'decides by what the lists tell: %s',
			async (unsure) => {
				await run('start', reusing('error'));
				const [id] = jobs();
				await time.pass(10_000);
				const engine = await freshEngine();

				const again = await run('run', reusing(unsure), { engine });

				if (isTold || unsure === 'reuse') {
					expect(again.error).toBeUndefined();
					expect(starts()).toHaveLength(1);
					expect(idsOf(again)).toEqual([id]);
				} else if (unsure === 'error') {
					expect(starts()).toHaveLength(1);
					expect(words(again)).toContain(`${id}, started at 20`);
					expect(words(again)).toMatch(/may have the same request.*Nothing was started/);
				} else {
					expect(starts()).toHaveLength(2);
					expect(idsOf(again)).not.toContain(id);
					expect(hintsOf(again)[0]).toContain(`whether the`);
				}
			},
		);

		it('starts what the lists do not show', async () => {
			await run('start', reusing('off', { url: other, urls: other, prompt: 'anything else' }));
			const engine = await freshEngine();
			const again = await run('run', reusing('error'), { engine });
			expect(again.error).toBeUndefined();
			expect(starts()).toHaveLength(2);
		});

		it('starts nothing while the lists cannot be read, unless told to', async () => {
			const blind: FaultInput = {
				method: 'GET',
				path: lists[0],
				kind: 'status',
				status: 500,
				count: 3,
			};
			testBed.service.faults.add(blind);
			const careful = await run('run', reusing('error'));
			expect(words(careful)).toMatch(/could not list existing jobs to find.*Nothing was started/);
			expect(starts()).toEqual([]);

			testBed.service.faults.add(blind);
			expect((await run('run', reusing('startNew'))).error).toBeUndefined();
			expect(starts()).toHaveLength(1);
		});
	});

	it('reserves nothing for a job that is reused, and sends nothing for an estimate', async () => {
		const first = await run('run', reusing('error'));
		const limits = { maxCreditsPerExecution: 0, maxCreditsPerDay: 0 };
		const again = await run('run', { ...reusing('error'), limits });
		expect(again.error).toBeUndefined();
		expect(again.output()).toHaveLength(first.output().length);

		testBed.service.log.clear();
		const estimated = await run('run', { ...reusing('error'), limits: { estimateOnly: true } });
		expect(estimated.output()[0].json).toHaveProperty('maxCredits');
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('is remembered by the workflow, in few bytes', async () => {
		const first = begin('start', reusing('error'));
		await time.drive(first.done);
		const stored = JSON.stringify(first.workflow.getStaticData('global'));
		expect(stored).toContain(jobs()[0]);
		expect(stored.length).toBeLessThan(150);
		expect(Reflect.get(first.workflow.staticData, '__dataChanged')).toBe(true);
	});
});
