import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { mostKept, remembered, StartedJobs } from '../../../../nodes/runtime/jobs/startedJobs';

/** A workflow whose static data is this. */
const workflow = (data: IDataObject, id: string = randomUUID()) => ({
	getWorkflow: () => ({ id, name: 'A workflow', active: true }),
	getWorkflowStaticData: () => data,
});

describe('the memory of started jobs', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('is what n8n keeps for the workflow, and for the next process', () => {
		const data: IDataObject = {};
		const [key, id] = [randomUUID(), randomUUID()];
		new StartedJobs(workflow(data)).noteEnd(key, { id });
		const at = Date.now();
		expect(data).toEqual({ webDataJobs: { [key]: [at, id] } });

		const other = randomUUID();
		const stored = { webDataJobs: { [other]: [at, id] } };
		expect(new StartedJobs(workflow(stored)).find(other)).toEqual({ at, id });
	});

	it('holds the same for all executions of a workflow, so that none overwrites the others', () => {
		const id = randomUUID();
		const [one, other]: IDataObject[] = [{}, {}];
		const jobs = [one, other].map((data) => new StartedJobs(workflow(data, id)));
		jobs[0].noteEnd('a-key', { id: 'a' });
		jobs[1].noteEnd('b-key', { id: 'b' });
		for (const { webDataJobs } of [one, other]) {
			expect(Object.keys(webDataJobs as object).sort()).toEqual(['a-key', 'b-key']);
		}
	});

	it('forgets after 24 hours', () => {
		const data: IDataObject = {};
		const jobs = new StartedJobs(workflow(data));
		const key = randomUUID();
		jobs.noteEnd(key, { id: 'a' });
		jest.advanceTimersByTime(remembered - 1);
		expect(jobs.find(key)).toBeDefined();
		jest.advanceTimersByTime(1);
		expect(jobs.find(key)).toBeUndefined();
		jobs.noteEnd('another', { id: 'b' });
		expect(Object.keys(data.webDataJobs as object)).toEqual(['another']);
	});

	it('is bounded, the oldest first to go, and small', () => {
		const data: IDataObject = {};
		const jobs = new StartedJobs(workflow(data));
		for (let index = 0; index < mostKept + 20; index += 1) {
			jobs.noteEnd(`key-${index}`.padEnd(22, '-'), { id: randomUUID() });
			jest.advanceTimersByTime(1);
		}
		const kept = Object.keys(data.webDataJobs as object);
		expect(kept).toHaveLength(mostKept);
		expect(kept[0]).toMatch(/^key-20-/);
		expect(JSON.stringify(data).length).toBeLessThan(100 * mostKept);
	});

	it('takes nothing that it did not write', () => {
		const now = Date.now();
		const broken = { a: 'b', c: [now], d: ['now', 'id'], e: [now, '../x'], g: null };
		for (const webDataJobs of ['text', [], { ...broken, f: [now - remembered, 'id'] }]) {
			const jobs = new StartedJobs(workflow({ webDataJobs } as IDataObject));
			for (const key of ['a', 'c', 'd', 'e', 'f', 'g', '0']) expect(jobs.find(key)).toBeUndefined();
		}
	});

	it('remembers a lost start as the time in which it was sent, and disputes others of that time', () => {
		const jobs = new StartedJobs(workflow({}));
		const since = Date.now();
		const [one, other] = [randomUUID(), randomUUID()];
		jest.advanceTimersByTime(500);
		jobs.noteEnd(one, { lostSince: since });
		const lost = { at: since, until: since + 500 };
		expect(jobs.find(one)).toEqual(lost);
		expect(jobs.isDisputed(one, lost)).toBe(false);
		jobs.noteEnd(other, { lostSince: since + 200 });
		expect(jobs.isDisputed(one, lost)).toBe(true);
		jobs.noteEnd(randomUUID(), {});
	});

	it('knows whose a job is', () => {
		const jobs = new StartedJobs(workflow({}));
		const [key, id] = [randomUUID(), randomUUID()];
		jobs.noteFound(key, id, Date.now());
		expect(jobs.isOfAnother(id, key)).toBe(false);
		expect(jobs.isOfAnother(id, 'another')).toBe(true);
		jobs.forget(key);
		expect(jobs.find(key)).toBeUndefined();
	});
});
