import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../mock-server/faults.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import type { EngineRun } from './harness.cjs';
import { jobKinds } from './jobKinds.cjs';
import { useTestBed, type SearchOptions } from './testBed.cjs';

const minute = 60_000;

/** A start is sent once, and the job that it began is found when its answer is lost. */
describe.each(jobKinds)('the start of $resource whose answer is lost', (kind) => {
	const { resource, path, parameters, each, lists, looksAt, endpoint } = kind;
	const looks = looksAt === undefined ? [] : [looksAt];
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const start = { method: 'POST', path };
	const lostAfter: FaultInput = { ...start, kind: 'reset', stage: 'after' };

	const run = async (
		operation: string,
		more: INodeParameters = {},
		options: SearchOptions = {},
	): Promise<EngineRun> =>
		await time.drive(testBed.begin(resource, operation, { ...parameters, ...more }, options).done);
	const starts = () => testBed.service.log.of('POST', path);
	const searches = () =>
		testBed.service.log.entries
			.filter((entry) => entry.method === 'GET' && lists.includes(entry.path))
			.map((entry) => entry.path)
			.sort();
	const jobsStarted = () =>
		testBed.service.context.activity.entries.filter((entry) => entry.endpoint === endpoint);
	const words = ({ error }: EngineRun) => `${error?.message} ${error?.description}`;

	it.each<[string, FaultInput]>([
		['with its connection', lostAfter],
		['in half', { ...start, kind: 'truncate' }],
		['by a 500', { ...start, stage: 'after', kind: 'status', status: 500 }],
		['by a 502', { ...start, stage: 'after', kind: 'status', status: 502 }],
		["by a gateway's page", { ...start, stage: 'after', kind: 'html', status: 504 }],
		['by a page that says 200', { ...start, stage: 'after', kind: 'html', status: 200 }],
		['by nothing', { ...start, stage: 'after', kind: 'empty', status: 200 }],
	])('%s is not sent again; the node goes on with the job that it began', async (_, fault) => {
		testBed.service.faults.add(fault);

		const ended = await run('run');

		expect(ended.status).toBe('success');
		expect(starts()).toHaveLength(1);
		expect(searches()).toEqual([...looks, ...lists]);
		const [{ id }] = jobsStarted();
		expect(ended.output().map(({ json }) => json.jobId)).toEqual(ended.output().map(() => id));
		expect(ended.output().length).toBeGreaterThan(0);
		expect(ended.hints()).toEqual([
			expect.objectContaining({ message: expect.stringContaining(`one job that fits, ${id}`) }),
		]);
	});

	it('names the job when it is not waited for', async () => {
		testBed.service.faults.add(lostAfter);

		const ended = await run('start');

		expect(ended.output()[0].json.jobId).toBe(jobsStarted()[0].id);
		expect(starts()).toHaveLength(1);
	});

	it.each<[string, FaultInput]>([
		['a lost connection', { ...start, kind: 'reset' }],
		['a 500', { ...start, kind: 'status', status: 500 }],
		['a 502', { ...start, kind: 'html', status: 502 }],
		["a proxy's 503", { ...start, kind: 'html', status: 503 }],
		["a proxy's 429", { ...start, kind: 'html', status: 429 }],
		["a CDN's 524", { ...start, kind: 'html', status: 524 }],
		[
			"a gateway's JSON",
			{ ...start, kind: 'status', status: 503, body: { message: 'no upstream' } },
		],
	])('and that began nothing ends in an error after %s', async (_, fault) => {
		testBed.service.faults.add(fault);

		const ended = await run('run');

		expect(ended.status).toBe('error');
		expect(starts()).toHaveLength(1);
		expect(words(ended)).toMatch(
			/may have been carried out.*not sent again.*lists no such job.*'Get Activity'/,
		);
	});

	it('is sent again after a refusal that began nothing', async () => {
		testBed.service.faults.add(
			{ ...start, kind: 'status', status: 503 },
			{ ...start, kind: 'status', status: 429, retryAfter: 1 },
		);

		const ended = await run('run');

		expect(ended.status).toBe('success');
		expect(starts()).toHaveLength(3);
		expect(searches()).toEqual(looks);
		expect(jobsStarted()).toHaveLength(1);
	});

	it('does not take a job for its own that was there before', async () => {
		const account = testBed.account();
		await run('start', {}, { account });
		await time.pass(minute);
		// Begun by nobody that this process knows.
		testBed.service.context.activity.entries.forEach(
			(entry) => (entry.id = entry.id.toUpperCase()),
		);
		testBed.service.faults.add({ ...start, kind: 'reset' });

		const ended = await run('start', {}, { account });

		expect(words(ended)).toMatch(/lists no such job/);
	});

	it('does not take the job of another item for its own', async () => {
		testBed.service.faults.add({ ...start, kind: 'reset' });

		const ended = await run('start', each, {
			input: [{}, {}],
			onError: 'continueRegularOutput',
		});

		const [{ id }] = jobsStarted();
		expect(jobsStarted()).toHaveLength(1);
		const ids = ended.output().map(({ json }) => json.jobId);
		expect(ids.filter(Boolean)).toEqual([id]);
		expect(
			ended.output().filter(({ json }) => /did not answer/.test(String(json.error))),
		).toHaveLength(1);
	});

	it('takes none of several for its own', async () => {
		testBed.service.faults.add({ ...lostAfter, count: 2 });

		const ended = await run('start', each, {
			input: [{}, {}],
			onError: 'continueRegularOutput',
		});

		expect(starts()).toHaveLength(2);
		const errors = ended.output().map(({ error }) => error);
		for (const error of errors) expect(error?.description).toMatch(/lists more than one job/);
	});

	it('keeps its own error when the lists cannot be read', async () => {
		for (const list of lists) {
			testBed.service.faults.add({
				method: 'GET',
				path: list,
				kind: 'status',
				status: 500,
				count: 9,
			});
		}
		testBed.service.faults.add(lostAfter);

		const ended = await run('run');

		expect(ended.error?.message).toMatch(/^The service did not answer/);
		expect(words(ended)).toMatch(/could not say whether there is such a job/);
		expect(starts()).toHaveLength(1);
	});

	it("is found before it is repeated by the user's leave, and repeated when it is not", async () => {
		// The start of the test before, of which nothing is known, could be confused with this one.
		await time.pass(minute);
		testBed.service.faults.add(lostAfter);
		const more = { retries: { repeatUncertain: true } };

		const found = await run('start', more);
		expect(found.output()[0].json.jobId).toBe(jobsStarted()[0].id);
		expect(starts()).toHaveLength(1);

		testBed.service.reset();
		testBed.service.faults.add({ ...start, kind: 'reset' });
		const repeated = await run('start', more);
		expect(repeated.status).toBe('success');
		expect(starts()).toHaveLength(2);
	});
});
