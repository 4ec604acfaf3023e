import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed, type Account, type SearchOptions } from '../testBed.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const sources = values({ url: 'https://tidewatch.example/stations', reason: 'The table' });

/** What a team thinks of a search: one report counts, and gives back a credit. */
describe('feedback on a search', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const send = async (parameters: INodeParameters, options?: SearchOptions) =>
		await time.drive(testBed.run('search', 'feedback', parameters, options));
	/** Searches by the node, and answers the search's id as its items tell it. */
	const searched = async (account: Account): Promise<string> => {
		const run = await time.drive(testBed.search({ query: 'tide', limit: 1 }, { account }));
		testBed.service.log.clear();
		return String(Reflect.get(Object(run.output()[0].json.request), 'id'));
	};
	const good = (jobId: string): INodeParameters => ({
		jobId,
		rating: 'good',
		valuableSources: sources,
	});

	it.each<[string, INodeParameters, object]>([
		[
			'good, by its sources',
			{ rating: 'good', valuableSources: values({ url: 'tidewatch.example', reason: '' }) },
			{ rating: 'good', valuableSources: [{ url: 'http://tidewatch.example' }] },
		],
		[
			'with all of it',
			{
				rating: 'partial',
				valuableSources: sources,
				missingContent: values({ topic: 'Baltic' }),
				querySuggestions: 'Name the sea',
			},
			{
				rating: 'partial',
				valuableSources: [{ url: 'https://tidewatch.example/stations', reason: 'The table' }],
				missingContent: [{ topic: 'Baltic' }],
				querySuggestions: 'Name the sea',
			},
		],
	])('is sent: %s', async (_name, parameters, body) => {
		const account = testBed.account();
		const jobId = await searched(account);

		const run = await send({ jobId: ` ${jobId} `, ...parameters }, { account });

		expect(run.error?.message).toBeUndefined();
		expect(testBed.requests).toEqual([
			{ method: 'POST', path: `/v2/search/${jobId}/feedback`, query: {}, body },
		]);
		expect(run.output()).toEqual([
			{
				json: {
					feedbackId: expect.any(String),
					creditsRefunded: 1,
					creditsRefundedToday: 1,
					dailyRefundCap: 100,
					jobId,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('counts once, however often it is sent', async () => {
		const account = testBed.account();
		const jobId = await searched(account);
		testBed.service.faults.add(
			{ path: '/v2/search/*', kind: 'reset', stage: 'after' },
			{ path: '/v2/search/*', kind: 'status', status: 502 },
		);

		const run = await send(good(jobId), { account });

		expect(testBed.requests).toHaveLength(3);
		expect(run.output()[0].json).toMatchObject({ alreadySubmitted: true, creditsRefunded: 0 });
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('shows that the cap of the day is reached', async () => {
		const account = testBed.account();
		const jobId = await searched(account);
		testBed.service.context.feedback.dailyRefundCap = 0;

		const run = await send(good(jobId), { account });

		expect(run.output()[0].json).toMatchObject({ dailyCapReached: true, creditsRefunded: 0 });
		expect(run.hints()).toMatchObject([{ message: expect.stringContaining('daily refund cap') }]);
	});
});
