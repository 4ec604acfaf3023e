import { join } from 'node:path';
import type { FaultInput } from '../../mock/faults.cjs';
import { projectRoot } from '../../root.cjs';
import { slowDown } from '../jobKinds.cjs';
import { sourcesOf, tides, useDocumentJobs } from '../documentJobs.cjs';

/** The key by which the hosted service, and no other, knows a start again. */
describe("a crawl's idempotency key", () => {
	const jobs = useDocumentJobs('crawl');
	const { testBed } = jobs;
	const parameters = { url: tides, limit: 1 };
	const start = { method: 'POST', path: '/v2/crawl' };
	const keys = () => jobs.starts.map(({ headers }) => headers['x-idempotency-key']);
	const statuses = () => jobs.starts.map(({ status }) => status);

	it('is not made for a server that is not the hosted one, which could fail over it', async () => {
		await jobs.run('run', parameters);

		expect(keys()).toEqual([undefined]);
	});

	describe('of the hosted service', () => {
		beforeEach(() => {
			// Long enough to be looked up while it runs.
			slowDown(testBed.service, 20_000);
			const credential: object = require(
				join(projectRoot, 'dist/nodes/runtime/http/credential.js'),
			);
			jest.spyOn(credential as { isHosted: () => boolean }, 'isHosted').mockReturnValue(true);
		});
		afterEach(() => jest.restoreAllMocks());

		it('is made for each start', async () => {
			await jobs.run('start', parameters);
			await jobs.run('start', parameters);

			const [one, other] = keys();
			expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
			expect(other).not.toBe(one);
		});

		it.each<[string, FaultInput]>([
			['a 502', { ...start, kind: 'status', status: 502 }],
			['a 500', { ...start, kind: 'status', status: 500 }],
			['a lost connection', { ...start, kind: 'reset' }],
		])('is kept for repeats after %s, for the first may have arrived', async (_, fault) => {
			testBed.service.faults.add({ ...fault, count: 2 });

			const items = await jobs.items(parameters);

			expect(sourcesOf(items)).toEqual([tides]);
			expect(jobs.starts).toHaveLength(3);
			expect(new Set(keys()).size).toBe(1);
			expect(jobs.charges).toHaveLength(1);
		});

		it('is replaced after a refusal that began nothing but may have used it up', async () => {
			testBed.service.faults.add({ ...start, kind: 'status', status: 503 });

			await jobs.items(parameters);

			expect(new Set(keys()).size).toBe(2);
		});

		it('is never replaced once a try may have arrived', async () => {
			testBed.service.faults.add(
				{ ...start, kind: 'status', status: 503 },
				{ ...start, kind: 'reset', stage: 'after' },
				{ ...start, kind: 'status', status: 503 },
			);

			await jobs.run('run', parameters);

			const [, second, ...later] = keys();
			expect(new Set([second, ...later]).size).toBe(1);
		});

		it.each<[string, FaultInput]>([
			['by a 502', { ...start, stage: 'after', kind: 'status', status: 502 }],
			['with its connection', { ...start, stage: 'after', kind: 'reset' }],
			['in half', { ...start, kind: 'truncate' }],
		])('names the crawl whose answer was lost %s: the repeat is told 409', async (_, fault) => {
			testBed.service.faults.add(fault);

			const run = await jobs.run('run', parameters);

			const [{ id }] = testBed.service.context.pageJobs.jobs;
			expect(run.error?.description).toContain(`the crawl ${id} (started`);
			expect(statuses().at(-1)).toBe(409);
			expect(jobs.starts).toHaveLength(2);
		});
	});
});
