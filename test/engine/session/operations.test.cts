import type { INodeParameters } from 'n8n-workflow';
import { page, staysOpen, useSessions } from './sessions.cjs';

/** Every operation on browser sessions: the one request that it sends, and what comes out. */
describe('a browser session', () => {
	const sessions = useSessions();
	const { testBed } = sessions;
	const post = (path: string, body: object) => ({
		method: 'POST',
		path,
		query: {},
		body,
	});

	it('is opened with everything set', async () => {
		const account = testBed.account();
		const body = {
			ttl: 30,
			activityTtl: 10,
			streamWebView: false,
			recordSession: false,
			profile: { name: 'shop', saveChanges: false },
		};
		const additionalFields = { ...staysOpen.additionalFields, ...body };

		const run = await sessions.run('create', { additionalFields }, { account });

		expect(run.error?.message).toBeUndefined();
		expect(sessions.requests).toEqual([post('/v2/interact', body)]);
		const [id] = sessions.open(account);
		expect(run.output()).toEqual([
			{
				json: {
					id,
					cdpUrl: expect.stringContaining(id),
					liveViewUrl: expect.stringContaining(id),
					interactiveLiveViewUrl: expect.stringContaining(id),
					expiresAt: expect.stringMatching(/Z$/),
				},
				pairedItem: { item: 0 },
			},
		]);
	});

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
			{
				sessionId,
				code: '={{ $json.code }}',
			},
			{ account, input: codes.map((code) => ({ code })) },
		);

		expect(sessions.requests.map(({ body }) => Reflect.get(Object(body), 'code'))).toEqual(codes);
		expect(run.output()[2].json.stdout).toBe('https://tidewatch.example/\n');
		expect(run.output().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	describe('in the list', () => {
		it.each<[string, INodeParameters, object, (open: string[], closed: string) => string[]]>([
			['all', { returnAll: true }, {}, ([one, two], closed) => [two, one, closed]],
			['as many as wanted', { limit: 1 }, {}, ([, two]) => [two]],
			[
				'those that are closed',
				{ returnAll: true, additionalFields: { status: 'destroyed' } },
				{ status: 'destroyed' },
				(_open, closed) => [closed],
			],
		])('shows %s', async (_name, parameters, query, expected) => {
			const account = testBed.account();
			const closed = await sessions.opened(account);
			await sessions.run('delete', { sessionId: closed }, { account });
			const open = [await sessions.opened(account), await sessions.opened(account)];

			const run = await sessions.run('getAll', parameters, { account });

			expect(sessions.requests).toEqual([
				{ method: 'GET', path: '/v2/interact', query, body: undefined },
			]);
			const ids = expected(open, closed);
			expect(run.output().map(({ json }) => [json.id, json.position])).toEqual(
				ids.map((id, index) => [id, index + 1]),
			);
			expect(run.output().map(({ json }) => json.status)).toEqual(
				ids.map((id) => (id === closed ? 'destroyed' : 'active')),
			);
		});
	});
});

/** Going on with a page that was scraped. */
describe('a scraped page', () => {
	const sessions = useSessions();
	const { testBed } = sessions;
	const prompt = 'Press "Load earlier readings", then say: which was the highest October reading?';

	it('is worked on by a prompt, and answers', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const before = testBed.service.ledger.spent(account.team.id);

		const run = await sessions.run('interact', { jobId, prompt, ...staysOpen }, { account });

		expect(sessions.requests).toEqual([
			{
				method: 'POST',
				path: `/v2/scrape/${jobId}/interact`,
				query: {},
				body: { prompt },
			},
		]);
		const [sessionId] = sessions.open(account);
		expect(run.output().map(({ json }) => json)).toMatchObject([
			{
				success: true,
				sessionId,
				jobId,
				output: expect.stringContaining(prompt),
			},
		]);
		await sessions.run('stop', { jobId }, { account });
		expect(testBed.service.ledger.spent(account.team.id) - before).toBe(7);
	});

	it('is worked on by code with everything set, and a prompt left over', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const limits = { timeout: 90, ttl: 60, activityTtl: 20 };
		const code = 'console.log(page.url())';

		const run = await sessions.run(
			'interact',
			{
				jobId,
				prompt,
				taskType: 'code',
				code,
				additionalFields: { ...limits, closeSession: false },
			},
			{ account },
		);

		expect(run.error?.message).toBeUndefined();
		expect(sessions.requests).toEqual([
			{
				method: 'POST',
				path: `/v2/scrape/${jobId}/interact`,
				query: {},
				body: { code, language: 'node', ...limits },
			},
		]);
		expect(run.output()[0].json).toMatchObject({ stdout: `${page}\n`, exitCode: 0, jobId });
	});
});
