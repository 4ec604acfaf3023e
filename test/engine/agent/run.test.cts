import type { IDataObject } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { prompt, useAgents } from './agents.cjs';

const hour = 3_600_000;

/** Runs that poll: the job's end, whatever happens on the way to it. */
describe('an agent run that polls', () => {
	const agents = useAgents();
	const { testBed } = agents;
	const polls = (): number =>
		agents.requests.filter((request) => /^GET \/v2\/agent\/[\w-]+$/.test(request)).length;
	const deletes = (): string[] => agents.requests.filter((request) => request.startsWith('DELETE'));
	/** The one job of a test. */
	const job = () => testBed.service.context.agents.jobs[0];
	const lasting = (durationMs: number) => {
		testBed.service.context.agents.script.set({ durationMs });
	};

	it('comes out with its data and what is known about it', async () => {
		const run = await agents.run('run', { prompt });

		expect(run.error?.message).toBeUndefined();
		const [item, ...more] = run.output();
		expect(more).toEqual([]);
		expect(item.pairedItem).toEqual({ item: 0 });
		expect(item.json).toMatchObject({
			...(job().result?.data as IDataObject),
			jobId: job().id,
			request: {
				status: 'completed',
				creditsUsed: job().creditsUsed,
				threadId: job().about.threadId,
				model: 'spark-2',
			},
		});
		expect(run.hints()).toEqual([]);
	});

	it("is started once with n8n's Retry On Fail, though its data has an error", async () => {
		const body = { success: true, status: 'completed', data: { error: 'E17', cause: 'wind' } };
		testBed.service.faults.add({ kind: 'status', status: 200, body, path: '/v2/agent/*' });

		const run = await agents.run(
			'run',
			{ prompt },
			{ node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 } },
		);

		expect(run.output()[0].json).toMatchObject({ cause: 'wind', original: { error: 'E17' } });
		expect(run.output()[0].json).not.toHaveProperty('error');
		expect(agents.bodies).toHaveLength(1);
	});

	it('is started once and polled in growing pauses of 1 to 15 seconds', async () => {
		lasting(hour / 3);

		await agents.run('run', { prompt });

		const entries = testBed.service.log.entries;
		expect(agents.bodies).toHaveLength(1);
		const pauses = entries.slice(1).map(({ at }, index) => at - entries[index].at);
		expect(pauses[0]).toBeLessThanOrEqual(2_500);
		for (const pause of pauses) {
			expect(pause).toBeGreaterThanOrEqual(990);
			expect(pause).toBeLessThan(16_000);
		}
		expect(pauses.at(-2)).toBeGreaterThan(14_000);
	});

	describe('under trouble', () => {
		const look = { method: 'GET', path: '/v2/agent/*' };
		const passing: Array<[string, FaultInput]> = [
			['502 without a word', { ...look, kind: 'empty' }],
		];

		it.each(passing)('survives a dozen polls that fail: %s', async (_name, fault) => {
			testBed.service.faults.add({ ...fault, count: 12 });

			const run = await agents.run('run', { prompt });

			expect(run.error?.message).toBeUndefined();
			expect(run.output()[0].json).toMatchObject({
				jobId: job().id,
				request: { status: 'completed' },
			});
			expect(polls()).toBeGreaterThan(12);
			expect(agents.bodies).toHaveLength(1);
			expect(deletes()).toEqual([]);
		});

		it.each([[404, /Not Found/, /Get/]])(
			"ends with the job's id when looking is refused for good: %i",
			async (status, words, advice) => {
				testBed.service.faults.add({ ...look, kind: 'status', status, count: 100 });

				const run = await agents.run('run', { prompt });

				expect(run.status).toBe('error');
				expect(run.error?.message).toMatch(words);
				expect(run.error?.message).toContain(job().id);
				expect(run.error?.description).toMatch(advice);
				expect(run.error?.description).toMatch(/'Get'/);
			},
		);
	});

	describe('when the wait is over', () => {
		it('waits half an hour unless told otherwise', async () => {
			lasting(29 * 60_000);
			expect((await agents.run('run', { prompt })).status).toBe('success');
			lasting(31 * 60_000);
			expect((await agents.run('run', { prompt })).error?.message).toContain('30 minutes');
			lasting(40 * 60_000);
			expect((await agents.run('run', { prompt, options: { maxWait: 45 } })).status).toBe(
				'success',
			);
		});
	});
});
