import type { INodeParameters } from 'n8n-workflow';
import { page, staysOpen, useSessions } from './sessions.cjs';

/** What operations on browser sessions send, and what comes out. */
describe('a browser session', () => {
	const sessions = useSessions();
	const { testBed } = sessions;
	const bodies = () => sessions.requests.map(({ body }) => body);

	it('keeps its page from one item to the next, which take turns', async () => {
		const account = testBed.account();
		const sessionId = await sessions.opened(account);
		const codes = [
			`await page.goto('${page}')`,
			`await page.waitForTimeout(5000); await page.goto('https://tidewatch.example/')`,
			'console.log(page.url())',
		];

		const run = await sessions.run(
			'execute',
			{ sessionId, code: '={{ $json.code }}' },
			{ account, input: codes.map((code) => ({ code })) },
		);

		expect(bodies()).toMatchObject(codes.map((code) => ({ code })));
		expect(run.output()[2].json.stdout).toBe('https://tidewatch.example/\n');
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual(
			codes.map((_, item) => ({ item })),
		);
	});

	it.each<[string, INodeParameters, object, number[]]>([
		['all', { returnAll: true }, {}, [2, 1, 0]],
		['as many as wanted', { limit: 1 }, {}, [2]],
		[
			'those that are closed',
			{ returnAll: true, additionalFields: { status: 'destroyed' } },
			{ status: 'destroyed' },
			[0],
		],
	])('is in the list of %s, the newest first', async (_name, parameters, query, places) => {
		const account = testBed.account();
		const closed = await sessions.opened(account);
		await sessions.run('delete', { sessionId: closed }, { account });
		const ids = [closed, await sessions.opened(account), await sessions.opened(account)];

		const run = await sessions.run('getAll', parameters, { account });

		expect(sessions.requests).toMatchObject([{ path: '/v2/interact', query }]);
		expect(run.output().map(({ json }) => [json.id, json.status, json.position])).toEqual(
			places.map((place, index) => [ids[place], place ? 'active' : 'destroyed', index + 1]),
		);
	});

	it('on a scraped page is worked on by a prompt, and answers', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const before = testBed.service.ledger.spent(account.team.id);
		const prompt = 'Press "Load earlier readings", then say: which was the highest?';

		const run = await sessions.run('interact', { jobId, prompt, ...staysOpen }, { account });

		expect(bodies()).toEqual([{ prompt }]);
		const [sessionId] = sessions.open(account);
		expect(run.output()).toMatchObject([
			{ json: { success: true, sessionId, jobId, output: expect.stringContaining(prompt) } },
		]);
		await sessions.run('stop', { jobId }, { account });
		expect(testBed.service.ledger.spent(account.team.id) - before).toBe(7);
	});

	it('on a scraped page is worked on by code with everything set, and a prompt left over', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const limits = { timeout: 90, ttl: 60, activityTtl: 20 };
		const code = 'console.log(page.url())';
		const additionalFields = { ...limits, ...staysOpen.additionalFields };
		const parameters = { jobId, prompt: 'Read', taskType: 'code', code, additionalFields };

		const run = await sessions.run('interact', parameters, { account });

		expect(bodies()).toEqual([{ code, language: 'node', ...limits }]);
		expect(run.output()[0].json).toMatchObject({ stdout: `${page}\n`, exitCode: 0, jobId });
	});
});
