import { prompt, useAgents } from './agents.cjs';

/** Looks at jobs have a bucket of their own in the service, and pass a rate limiter of their own. */
describe('twenty jobs that are polled at once', () => {
	const agents = useAgents();
	const { testBed } = agents;
	const second = 1000;
	const look = { method: 'GET', path: '/v2/agent/*' };

	/** Four executions on one credential, each with five jobs of so many milliseconds. */
	const startFour = (durationMs: number, parameters = {}) => {
		testBed.service.context.agents.script.set({ durationMs });
		const account = testBed.account();
		const executions = Array.from({ length: 4 }, () =>
			agents.start('run', { prompt, ...parameters }, { account, input: Array(5).fill({}) }),
		);
		return { account, executions };
	};

	const allLooks = () =>
		testBed.service.log.entries.filter(
			({ method, path }) => method === 'GET' && path.startsWith('/v2/agent/'),
		);

	it('pause together when one meets a 429 that names its wait', async () => {
		const error = 'Rate limit exceeded, please retry after 40s, resets at a later time';
		const body = { success: false, error };
		testBed.service.faults.add({ ...look, skip: 30, kind: 'status', status: 429, body });

		const { executions } = startFour(120 * second);
		const runs = await agents.time.drive(Promise.all(executions.map(({ done }) => done)));

		expect(runs.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		const looks = allLooks();
		const refused = looks.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(1);
		const [{ at }] = refused;
		// Those that were under way with it are answered.
		const early = looks.map((one) => one.at - at).filter((ms) => ms > 0 && ms < 40 * second);
		expect(early).toEqual([]);
		expect(looks.filter((one) => one.at >= at + 40 * second).length).toBeGreaterThanOrEqual(20);
	});

	it('end at once when they are stopped in the pause', async () => {
		testBed.service.faults.add({ ...look, kind: 'status', status: 429, retryAfter: 110 });

		const { executions } = startFour(3_600 * second);
		await agents.time.pass(20 * second);
		const before = Date.now();
		for (const { cancel } of executions) cancel();
		const runs = await agents.time.drive(Promise.all(executions.map(({ done }) => done)));

		expect(runs.map(({ status }) => status)).toEqual(Array(4).fill('canceled'));
		expect(Date.now()).toBe(before);
		await agents.time.untilSilent();
		expect(testBed.service.log.entries.filter(({ method }) => method === 'DELETE')).toHaveLength(
			20,
		);
	});
});
