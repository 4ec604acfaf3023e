import type { FaultInput } from '../mock/faults.cjs';
import { ask } from '../mock/testClient.cjs';
import type { EngineRun } from './harness.cjs';
import { jobKinds, slowDown, useJobs, withoutMark } from './jobKinds.cjs';

const minute = 60_000;
const hour = 60 * minute;

/** Start and Run begin the same job; who does not wait gets it at once. */
describe.each(jobKinds)('a job that is begun: $resource', (kind) => {
	const jobs = useJobs(kind);

	it('is named at once, and the same for Start and Run', async () => {
		const run = await jobs.run('start', kind.near);

		const [job] = jobs.underWay;
		const [{ json, pairedItem }, ...more] = run.output();
		expect([more, pairedItem]).toEqual([[], { item: 0 }]);
		expect(json.jobId ?? json.id).toBe(job.id);
		expect(jobs.testBed.service.log.entries).toHaveLength(1);

		slowDown(jobs.testBed.service, 1_000);
		await jobs.run('run', kind.near);
		const [one, other] = jobs.starts.map(({ body }) => withoutMark(body));
		expect(other).toEqual(one);
	});
});

/** A start is sent once: its job is continued if it has the start's own mark, and named otherwise. */
describe.each(jobKinds)('the start of $resource whose answer is lost', (kind) => {
	const { noun, path, list, isMarked } = kind;
	const jobs = useJobs(kind);
	const { testBed, time } = jobs;
	beforeEach(() => slowDown(testBed.service, 10_000));
	const start = { method: 'POST', path };
	const lost: FaultInput = { ...start, kind: 'reset', stage: 'after' };
	const lookups = () => testBed.service.log.of('GET', list);
	const started = () => kind.begun(testBed.service);
	const words = ({ error }: EngineRun) => `${error?.message} ${error?.description}`;

	it.each<[string, FaultInput]>([
		['with its connection', lost],
		['by a 500', { ...start, stage: 'after', kind: 'status', status: 500 }],
		["by a gateway's page", { ...start, stage: 'after', kind: 'html', status: 504 }],
		['by a page that says 200', { ...start, stage: 'after', kind: 'html', status: 200 }],
	])('%s is not sent again; its job is continued or named', async (_, fault) => {
		testBed.service.faults.add(fault);

		const ended = await jobs.run('run');

		expect([jobs.starts.length, lookups().length]).toEqual([1, 1]);
		const [{ id }] = started();
		if (isMarked) {
			expect(ended.output().map(({ json }) => json.jobId)).toEqual([id]);
			expect(ended.hints()).toMatchObject([{ message: expect.stringContaining(`job ${id}`) }]);
		} else {
			expect(ended.status).toBe('error');
			expect(words(ended)).toMatch(
				new RegExp(
					`may have been processed.*not retried.*the ${noun} ${id} \\(started 20[^)]+\\).*'Get'`,
				),
			);
			expect(jobs.deletes).toEqual([]);
		}
	});

	it.each<[string, FaultInput]>([
		['a lost connection', { ...start, kind: 'reset' }],
		['a 500', { ...start, kind: 'status', status: 500 }],
		["a proxy's 503", { ...start, kind: 'html', status: 503 }],
		["a gateway's JSON", { ...start, kind: 'status', status: 503, body: { message: 'none' } }],
	])('and that began nothing ends in an error after %s', async (_, fault) => {
		testBed.service.faults.add(fault);

		const ended = await jobs.run('run');

		expect([ended.status, jobs.starts.length]).toEqual(['error', 1]);
		expect(words(ended)).toMatch(/may have been processed.*not retried.*lists no such job/);
	});

	it("is not sent again by n8n's Retry On Fail, whose attempts end in the same error", async () => {
		testBed.service.faults.add({ ...start, kind: 'reset' });
		const node = {
			type: testBed.engine.typeName('webData'),
			...{ retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		};

		const ended = await jobs.run('run', {}, { node });

		expect([ended.status, jobs.starts.length]).toEqual(['error', 1]);
		expect(words(ended)).toMatch(/may have been processed.*not retried.*lists no such job/);
		expect(words(ended).match(/may have been processed/g)).toHaveLength(1);
	});

	it('is sent again after a refusal that began nothing', async () => {
		testBed.service.faults.add(
			{ ...start, kind: 'status', status: 503 },
			{ ...start, kind: 'status', status: 429, retryAfter: 1 },
		);

		expect((await jobs.run('run')).status).toBe('success');
		expect([jobs.starts.length, lookups().length, started().length]).toEqual([3, 0, 1]);
	});

	it('does not take the jobs of another client for its own, and names at most five', async () => {
		testBed.service.faults.add({ ...start, kind: 'reset' });
		const { done } = jobs.begin('run');
		await time.until(() => jobs.starts.length === 1);
		const ids: string[] = [];
		for (let count = 0; count < 6; count += 1) {
			const { id } = await ask<{ id: string }>(
				testBed.service,
				'POST',
				path,
				kind.body,
				jobs.account.key,
			);
			ids.push(id);
		}

		const ended = await time.drive(done);

		expect([ended.status, jobs.deletes]).toEqual(['error', []]);
		expect(jobs.starts).toHaveLength(7);
		expect(ids.filter((id) => words(ended).includes(id))).toHaveLength(isMarked ? 0 : 5);
		if (isMarked) expect(words(ended)).toMatch(/lists no such job/);
	});

	it.each<[string, FaultInput, RegExp, waits: number]>([
		['lists no jobs', { kind: 'status', status: 501, count: 99 }, /does not list its jobs/, 0],
		[
			"stays away until 'Max Retry Time'",
			{ kind: 'reset', count: 9_999 },
			/could not be reached to list its jobs/,
			5 * minute,
		],
	])('is an error that says so where the server %s', async (_, fault, expected, waits) => {
		testBed.service.faults.add(lost, { method: 'GET', path: list, ...fault });
		const begin = Date.now();

		const ended = await jobs.run('start');

		expect(ended.error?.message).toMatch(/^The server did not respond/);
		expect(words(ended)).toMatch(expected);
		expect(Date.now() - begin).toBeGreaterThanOrEqual(waits);
		expect(jobs.starts).toHaveLength(1);
	});

	it('waits for a server that restarts', async () => {
		slowDown(testBed.service, hour);
		const restarts = { method: 'GET', path: list, kind: 'html', status: 502, count: 12 } as const;
		testBed.service.faults.add(lost, restarts);

		const ended = await jobs.run('start');

		const [{ id }] = started();
		if (isMarked) expect(ended.output()[0].json.jobId).toBe(id);
		else expect(words(ended)).toContain(id);
	});

	it('is not sent again when the execution is stopped while its job is looked up', async () => {
		slowDown(testBed.service, hour);
		testBed.service.faults.add(lost);
		const execution = jobs.begin('run');
		await time.until(() => started().length === 1);
		await time.pass(1_000);

		execution.cancel();
		expect((await execution.done).status).toBe('canceled');
		await time.pass(minute);

		expect(jobs.starts).toHaveLength(1);
	});
});
