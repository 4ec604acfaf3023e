import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../mock/faults.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import type { EngineRun } from './harness.cjs';
import { isFromElsewhere, jobKinds, slowDown, startElsewhere } from './jobKinds.cjs';
import { useTestBed, type SearchOptions } from './testBed.cjs';

const minute = 60_000;
const hour = 60 * minute;

/** A start is sent once: its job is continued if it has the start's own mark, and named otherwise. */
describe.each(jobKinds)('the start of $resource whose answer is lost', (kind) => {
	const { resource, noun, path, parameters, list, endpoint, isTold: isMarked } = kind;
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	beforeEach(() => slowDown(testBed.service, 10_000));
	const start = { method: 'POST', path };
	const lostAfter: FaultInput = { ...start, kind: 'reset', stage: 'after' };

	const run = async (
		operation: string,
		more: INodeParameters = {},
		options: SearchOptions = {},
	): Promise<EngineRun> =>
		await time.drive(testBed.begin(resource, operation, { ...parameters, ...more }, options).done);
	const starts = () =>
		testBed.service.log.of('POST', path).filter((entry) => !isFromElsewhere(entry));
	const deletes = () => testBed.service.log.entries.filter(({ method }) => method === 'DELETE');
	const lookups = () => testBed.service.log.of('GET', list);
	const jobsStarted = () =>
		testBed.service.context.activity.entries.filter((entry) => entry.endpoint === endpoint);
	const words = ({ error }: EngineRun) => `${error?.message} ${error?.description}`;

	it.each<[string, FaultInput]>([
		['with its connection', lostAfter],
		['by a 500', { ...start, stage: 'after', kind: 'status', status: 500 }],
		["by a gateway's page", { ...start, stage: 'after', kind: 'html', status: 504 }],
		['by a page that says 200', { ...start, stage: 'after', kind: 'html', status: 200 }],
	])('%s is not sent again; its job is continued or named', async (_, fault) => {
		testBed.service.faults.add(fault);

		const ended = await run('run');

		expect(starts()).toHaveLength(1);
		expect(lookups()).toHaveLength(1);
		const [{ id }] = jobsStarted();
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
			expect(deletes()).toEqual([]);
		}
	});

	it.each<[string, FaultInput]>([
		['a lost connection', { ...start, kind: 'reset' }],
		['a 500', { ...start, kind: 'status', status: 500 }],
		["a proxy's 503", { ...start, kind: 'html', status: 503 }],
		[
			"a gateway's JSON",
			{ ...start, kind: 'status', status: 503, body: { message: 'no upstream' } },
		],
	])('and that began nothing ends in an error after %s', async (_, fault) => {
		testBed.service.faults.add(fault);

		const ended = await run('run');

		expect(ended.status).toBe('error');
		expect(starts()).toHaveLength(1);
		expect(words(ended)).toMatch(/may have been processed.*not retried.*lists no such job/);
	});

	it('is sent again after a refusal that began nothing', async () => {
		testBed.service.faults.add(
			{ ...start, kind: 'status', status: 503 },
			{ ...start, kind: 'status', status: 429, retryAfter: 1 },
		);

		const ended = await run('run');

		expect(ended.status).toBe('success');
		expect(starts()).toHaveLength(3);
		expect(lookups()).toEqual([]);
		expect(jobsStarted()).toHaveLength(1);
	});

	it('does not take the jobs of another client for its own, and names at most five', async () => {
		const account = testBed.account();
		testBed.service.faults.add({ ...start, kind: 'reset' });
		const { done } = testBed.begin(resource, 'run', parameters, { account });
		await time.until(() => starts().length === 1);
		const ids: string[] = [];
		for (let count = 0; count < 6; count += 1)
			ids.push(await startElsewhere(testBed.service, account.key, path, kind.body));

		const ended = await time.drive(done);

		expect(ended.status).toBe('error');
		expect(deletes()).toEqual([]);
		expect(ids.filter((id) => words(ended).includes(id))).toHaveLength(isMarked ? 0 : 5);
		if (isMarked) expect(words(ended)).toMatch(/lists no such job/);
	});

	it('says so where the server lists no jobs', async () => {
		testBed.service.faults.add(lostAfter, {
			method: 'GET',
			path: list,
			kind: 'status',
			status: 501,
			count: 99,
		});

		const ended = await run('run');

		expect(ended.error?.message).toMatch(/^The server did not respond/);
		expect(words(ended)).toMatch(/does not list its jobs/);
		expect(starts()).toHaveLength(1);
	});

	it('waits for a server that restarts', async () => {
		slowDown(testBed.service, hour);
		testBed.service.faults.add(lostAfter, {
			method: 'GET',
			path: list,
			kind: 'html',
			status: 502,
			count: 12,
		});

		const ended = await run('start');

		const [{ id }] = jobsStarted();
		if (isMarked) expect(ended.output()[0].json.jobId).toBe(id);
		else expect(words(ended)).toContain(id);
	});

	it("ends after 'Max Retry Time' where the server stays away", async () => {
		testBed.service.faults.add(lostAfter, {
			method: 'GET',
			path: list,
			kind: 'reset',
			count: 9_999,
		});
		const begin = Date.now();

		const ended = await run('start');

		expect(words(ended)).toMatch(/could not be reached to list its jobs/);
		expect(Date.now() - begin).toBeGreaterThan(5 * minute);
	});

	it('is not cancelled when the execution is stopped while it is looked up', async () => {
		slowDown(testBed.service, hour);
		testBed.service.faults.add(lostAfter);
		const execution = testBed.begin(resource, 'run', parameters);
		await time.until(() => jobsStarted().length === 1);
		await time.pass(1_000);

		execution.cancel();
		expect((await execution.done).status).toBe('canceled');
		await time.pass(minute);

		expect(starts()).toHaveLength(1);
	});
});
