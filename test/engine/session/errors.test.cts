import type { INodeParameters } from 'n8n-workflow';
import type { Account } from '../testBed.cjs';
import { useSessions } from './sessions.cjs';

const hour = 3_600_000;
const unknownId = '00000000-0000-4000-8000-000000000000';
const ended = 'The browser session is no longer open: Browser session';

/** The service's refusals, each with what a person can do about it. */
describe('a session operation that is refused', () => {
	const sessions = useSessions();
	const { testBed, time } = sessions;
	let account: Account;
	beforeEach(() => {
		account = testBed.account();
	});
	const errorOf = async (operation: string, parameters: INodeParameters, own = account) =>
		(await sessions.run(operation, parameters, { account: own })).error;

	it.each([
		['execute', /Open a new session/],
		['delete', /no session to close, and no more minutes/],
	])('because no session has the ID says what to do: %s', async (operation, advice) => {
		const error = await errorOf(operation, { sessionId: unknownId, code: '1' });

		expect(error?.message).toBe(`${ended} not found (HTTP 404) [item 0]`);
		expect(error?.description).toMatch(advice);
		expect(sessions.requests).toHaveLength(1);
	});

	it("because the session's idle time is over names the fields that lengthen it", async () => {
		const sessionId = await sessions.opened(account, { activityTtl: 60 });
		await time.drive(testBed.service.clock.wait(60_001));

		const error = await errorOf('execute', { sessionId, code: '1' });

		expect(error?.message).toBe(`${ended} has been destroyed (HTTP 410) [item 0]`);
		expect(error?.description).toMatch(/Open a new session.*'Time to Live' or 'Idle Timeout'/);
	});

	it("because the scraped page's session has ended says to scrape it again", async () => {
		const jobId = await sessions.scraped(account);
		await sessions.run('interact', { jobId, prompt: 'Read' }, { account });

		const again = await errorOf('interact', { jobId, prompt: 'Read' });
		const stopped = await errorOf('stop', { jobId });

		expect(again?.message).toContain(`${ended} has been destroyed (HTTP 410)`);
		expect(again?.description).toMatch(/^Scrape the page again.*'Time to Live'/);
		expect(stopped?.message).toContain(`${ended} not found (HTTP 404)`);
		expect(stopped?.description).toMatch(/no session to close/);
	});

	it('because the scraped page is unknown, of another team, or too old', async () => {
		const jobId = await sessions.scraped(account);
		const read = { jobId, prompt: 'Read' };

		expect(await errorOf('interact', { ...read, jobId: unknownId })).toMatchObject({
			message: expect.stringContaining('Job not found (HTTP 404) [item 0]'),
			description: expect.stringMatching(/check the ID/i),
		});
		expect(await errorOf('interact', read, testBed.account())).toMatchObject({ httpCode: '403' });
		await time.drive(testBed.service.clock.wait(hour + 1));
		expect((await errorOf('interact', read))?.message).toContain('Replay context is unavailable');
	});

	it('is not run twice when nothing tells whether it ran', async () => {
		const sessionId = await sessions.opened(account);
		testBed.service.faults.add({ method: 'POST', kind: 'html', stage: 'after', count: 5 });

		const error = await errorOf('execute', { sessionId, code: '1' });

		expect(error?.description).toMatch(/may have been processed anyway, so it was not/);
		expect(sessions.requests).toHaveLength(1);
	});
});

/** Code that fails is paid for like code that works: nothing that it wrote is lost. */
describe('code that fails', () => {
	const sessions = useSessions();
	const { testBed } = sessions;

	/** Runs code in a session of its own, opened or of a scraped page. */
	async function runCode(operation: string, code: INodeParameters, node = {}) {
		const account = testBed.account();
		const [jobId, sessionId] = [await sessions.scraped(account), await sessions.opened(account)];
		const parameters = { sessionId, jobId, taskType: 'code', ...code };
		return await sessions.run(operation, parameters, { account, node });
	}
	const posts = () => sessions.requests.filter(({ method }) => method === 'POST');

	it.each(['execute', 'interact'])('is an error with all that it wrote: %s', async (operation) => {
		const code = 'echo half of it\nnonsense\nexit 3';

		const { error } = await runCode(operation, { code, language: 'bash' });

		expect(error?.message).toMatch(/^The code failed with exit code 3: .*nonsense.*\[item 0\]$/);
		expect(error?.description).toContain('stderr:\nbash: nonsense: command not found');
		expect(error?.description).toContain('stdout:\nhalf of it');
		expect(error?.description).toMatch(/'On Failure' to 'Return an Item'/);
		expect(posts()).toHaveLength(1);
	});

	it.each<[string, INodeParameters]>([
		['execute', { additionalFields: { onFailedCode: 'item' } }],
		['interact', {}],
	])("is sent once with n8n's Retry On Fail: %s %j", async (operation, parameters) => {
		const body = { success: false, stdout: 'half of it', error: 'nonsense', exitCode: 3 };
		for (const path of ['/v2/interact/*', '/v2/scrape/*']) {
			testBed.service.faults.add({ path, kind: 'status', status: 200, body, count: 9 });
		}
		const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

		const run = await runCode(operation, { code: 'nonsense', ...parameters }, retried);

		const { error: codeError, ...rest } = body;
		expect(run.output().map(({ json }) => json)).toMatchObject([{ ...rest, codeError }]);
		expect(run.output()[0].json).not.toHaveProperty('error');
		expect(run.hints()).toHaveLength('additionalFields' in parameters ? 0 : 1);
		expect(posts()).toHaveLength(1);
	});

	it('for its time was up says so', async () => {
		const code = 'echo begun\nsleep 100';
		const additionalFields = { timeout: 2 };

		const { error } = await runCode('execute', { code, language: 'bash', additionalFields });

		expect(error?.message).toMatch(/^The code was stopped before it finished with exit code 137/);
		expect(error?.description).toMatch(/^Do less per run\. .*'Timeout'/);
		expect(error?.description).toContain('stdout:\nbegun');
	});
});
