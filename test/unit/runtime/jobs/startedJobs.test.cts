import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { StartEnd, JobLookup } from '../../../../nodes/runtime/http/jobLookup';
import {
	competingStarts,
	isOfAnother,
	isOfAnotherRequest,
	mostStored,
	registerStart,
	reuseWindow,
	ReusableStarts,
	settleStart,
} from '../../../../nodes/runtime/jobs/startedJobs';
import { monotonicNow } from '../../../../nodes/runtime/values/clock';
import { endpointAt } from '../../requests.cjs';

/** A workflow whose static data is this. */
const workflow = (data: IDataObject, id: string = randomUUID()) => ({
	getWorkflow: () => ({ id, name: 'A workflow', active: true }),
	getWorkflowStaticData: () => data,
});

/** A start of a request that has ended so. */
function ended(key: string, end: StartEnd) {
	const start = registerStart({ key, isReusable: true });
	settleStart(start, end);
	return start;
}

const minute = 60_000;

describe('the registry of starts', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('is what n8n keeps for the workflow, and for the next process', () => {
		const data: IDataObject = {};
		const [key, id] = [randomUUID(), randomUUID()];
		new ReusableStarts(workflow(data)).store(ended(key, { id }));
		const at = Date.now();
		expect(data).toEqual({ webDataJobs: { [key]: [at, id] } });

		const other = randomUUID();
		const stored = { webDataJobs: { [other]: [at - minute, id] } };
		const found = new ReusableStarts(workflow(stored)).find(other);
		expect(found).toMatchObject({ id, at: monotonicNow() - minute });
	});

	it('holds the same for all executions of a workflow, so that none overwrites the others', () => {
		const id = randomUUID();
		const [one, other]: IDataObject[] = [{}, {}];
		const jobs = [one, other].map((data) => new ReusableStarts(workflow(data, id)));
		jobs[0].store(ended('a-key', { id: 'a' }));
		jobs[1].store(ended('b-key', { id: 'b' }));
		for (const { webDataJobs } of [one, other]) {
			expect(Object.keys(webDataJobs as object).sort()).toEqual(['a-key', 'b-key']);
		}
	});

	it('forgets after 24 hours', () => {
		const data: IDataObject = {};
		const jobs = new ReusableStarts(workflow(data));
		const key = randomUUID();
		jobs.store(ended(key, { id: 'a' }));
		jest.advanceTimersByTime(reuseWindow - 1);
		expect(jobs.find(key)).toBeDefined();
		jest.advanceTimersByTime(1);
		expect(jobs.find(key)).toBeUndefined();
		jobs.store(ended('another', { id: 'b' }));
		expect(Object.keys(data.webDataJobs as object)).toEqual(['another']);
	});

	it('is bounded, the oldest first to go, and small', () => {
		const data: IDataObject = {};
		const jobs = new ReusableStarts(workflow(data));
		for (let index = 0; index < mostStored + 20; index += 1) {
			jobs.store(ended(`key-${index}`.padEnd(22, '-'), { id: randomUUID() }));
			jest.advanceTimersByTime(1);
		}
		const kept = Object.keys(data.webDataJobs as object);
		expect(kept).toHaveLength(mostStored);
		expect(kept[0]).toMatch(/^key-20-/);
		expect(JSON.stringify(data).length).toBeLessThan(100 * mostStored);
	});

	it('takes nothing that it did not write', () => {
		const now = Date.now();
		const broken = { a: 'b', c: [now], d: ['now', 'id'], e: [now, '../x'], g: null };
		for (const webDataJobs of ['text', [], { ...broken, f: [now - reuseWindow, 'id'] }]) {
			const jobs = new ReusableStarts(workflow({ webDataJobs } as IDataObject));
			for (const key of ['a', 'c', 'd', 'e', 'f', 'g', '0']) expect(jobs.find(key)).toBeUndefined();
		}
	});

	it('keeps a lost start as the time in which it was sent, and the jobs that were there before', () => {
		const data: IDataObject = {};
		const key = randomUUID();
		const start = registerStart({ key, isReusable: true, before: ['a'] });
		const [since, at] = [monotonicNow(), Date.now()];
		jest.advanceTimersByTime(500);
		settleStart(start, { lostSince: since });
		new ReusableStarts(workflow(data)).store(start);
		expect(data).toEqual({ webDataJobs: { [key]: [at, at + 500, ['a']] } });
	});

	it('knows whose a job is', () => {
		const jobs = new ReusableStarts(workflow({}));
		const [key, id] = [randomUUID(), randomUUID()];
		jobs.noteFound(key, id, monotonicNow());
		expect(isOfAnotherRequest(id, key)).toBe(false);
		expect(isOfAnotherRequest(id, 'another')).toBe(true);
		jobs.forget(key);
		expect(jobs.find(key)).toBeUndefined();
		expect(isOfAnotherRequest(id, 'another')).toBe(false);
	});

	describe('of the same target', () => {
		const lists: JobLookup['lists'] = [];
		const traces: JobLookup = { lists, matchBy: [randomUUID()], excludes: () => false };
		const begin = (given: JobLookup | undefined = traces) =>
			registerStart({ key: randomUUID(), jobLookup: given });
		const rivalsOf = (start: ReturnType<typeof begin>) => competingStarts(start, 2_000);
		// What other tests have started is long past.
		beforeEach(() => jest.advanceTimersByTime(60 * minute));

		it('names the starts whose jobs are not known', () => {
			const [own, other] = [begin(), begin()];
			expect(rivalsOf(own)).toEqual([other]);
			settleStart(other, { id: 'a' });
			expect(rivalsOf(own)).toEqual([]);
			expect(isOfAnother('a', own)).toBe(true);
			expect(isOfAnother('a', other)).toBe(false);
			settleStart(own, 'refused');
		});

		it('names none that was refused, has another target, or ended before', () => {
			const refused = begin();
			settleStart(refused, 'refused');
			const lost = begin();
			settleStart(lost, { lostSince: monotonicNow() });
			begin({ ...traces, matchBy: [randomUUID()] });
			begin({ ...traces, lists: [{ endpoint: endpointAt('GET', '/another'), entries: 'data' }] });
			jest.advanceTimersByTime(2_001);
			expect(rivalsOf(begin())).toEqual([]);
		});

		it('forgets those that cannot be reused in 10 minutes', () => {
			const own = begin();
			settleStart(begin(), { id: 'b' });
			jest.advanceTimersByTime(10 * minute);
			begin();
			expect(isOfAnother('b', own)).toBe(false);
		});
	});
});
