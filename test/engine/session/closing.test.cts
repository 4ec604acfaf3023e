import type { INodeParameters } from 'n8n-workflow';
import { NODE_UNDER_TEST } from '../harness.cjs';
import { staysOpen, useSessions } from './sessions.cjs';

/** Open sessions cost by the minute: what an execution opened is closed with it. */
describe('a session that an execution opened', () => {
	const sessions = useSessions();
	const { testBed, time } = sessions;
	const deletes = () =>
		testBed.service.log.entries
			.filter(({ method }) => method === 'DELETE')
			.map(({ path, status }) => [path, status]);
	const closed = (jobId: string) => [`/v2/scrape/${jobId}/interact`, 200];
	const code = (parameters: INodeParameters = {}): INodeParameters => ({
		taskType: 'code',
		code: 'console.log(1)',
		...parameters,
	});

	it('is closed when the execution has ended, after its last node', async () => {
		const account = testBed.account();
		const done: string[] = [];
		const onNodeDone = (name: string) => void done.push(`${name}: ${deletes().length}`);

		const run = await sessions.run('create', {}, { account, onNodeDone });

		expect(run.status).toBe('success');
		expect(done).toContain(`${NODE_UNDER_TEST}: 0`);
		expect(deletes()).toEqual([[`/v2/interact/${String(run.output()[0].json.id)}`, 200]]);
		expect(sessions.open(account)).toEqual([]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(2);
	});

	it('is closed once, however many items use it', async () => {
		const account = testBed.account();
		const [one, two] = [await sessions.scraped(account), await sessions.scraped(account)];
		const input = [one, two, one, one, two].map((jobId) => ({ jobId }));

		await sessions.run('interact', { jobId: '={{ $json.jobId }}', ...code() }, { account, input });

		expect(deletes().sort()).toEqual([one, two].sort().map(closed));
	});

	it('stays open when the user wants that', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);

		await sessions.run('interact', { jobId, ...code(), ...staysOpen }, { account });

		expect(sessions.open(account)).toHaveLength(1);
		expect(deletes()).toEqual([]);
	});

	it('stays open when it is another one that goes on', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const existingSessionId = await sessions.opened(account);
		const parameters = { jobId, ...code({ additionalFields: { existingSessionId } }) };

		const run = await sessions.run('interact', parameters, { account });

		expect(run.output()[0].json).toMatchObject({ sessionId: existingSessionId });
		expect(sessions.requests).toMatchObject([{ body: { existingSessionId } }]);
		expect(sessions.open(account)).toEqual([existingSessionId]);
	});

	it.each([402, 501])('is not asked to be closed when Interact was refused: %i', async (status) => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		testBed.service.faults.add({ method: 'POST', kind: 'status', status, count: 9 });

		const run = await sessions.run('interact', { jobId, ...code() }, { account });

		expect(run.status).toBe('error');
		expect(sessions.requests.map(({ method }) => method)).toEqual(['POST']);
	});

	it('is closed when the answer of Interact was lost', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		testBed.service.faults.add({ method: 'POST', kind: 'reset', stage: 'after' });

		await sessions.run('interact', { jobId, ...code() }, { account });

		expect(deletes()).toEqual([closed(jobId)]);
		expect(sessions.open(account)).toEqual([]);
	});

	it('is closed in spite of passing trouble, and its failure harms nobody', async () => {
		const account = testBed.account();
		testBed.service.faults.add(
			{ method: 'DELETE', kind: 'status', status: 503, count: 2 },
			{ method: 'DELETE', kind: 'reset' },
		);

		const run = await sessions.run('create', {}, { account });

		expect(run.status).toBe('success');
		expect(deletes()).toHaveLength(4);
		expect(sessions.open(account)).toEqual([]);

		testBed.service.faults.add({ method: 'DELETE', kind: 'status', status: 403 });
		const refused = await sessions.run('create', {}, { account });
		expect(refused.status).toBe('success');
		expect(refused.hints()).toEqual([]);
		expect(sessions.open(account)).toHaveLength(1);
	});

	it('is closed once when the execution is stopped while code runs', async () => {
		const account = testBed.account();
		const jobId = await sessions.scraped(account);
		const execution = sessions.start(
			'interact',
			{ jobId, ...code({ code: 'sleep 20', language: 'bash' }) },
			{ account },
		);
		await time.until(() => sessions.open(account).length === 1);

		execution.cancel();
		const run = await execution.done;
		await time.until(() => sessions.open(account).length === 0);
		await time.untilSilent();

		expect(run.status).toBe('canceled');
		expect(deletes()).toEqual([closed(jobId)]);
	});
});
