import type { FaultInput } from '../mock/faults.cjs';
import { toldBy, toolTexts } from './fence.cjs';
import { jobKinds, slowDown, useJobs } from './jobKinds.cjs';

/** A tool returns a job that takes long before its client gives up, and the same call finds it again. */
describe.each(jobKinds)('a long job of a tool: $resource', (kind) => {
	const { noun, path } = kind;
	const jobs = useJobs(kind, 'webDataTool');
	const { testBed, time } = jobs;
	const slow = () => slowDown(testBed.service, 600_000);
	const spent = () => testBed.service.ledger.spent(jobs.account.team.id);

	it('comes after 45 s as its ID and state, with the way to its result, and goes on', async () => {
		slow();
		const start = Date.now();

		const ended = await jobs.run('run');

		expect((Date.now() - start) / 1000).toBeLessThan(51);
		const { before, inside } = toldBy(ended);
		const [job] = jobs.underWay;
		expect(inside).toContainEqual(expect.objectContaining({ jobId: job.id, status: kind.state }));
		const note = new RegExp(
			`^The ${noun} ${job.id} has not finished.*[Cc]all this tool again with the same arguments.*not charged again`,
		);
		expect(before).toEqual([{ notes: [expect.stringMatching(note)] }]);
		expect([kind.isStopped(job), jobs.deletes]).toEqual([false, []]);
	});

	it('is found by the same call, which waits on and pays nothing, until it has come', async () => {
		slow();
		await jobs.run('run');
		await jobs.run('run');
		await time.pass(3_600_000);
		const cost = spent();

		const ended = await jobs.run('run');

		expect([jobs.starts.length, spent()]).toEqual([1, cost]);
		expect(toolTexts(ended).error).toBeUndefined();
		expect(toldBy(ended).inside.at(-1)).not.toHaveProperty('status', kind.state);
	});

	it('is one job for calls at the same time, and for a call just after its result', async () => {
		const both = [jobs.begin('run'), jobs.begin('run')];
		await time.drive(Promise.all(both.map(async ({ done }) => await done)));
		await jobs.run('run');

		expect([jobs.starts.length, jobs.deletes]).toEqual([1, []]);
	});

	it('is one job where it is only started', async () => {
		const [one, other] = [await jobs.run('start'), await jobs.run('start')];

		expect(jobs.starts).toHaveLength(1);
		expect(JSON.stringify(toldBy(other).inside)).toContain(String(toldBy(one).inside[0].jobId));
	});

	const unknown: FaultInput = { method: 'GET', path: `${path}/*`, kind: 'status', status: 404 };
	const empty = { success: true, status: 'completed', completed: 0, total: 0, data: [] };
	it.each<[string, string, FaultInput]>([
		['does not know it yet', 'run', unknown],
		['does not know it yet', 'start', unknown],
		['says it has completed with nothing', 'run', { ...unknown, status: 200, body: empty }],
	])('is one job while the service %s: %s', async (_, operation, fault) => {
		testBed.service.faults.add(fault);
		const both = [jobs.begin(operation), jobs.begin(operation)];

		const ended = await time.drive(Promise.all(both.map(async ({ done }) => await done)));

		expect(jobs.starts).toHaveLength(1);
		const [job] = kind.begun(testBed.service);
		const told = operation === 'start' || kind.resource === 'agent' ? job.id : 'scrapeId';
		for (const each of ended) expect(JSON.stringify(toldBy(each).inside)).toContain(told);
	});

	it('is started once by calls at the same time, though the response to its start is lost', async () => {
		slowDown(testBed.service, 10_000);
		testBed.service.faults.add({ method: 'POST', path, kind: 'reset', stage: 'after' });
		const both = [jobs.begin('run'), jobs.begin('run')];

		const ended = await time.drive(Promise.all(both.map(async ({ done }) => await done)));

		expect(jobs.starts).toHaveLength(1);
		const [{ id }] = kind.begun(testBed.service);
		for (const each of ended) expect(JSON.stringify(each.output())).toContain(id);
	});

	it('is started anew a minute after its result, by another account, and for another request', async () => {
		await jobs.run('run');
		await time.pass(61_000);
		await jobs.run('run');
		expect(jobs.starts).toHaveLength(2);
		await jobs.run('run', kind.near);
		jobs.account = testBed.account();
		await jobs.run('run');

		expect(jobs.starts).toHaveLength(4);
	});

	it('is started anew where it was only started, and has ended since', async () => {
		await jobs.run('start');
		await time.pass(3_600_000);
		await jobs.run('start');

		expect(jobs.starts).toHaveLength(2);
	});

	it('goes on when one of two calls is stopped, for the other', async () => {
		slowDown(testBed.service, 20_000);
		const [one, other] = [jobs.begin('run'), jobs.begin('run')];
		await time.until(() => jobs.starts.length === 1);
		await time.pass(3_000);
		one.cancel();
		await time.drive(Promise.all([one.done, other.done]));

		expect([jobs.starts.length, jobs.deletes]).toEqual([1, []]);
	});

	it('is started anew after it has failed or was cancelled', async () => {
		slow();
		await jobs.run('run');
		const [job] = jobs.underWay;
		await fetch(`${testBed.service.url}${path}/${job.id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${jobs.account.key}` },
		});
		await time.pass(60_000);

		await jobs.run('run');

		expect(jobs.starts).toHaveLength(2);
	});

	it("ends with its error where the user's 'Max Wait' is shorter", async () => {
		slow();

		const ended = await jobs.run('run', { options: { maxWait: 0.2 } });

		expect(JSON.stringify(ended.output())).toMatch(/did not finish within 0.2 minutes/);
		expect(jobs.deletes).toHaveLength(1);
	});
});

describe('a crawl that a tool reads until its deadline', () => {
	const [, crawls] = jobKinds;
	const jobs = useJobs(crawls, 'webDataTool');
	const { testBed, time } = jobs;

	it('is read to its end by the same call, and not started again', async () => {
		slowDown(testBed.service, 10_000);
		const path = `${crawls.path}/*`;
		testBed.service.faults.add({ method: 'GET', path, kind: 'delay', delayMs: 8_000, count: 99 });
		const options = { output: 'fields', outputFields: 'url' };
		const set = { url: 'https://tidewatch.example/', limit: 25, options };
		const part = toldBy(await jobs.run('run', set));
		testBed.service.faults.clear();
		await time.pass(62_000);

		const whole = toldBy(await jobs.run('run', set));

		expect(JSON.stringify(part.inside)).toMatch(/is partial/);
		expect(whole.inside.length).toBeGreaterThan(part.inside.length);
		expect(jobs.starts).toHaveLength(1);
	});
});
