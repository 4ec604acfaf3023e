import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../mock-server/faults.cjs';
import { useDrivenTime } from './drivenTime.cjs';
import type { EngineRun } from './harness.cjs';
import { batches, isFromElsewhere, jobKinds, slowDown, startElsewhere } from './jobKinds.cjs';
import { useTestBed, type Account, type SearchOptions } from './testBed.cjs';

const minute = 60_000;
const hour = 60 * minute;

/** A start is sent once, and the job that it began is found when its answer is lost. */
describe.each(jobKinds)('the start of $resource whose answer is lost', (kind) => {
	const { resource, noun, path, parameters, each, lists, looksAt, endpoint } = kind;
	const { isTold: isMarked } = kind;
	const looks = looksAt === undefined ? [] : [looksAt];
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	// Long enough to be looked up while it runs: of a crawl that has ended, nothing tells the options.
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
		// The service warns of short crawls.
		expect(ended.hints().filter(({ message }) => !message.includes('broader coverage'))).toEqual([
			expect.objectContaining({ message: expect.stringContaining(`one matching job, ${id}`) }),
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
			/may have been processed.*not retried.*lists no such job.*'Get Activity'/,
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
			ended.output().filter(({ json }) => /did not respond/.test(String(json.error))),
		).toHaveLength(1);
	});

	it('takes none of several for its own that nothing tells apart', async () => {
		testBed.service.faults.add({ ...lostAfter, count: 2 });

		const ended = await run('start', each, {
			input: [{}, {}],
			onError: 'continueRegularOutput',
		});

		expect(starts()).toHaveLength(2);
		const errors = ended.output().map(({ error }) => error);
		for (const error of errors) {
			// Each start of an agent carries a mark of its own.
			if (isMarked) expect(error).toBeUndefined();
			else for (const { id } of jobsStarted()) expect(error?.description).toContain(id);
		}
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

		expect(ended.error?.message).toMatch(/^The server did not respond/);
		expect(words(ended)).toMatch(/could not list its jobs/);
		expect(starts()).toHaveLength(1);
	});

	it("is found before it is repeated by the user's leave, and repeated when it is not", async () => {
		// The start of the test before, of which nothing is known, could be confused with this one.
		await time.pass(minute);
		testBed.service.faults.add(lostAfter);
		const more = { retries: { retryUnclearStarts: true } };

		const found = await run('start', more);
		expect(found.output()[0].json.jobId).toBe(jobsStarted()[0].id);
		expect(starts()).toHaveLength(1);

		testBed.service.reset();
		slowDown(testBed.service, 10_000);
		testBed.service.faults.add({ ...start, kind: 'reset' });
		const repeated = await run('start', more);
		expect(repeated.status).toBe('success');
		expect(starts()).toHaveLength(2);
	});

	describe('beside the job of another client', () => {
		let account: Account;
		beforeEach(async () => {
			account = testBed.account();
			await time.pass(minute);
		});
		const elsewhere = async (body: object): Promise<string> =>
			await startElsewhere(testBed.service, account.key, path, body);
		const givenOut = (ended: EngineRun) => ended.output().map(({ json }) => json.jobId);

		/** What the lists and the status of a job show to be of another request. */
		const toldApart = ['more URLs', 'a higher limit'];

		/** A start whose response is lost, and what another client starts when it has come in. */
		const lostBeside = async (
			fault: FaultInput,
			bodies: object[],
			{ operation = 'run', more = {} }: { operation?: string; more?: INodeParameters } = {},
		) => {
			testBed.service.faults.add(fault);
			const { done } = testBed.begin(resource, operation, { ...parameters, ...more }, { account });
			await time.until(() => starts().length === 1);
			const ids = [];
			for (const body of bodies) ids.push(await elsewhere(body));
			return { ended: await time.drive(done), ids };
		};

		describe.each(['run', 'start'])('%s', (operation) => {
			it.each([1_500, 30_000])(
				'does not take one of the same request that was started %i ms before it',
				async (earlier) => {
					const id = await elsewhere(kind.body);
					await time.pass(earlier);
					testBed.service.faults.add({ ...start, kind: 'reset' });

					const ended = await run(operation, {}, { account });

					expect(ended.status).toBe('error');
					expect(starts()).toHaveLength(1);
					expect(deletes()).toEqual([]);
					expect(givenOut(ended)).not.toContain(id);
				},
			);

			it.each(Object.entries(kind.alike))('does not take one with %s', async (name, body) => {
				const { ended, ids } = await lostBeside({ ...start, kind: 'reset' }, [body], { operation });

				expect(ended.status).toBe('error');
				expect(givenOut(ended)).toEqual([]);
				expect(deletes()).toEqual([]);
				expect(words(ended)).toMatch(/may have been processed/);
				const isNamed = !isMarked && !toldApart.includes(name);
				expect(words(ended)).toMatch(isNamed ? ids[0] : /lists no such job/);
			});

			it('names both where two workers have started the same', async () => {
				const { ended, ids } = await lostBeside(lostAfter, [kind.body], { operation });
				const [own] = jobsStarted()
					.map(({ id }) => id)
					.filter((id) => !ids.includes(id));

				expect(deletes()).toEqual([]);
				if (isMarked) {
					expect(givenOut(ended)).toContain(own);
					return;
				}
				expect(ended.status).toBe('error');
				for (const id of [own, ...ids]) expect(words(ended)).toContain(`the ${noun} ${id}`);
				expect(words(ended)).toMatch(/None was reused or cancelled.*'Get' with such an ID/);
			});
		});

		it.each(Object.entries(kind.alike))(
			'goes on with its own beside one with %s, or names both',
			async (name, body) => {
				slowDown(testBed.service, minute);
				const { ended, ids } = await lostBeside(lostAfter, [body]);
				const [own] = jobsStarted()
					.map(({ id }) => id)
					.filter((id) => !ids.includes(id));

				expect(deletes()).toEqual([]);
				expect(givenOut(ended)).not.toContain(ids[0]);
				if (isMarked || toldApart.includes(name)) expect(givenOut(ended)).toContain(own);
				else for (const id of [own, ...ids]) expect(words(ended)).toContain(id);
			},
		);

		it('proves nothing by time where the service names none', async () => {
			testBed.service.context.options.namesTime = false;
			testBed.service.faults.add(lostAfter);

			const ended = await run('start', {}, { account });

			const [{ id }] = jobsStarted();
			if (isMarked) expect(givenOut(ended)).toEqual([id]);
			else expect(words(ended)).toContain(`the ${noun} ${id}`);
		});

		it('is not put off by the clock of the machine', async () => {
			testBed.service.faults.add({ ...lostAfter, delayMs: 1_000 });
			const { done } = testBed.begin(resource, 'start', parameters, { account });
			await time.until(() => jobsStarted().length === 1);
			time.setForward(2 * hour);
			testBed.service.clock.hold(testBed.service.clock.now() - 2 * hour);
			testBed.service.clock.release();

			const ended = await time.drive(done);

			expect(givenOut(ended)).toEqual([jobsStarted()[0].id]);
		});
	});

	describe('and whose job is found in the lists', () => {
		beforeEach(async () => {
			slowDown(testBed.service, hour);
			// The start of the test before, whose job may not be known, could be confused with this one.
			await time.pass(minute);
		});

		it("is not cancelled when 'Max Wait' is over", async () => {
			testBed.service.faults.add(lostAfter);

			const ended = await run('run', { maxWait: 1 });

			const [{ id }] = jobsStarted();
			expect(words(ended)).toMatch(new RegExp(`${id} did not finish.*It is still running`));
			expect(deletes()).toEqual([]);
		});

		it('is named and not cancelled when the execution is stopped', async () => {
			testBed.service.faults.add(lostAfter);
			const execution = testBed.begin(resource, 'run', parameters);
			await time.until(() => jobsStarted().length === 1);
			await time.pass(30_000);

			execution.cancel();
			const { status, error } = await execution.done;
			await time.pass(minute);

			expect(status).toBe('canceled');
			expect(error?.description).toContain(`${noun} ${jobsStarted()[0].id} (still running)`);
			expect(deletes()).toEqual([]);
		});

		it('is not cancelled when the execution is stopped while it is looked up', async () => {
			testBed.service.faults.add(lostAfter);
			const execution = testBed.begin(resource, 'run', parameters);
			await time.until(() => jobsStarted().length === 1);
			await time.pass(1_000);

			execution.cancel();
			expect((await execution.done).status).toBe('canceled');
			await time.pass(minute);

			expect(deletes()).toEqual([]);
		});
	});
});

describe('the results of a batch that was found in the lists', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	it('do not come out where they are of other URLs', async () => {
		const { path, parameters } = batches;
		// The starts of the tests before, whose jobs may not be known, could be confused with this one.
		await time.pass(minute);
		slowDown(testBed.service, 10_000);
		const account = testBed.account();
		testBed.service.faults.add({ method: 'POST', path, kind: 'reset' });
		const { done } = testBed.begin('batch', 'run', parameters, { account });
		await time.until(() => testBed.service.log.of('POST', path).length === 1);
		// As many, and the first is the same.
		const [first] = String(parameters.urls).split(', ');
		const body = { urls: [first, 'https://tidewatch.example/'] };
		const id = await startElsewhere(testBed.service, account.key, path, body);

		const ended = await time.drive(done);

		expect(ended.error?.message).toContain(`The batch ${id}`);
		expect(ended.error?.description).toMatch(/not cancelled.*is unknown/);
		const deletes = testBed.service.log.entries.filter(({ method }) => method === 'DELETE');
		expect(deletes).toEqual([]);
	});
});
