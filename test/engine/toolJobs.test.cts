import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from './drivenTime.cjs';
import { toldIn } from './fence.cjs';
import type { EngineRun } from './harness.cjs';
import { jobKinds, slowDown } from './jobKinds.cjs';
import { useTestBed, type Account } from './testBed.cjs';
import { toolTexts } from './toolTexts.cjs';

/** A tool returns a job that takes long before its client gives up, and the same call finds it again. */
describe.each(jobKinds)('a long job of a tool: $resource', (kind) => {
	const { resource, noun, path, parameters } = kind;
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	let account: Account;
	beforeEach(() => {
		account = testBed.account();
	});

	const begin = (set: INodeParameters = {}, operation = 'run') =>
		testBed.begin(
			resource,
			operation,
			{ ...parameters, ...set },
			{ account, node: { type: testBed.engine.typeName('webDataTool') } },
		);
	const run = async (set?: INodeParameters, operation?: string): Promise<EngineRun> =>
		await time.drive(begin(set, operation).done);
	const told = (ended: EngineRun) => toldIn(ended.output().map(({ json }) => json));
	const starts = () => testBed.service.log.of('POST', path);
	const cancelled = () =>
		testBed.service.log.entries.filter(({ method }) => method === 'DELETE').length;
	const spent = () => testBed.service.ledger.spent(account.team.id);

	it('comes after 45 s as its ID and state, with the way to its result, and goes on', async () => {
		slowDown(testBed.service, 600_000);
		const start = Date.now();

		const ended = await run();

		expect((Date.now() - start) / 1000).toBeLessThan(51);
		const { before, inside } = told(ended);
		const [job] = kind.underWay(testBed.service, account.team.id);
		expect(inside).toContainEqual(expect.objectContaining({ jobId: job.id, status: kind.state }));
		expect(before).toEqual([
			{
				notes: [
					expect.stringMatching(
						new RegExp(
							`^The ${noun} ${job.id} has not finished.*[Cc]all this tool again with the same arguments.*not charged again`,
						),
					),
				],
			},
		]);
		expect(kind.isStopped(job)).toBe(false);
		expect(cancelled()).toBe(0);
	});

	it('is found by the same call, which waits on and pays nothing, until it has come', async () => {
		slowDown(testBed.service, 600_000);
		await run();
		await run();
		expect(starts()).toHaveLength(1);
		await time.pass(3_600_000);
		const cost = spent();

		const ended = await run();

		expect(starts()).toHaveLength(1);
		expect(spent()).toBe(cost);
		expect(toolTexts(ended).error).toBeUndefined();
		expect(told(ended).inside.at(-1)).not.toHaveProperty('status', kind.state);
	});

	it('is one job for calls at the same time, and for a call just after its result', async () => {
		const both = [begin(), begin()];
		await time.drive(Promise.all(both.map(async ({ done }) => await done)));
		await run();

		expect(starts()).toHaveLength(1);
		expect(cancelled()).toBe(0);
	});

	it('is one job where it is only started', async () => {
		const [one, other] = [await run({}, 'start'), await run({}, 'start')];

		expect(starts()).toHaveLength(1);
		expect(JSON.stringify(told(other).inside)).toContain(String(told(one).inside[0].jobId));
	});

	it('is started anew a minute after its result, by another account, and for another request', async () => {
		await run();
		await time.pass(61_000);
		await run();
		expect(starts()).toHaveLength(2);
		await run(kind.near);
		account = testBed.account();
		await run();

		expect(starts()).toHaveLength(4);
	});

	it('is started anew after it has failed or was cancelled', async () => {
		slowDown(testBed.service, 600_000);
		await run();
		const [job] = kind.underWay(testBed.service, account.team.id);
		await fetch(`${testBed.service.url}${path}/${job.id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${account.key}` },
		});
		await time.pass(60_000);

		await run();

		expect(starts()).toHaveLength(2);
	});

	it("ends with its error where the user's 'Max Wait' is shorter", async () => {
		slowDown(testBed.service, 600_000);

		const ended = await run({ options: { maxWait: 0.2 } });

		expect(JSON.stringify(ended.output())).toMatch(/did not finish within 0.2 minutes/);
		expect(cancelled()).toBe(1);
	});
});
