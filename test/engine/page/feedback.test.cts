import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed, type Account } from '../testBed.cjs';
import { page } from '../file/inputFiles.cjs';

const values = (...entries: INodeParameters[]): INodeParameters => ({ values: entries });
const url = 'https://tidewatch.example/guides/spring-tides';
const more = (additionalFields: INodeParameters): INodeParameters => ({ additionalFields });

/** Feedback on scraped pages, maps and parsed files. */
describe('feedback', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	/** What does the work of each kind, and the ID that its item names. */
	const kinds: Record<string, (account: Account) => Promise<unknown>> = {
		page: async (account) => {
			const run = await testBed.run('page', 'scrape', { url }, { account });
			return (run.output()[0].json.metadata as { scrapeId: string }).scrapeId;
		},
		map: async (account) => {
			const run = await testBed.run('map', 'get', { url, limit: 1 }, { account });
			return (run.output()[0].json.request as { id: string }).id;
		},
		file: async (account) => {
			const parameters = { binaryPropertyName: 'data' };
			const run = await testBed.run('file', 'parse', parameters, { account, input: [page()] });
			return (run.output()[0].json.metadata as { scrapeId: string }).scrapeId;
		},
	};
	const endpoints: Record<string, string> = { page: 'scrape', map: 'map', file: 'parse' };
	const reports = () => testBed.service.log.of('POST', '/v2/feedback');

	describe.each(Object.keys(kinds))('on a %s', (resource) => {
		const endpoint = endpoints[resource];
		const send = async (parameters: INodeParameters, account = testBed.account()) =>
			await testBed.run(resource, 'feedback', { rating: 'bad', ...parameters }, { account });

		it('is an item with its own ID, and free', async () => {
			const account = testBed.account();
			const jobId = String(await kinds[resource](account));
			const spent = testBed.service.ledger.spent(account.team.id);

			const run = await send({ jobId, note: 'The table is missing' }, account);

			expect(run.output()).toEqual([
				{
					json: {
						feedbackId: expect.any(String),
						jobId,
						creditsRefunded: 0,
						creditsRefundedToday: 0,
						dailyRefundCap: 100,
					},
					pairedItem: { item: 0 },
				},
			]);
			expect(reports().map(({ body }) => body)).toEqual([
				{ endpoint, jobId, rating: 'bad', note: 'The table is missing' },
			]);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(spent);
		});

		it('goes with every field', async () => {
			const account = testBed.account();
			const jobId = String(await kinds[resource](account));

			const run = await send(
				{
					jobId,
					rating: 'partial',
					note: 'n',
					missingContent: values({ topic: 'Neaps', description: 'all' }),
					valuableSources: values({ url, reason: 'clear' }),
					...more({
						issues: 'missing-table, wrong_language',
						metadata: '{"run": 7}',
						pageNumbers: '1, 4',
						querySuggestions: 'q',
						tags: 'nightly',
						url,
					}),
				},
				account,
			);

			expect(run.error).toBeUndefined();
			expect(reports()[0].body).toEqual({
				endpoint,
				jobId,
				rating: 'partial',
				note: 'n',
				issues: ['missing-table', 'wrong_language'],
				metadata: { run: 7 },
				missingContent: [{ topic: 'Neaps', description: 'all' }],
				pageNumbers: [1, 4],
				querySuggestions: 'q',
				tags: ['nightly'],
				url,
				valuableSources: [{ url, reason: 'clear' }],
			});
		});

		it('sent again, also because the answer was lost, counts once', async () => {
			const account = testBed.account();
			const jobId = String(await kinds[resource](account));
			testBed.service.faults.add({ kind: 'reset', stage: 'after', path: '/v2/feedback' });

			const run = await time.drive(send({ jobId, note: 'n' }, account));

			expect(reports()).toHaveLength(2);
			expect(run.output()[0].json).toMatchObject({ alreadySubmitted: true, creditsRefunded: 0 });
		});
	});

	it('of a team that wants none is an error that says what to do', async () => {
		const account = testBed.account();
		const jobId = String(await kinds.page(account));
		testBed.service.faults.add({
			...{ path: '/v2/feedback', kind: 'status', status: 403 },
			body: { success: false, error: 'Opted out.', feedbackErrorCode: 'TEAM_OPTED_OUT' },
		});

		const parameters = { jobId, rating: 'bad', note: 'n' };
		const run = await testBed.run('page', 'feedback', parameters, { account });

		expect(run.error?.message).toMatch(/HTTP 403, TEAM_OPTED_OUT/);
		expect(run.error?.description).toMatch(/Remove this step/);
	});
});
