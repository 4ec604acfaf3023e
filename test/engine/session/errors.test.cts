import type { INodeParameters } from 'n8n-workflow';
import { unknownId, useSessions } from './sessions.cjs';

const hour = 3_600_000;

/** The service's refusals, each with what a person can do about it. */
describe('a session operation that is refused', () => {
	const sessions = useSessions();
	const { testBed, time } = sessions;

	describe('because the session has ended', () => {
		const ended = 'The browser session is no longer open: Browser session';
		const closing = {
			execute: /Open a new session/,
			delete: /no session to close, and no more minutes/,
		};
		const operations = Object.entries(closing);

		it.each(operations)('by its ID being unknown: %s', async (operation, advice) => {
			const run = await sessions.run(operation, {
				sessionId: unknownId,
				code: '1',
			});

			expect(run.error?.message).toBe(`${ended} not found (HTTP 404) [item 0]`);
			expect(run.error?.description).toMatch(advice);
			expect(run.error).toMatchObject({ httpCode: '404' });
			expect(sessions.requests).toHaveLength(1);
		});

		it('by its idle time being over', async () => {
			const account = testBed.account();
			const sessionId = await sessions.opened(account, { activityTtl: 60 });
			await time.drive(testBed.service.clock.wait(60_001));

			const run = await sessions.run('execute', { sessionId, code: '1' }, { account });

			expect(run.error?.message).toBe(`${ended} has been destroyed (HTTP 410) [item 0]`);
			expect(run.error?.description).toMatch(
				/Open a new session.*'Time to Live' or 'Idle Timeout'/,
			);
		});

		it('on its page', async () => {
			const account = testBed.account();
			const jobId = await sessions.scraped(account);
			await sessions.run('interact', { jobId, prompt: 'Read' }, { account });

			const again = await sessions.run('interact', { jobId, prompt: 'Read' }, { account });
			const stopped = await sessions.run('stop', { jobId }, { account });

			expect(again.error?.message).toContain(`${ended} has been destroyed (HTTP 410)`);
			expect(again.error?.description).toMatch(/^Scrape the page again.*'Time to Live'/);
			expect(stopped.error?.message).toContain(`${ended} not found (HTTP 404)`);
			expect(stopped.error?.description).toMatch(/no session to close/);
		});
	});

	it('because the scraped page is unknown, of another team, or too old', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const message = async (id: string, options = {}) =>
			(await sessions.run('interact', { jobId: id, prompt: 'Read' }, options)).error;

		expect(await message(unknownId)).toMatchObject({
			message: expect.stringContaining('Job not found (HTTP 404) [item 0]'),
			description: expect.stringMatching(/check the ID/i),
		});
		expect(await message(jobId)).toMatchObject({ httpCode: '403' });
		await time.drive(testBed.service.clock.wait(hour + 1));
		expect(await message(jobId, { account })).toMatchObject({
			message: expect.stringContaining('Replay context is unavailable'),
		});
	});

	it('is not run twice when nothing tells whether it ran', async () => {
		const account = testBed.account();
		const sessionId = await sessions.opened(account);
		testBed.service.faults.add({ method: 'POST', kind: 'html', stage: 'after', count: 5 });

		const run = await sessions.run('execute', { sessionId, code: '1' }, { account });

		expect(run.status).toBe('error');
		expect(run.error?.description).toMatch(/may have been processed anyway, so it was not/);
		expect(sessions.requests).toHaveLength(1);
	});
});

/** Code that fails is paid for like code that works: nothing that it wrote is lost. */
describe('code that fails', () => {
	const sessions = useSessions();
	const { testBed } = sessions;
	const code = 'echo half of it\nnonsense\nexit 3';

	it.each(['execute', 'interact'])('is an error with all that it wrote: %s', async (operation) => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const sessionId = await sessions.opened(account);

		const run = await sessions.run(
			operation,
			{ sessionId, jobId, taskType: 'code', code, language: 'bash' },
			{ account },
		);

		expect(run.error?.message).toMatch(
			/^The code failed with exit code 3: .*nonsense.*\[item 0\]$/,
		);
		expect(run.error?.description).toContain('stderr:\nbash: nonsense: command not found');
		expect(run.error?.description).toContain('stdout:\nhalf of it');
		expect(run.error?.description).toMatch(/'On Failure' to 'Return an Item'/);
		expect(sessions.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it.each<[string, INodeParameters]>([
		['execute', {}],
		['execute', { additionalFields: { onFailedCode: 'item' } }],
		['interact', {}],
	])("is sent once with n8n's Retry On Fail: %s %j", async (operation, parameters) => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const sessionId = await sessions.opened(account);
		const response = { success: false, stdout: 'half of it', error: 'nonsense', exitCode: 3 };
		testBed.service.faults.add({
			method: 'POST',
			kind: 'status',
			status: 200,
			body: response,
			count: 9,
		});

		const run = await sessions.run(
			operation,
			{ sessionId, jobId, taskType: 'code', code, ...parameters },
			{ account, node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 } },
		);

		const { error: codeError, ...rest } = response;
		expect(run.output().map(({ json }) => json)).toMatchObject([{ ...rest, codeError }]);
		expect(run.output()[0].json).not.toHaveProperty('error');
		expect(run.hints()).toHaveLength('additionalFields' in parameters ? 0 : 1);
		expect(sessions.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('for its time was up, says so', async () => {
		const account = testBed.account();
		const sessionId = await sessions.opened(account);

		const run = await sessions.run(
			'execute',
			{
				sessionId,
				code: 'echo begun\nsleep 100',
				language: 'bash',
				additionalFields: { timeout: 2 },
			},
			{ account },
		);

		expect(run.error?.message).toMatch(
			/^The code was stopped before it finished with exit code 137/,
		);
		expect(run.error?.description).toMatch(/^Do less per run\. .*'Timeout'/);
		expect(run.error?.description).toContain('stdout:\nbegun');
	});
});
