import type { FaultInput } from '../../service/faults.cjs';
import { sourcesOf, storms, tides, useDocumentJobs } from '../documentJobs.cjs';

const ownKey = 'c0ffee00-0000-4000-8000-00000000beef';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A start is repeated under one key, so that it starts and bills one job whatever became of its answer. */
describe("a batch's idempotency key", () => {
	const jobs = useDocumentJobs('batch');
	const { bench } = jobs;
	const start = { method: 'POST', path: '/v2/batch/scrape' };
	const keys = () => jobs.starts.map(({ headers }) => headers['x-idempotency-key']);
	const statuses = () => jobs.starts.map(({ status }) => status);

	it('is made for each start, and stays out of the body', async () => {
		await jobs.run('start', { urls: tides });
		await jobs.run('start', { urls: tides });

		const [one, other] = keys();
		expect(one).toMatch(uuid);
		expect(other).toMatch(uuid);
		expect(one).not.toBe(other);
	});

	it("is the user's own when there is one, and stays out of the body", async () => {
		await jobs.run('start', { urls: tides, additionalFields: { idempotencyKey: ` ${ownKey}` } });

		expect(keys()).toEqual([ownKey]);
		expect(jobs.bodies).toEqual([{ urls: [tides], ignoreInvalidURLs: false }]);
	});

	it.each<[string, FaultInput]>([
		['a 502', { ...start, kind: 'status', status: 502 }],
		['a 500', { ...start, kind: 'status', status: 500 }],
		['a 429', { ...start, kind: 'status', status: 429 }],
		['a page of a proxy', { ...start, kind: 'html' }],
		['a lost connection', { ...start, kind: 'reset' }],
	])('lets a start be repeated after %s', async (_name, fault) => {
		bench.service.faults.add({ ...fault, count: 2 });

		const items = await jobs.items({ urls: `${tides}, ${storms}` });

		expect(sourcesOf(items)).toEqual([tides, storms]);
		expect(jobs.starts).toHaveLength(3);
		expect(new Set(keys()).size).toBe(1);
		const { jobId } = items[0].json;
		expect(jobs.charges).toEqual([
			[jobId, 1],
			[jobId, 1],
		]);
	});

	describe('whose job was started although its answer was lost', () => {
		it.each<[string, FaultInput]>([
			['by a 502', { ...start, stage: 'after', kind: 'status', status: 502 }],
			['with its connection', { ...start, stage: 'after', kind: 'reset' }],
			['in half', { ...start, kind: 'truncate' }],
		])('%s, says what happened, and bills one job', async (_name, fault) => {
			bench.service.faults.add(fault);
			const account = bench.account();

			const run = await jobs.run('run', { urls: tides }, { account });

			expect(statuses().at(-1)).toBe(409);
			expect(new Set(keys()).size).toBe(1);
			expect(jobs.starts).toHaveLength(2);
			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(/Idempotency key already used.*409.*\[item 0\]/);
			expect(run.error?.description).toMatch(
				/started with this key before.*a try whose answer was lost.*charged once/,
			);
			// The one job came to its end while the node waited to repeat the start.
			expect(jobs.charges).toEqual([[expect.any(String), 1]]);
			expect(bench.service.context.pageJobs.active(account.team.id, 'batch')).toEqual([]);
		});
	});

	it('starts nothing when the same workflow is run again with it', async () => {
		const account = bench.account();
		const parameters = { urls: tides, additionalFields: { idempotencyKey: ownKey } };
		const first = await jobs.run('run', parameters, { account });

		const again = await jobs.run('run', parameters, { account, onError: 'continueRegularOutput' });

		expect(first.status).toBe('success');
		expect(again.output()[0].json.error).toMatch(/Idempotency key already used/);
		expect(jobs.charges).toHaveLength(1);
	});
});
