import { useTestBed } from '../testBed.cjs';

/** Reading a scrape again by its ID. */
describe('a scrape that was done before', () => {
	const testBed = useTestBed();
	const url = 'https://tidewatch.example/guides/spring-tides';

	/** Scrapes a page and answers its item. */
	const scraped = async (account: ReturnType<typeof testBed.account>, more = {}) => {
		const additionalFields = { requestJson: JSON.stringify(more) };
		const run = await testBed.run('page', 'scrape', { url, additionalFields }, { account });
		const [{ json }] = run.output();
		const { scrapeId } = json.metadata as { scrapeId: string };
		return { json, jobId: scrapeId };
	};

	it('is the same item, without another visit and free', async () => {
		const account = testBed.account();
		const { json, jobId } = await scraped(account);

		const run = await testBed.run('page', 'get', { jobId }, { account });

		expect(run.output()).toEqual([{ json, pairedItem: { item: 0 } }]);
		const requests = testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);
		expect(requests).toEqual(['POST /v2/scrape', `GET /v2/scrape/${jobId}`]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('brings its files', async () => {
		const account = testBed.account();
		const { jobId } = await scraped(account, { formats: ['screenshot'] });

		const run = await testBed.run(
			'page',
			'get',
			{ jobId, options: { downloadFiles: true } },
			{ account },
		);

		expect(run.output()[0].binary?.screenshot).toMatchObject({ mimeType: 'image/png' });
	});

	it('that nobody did is an error with advice', async () => {
		const jobId = '00000000-0000-4000-8000-000000000000';

		const run = await testBed.run('page', 'get', { jobId });

		expect(run.error?.message).toMatch(/^Job not found.*HTTP 404/);
		expect(run.error?.description).toMatch(/ID.*24 hours/);
	});

	it('that was not to be kept is an error', async () => {
		const account = testBed.account();
		const { jobId } = await scraped(account, { zeroDataRetention: true });

		const run = await testBed.run('page', 'get', { jobId }, { account });

		expect(run.error?.message).toMatch(/Zero data retention.*HTTP 400/);
	});
});
