import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useTestBed } from '../testBed.cjs';

const host = 'https://tidewatch.example';
const tides = `${host}/guides/spring-tides`;

/** What comes out of a scrape. */
describe('a scraped page', () => {
	const testBed = useTestBed();
	const scrape = async (set: INodeParameters, account = testBed.account()) =>
		await testBed.run('page', 'scrape', { url: tides, ...set }, { account });

	it('is an item only if it changed, if that is chosen', async () => {
		const account = testBed.account();
		const set = {
			formats: ['markdown', 'changeTracking'],
			additionalFields: { maxAge: 0 },
			options: { onlyChanged: true },
		};

		const statuses = [];
		for (const markdown of [undefined, undefined, '# Other tides']) {
			if (markdown !== undefined) testBed.service.site.update(tides, { markdown });
			const items = (await scrape(set, account)).output();
			statuses.push(items.map(({ json }) => json.changeTracking));
		}
		expect(statuses).toMatchObject([[{ changeStatus: 'new' }], [], [{ changeStatus: 'changed' }]]);
	});

	it('says when a PDF was read in part', async () => {
		const url = `${host}/reports/annual-report.pdf`;

		const options = { output: 'fields', outputFields: 'metadata.numPages, metadata.totalPages' };
		const run = await scrape({ url, options, additionalFields: { parsers: { maxPages: 1 } } });

		const { numPages, totalPages } = Object(run.output()[0].json.metadata);
		expect(totalPages).toBeGreaterThan(numPages);
		expect(run.hints()).toMatchObject([
			{ message: expect.stringContaining(`Parsed in part: ${url} (1 of ${totalPages} pages)`) },
		]);
	});

	it.each([403, 404, 500])(
		'that answers with %i has this status, and is paid for',
		async (status) => {
			const account = testBed.account();
			testBed.service.site.update(tides, { status });

			const run = await scrape({ url: tides }, account);

			expect(run.status).toBe('success');
			expect(run.output()[0].json).toMatchObject({ url: tides, statusCode: status });
			expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
		},
	);
});

/** Reading a scrape again by its ID, and responses as they are. */
describe('a page of before', () => {
	const testBed = useTestBed();
	const raw = { options: { output: 'raw' } };
	const idIn = ({ scrapeId, metadata }: IDataObject) =>
		String(scrapeId ?? Object(metadata).scrapeId);

	it.each<[string, INodeParameters, (json: IDataObject) => IDataObject]>([
		['simplified', {}, (json) => json],
		['whole', raw, ({ data }) => data as IDataObject],
	])('is the same item as its scrape, without another visit and free: %s', async (_, set, of) => {
		const account = testBed.account();
		const scraped = await testBed.run('page', 'scrape', { url: tides, ...set }, { account });
		const [{ json }] = scraped.output();
		const jobId = idIn(of(json));

		const run = await testBed.run('page', 'get', { jobId, ...set }, { account });

		expect(of(json)).toMatchObject({ markdown: expect.stringContaining('tide') });
		expect(run.output()).toEqual([{ json, pairedItem: { item: 0 } }]);
		const requests = testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);
		expect(requests).toEqual(['POST /v2/scrape', `GET /v2/scrape/${jobId}`]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('that nobody scraped, or that was not to be kept, is an error with advice', async () => {
		const account = testBed.account();
		const additionalFields = { requestJson: '{"zeroDataRetention": true}' };
		const scraped = await testBed.run(
			'page',
			'scrape',
			{ url: tides, additionalFields },
			{ account },
		);
		const get = async (jobId: string) =>
			(await testBed.run('page', 'get', { jobId }, { account })).error;

		const unknown = await get('00000000-0000-4000-8000-000000000000');
		expect(unknown?.message).toMatch(/^Job not found.*HTTP 404/);
		expect(unknown?.description).toMatch(/ID.*24 hours/);
		expect((await get(idIn(scraped.output()[0].json)))?.message).toMatch(
			/Zero data retention.*HTTP 400/,
		);
	});

	it('that is an HTTP error is told once for all items', async () => {
		const site = 'https://tidewatch.example';
		const input = ['/guides/spring-tides', '/nothing-here', '/nor-here'].map((path) => ({
			url: site + path,
		}));

		const run = await testBed.run('page', 'scrape', { url: '={{ $json.url }}' }, { input });

		expect(run.hints()).toMatchObject([
			{
				message: expect.stringMatching(
					/^2 of 3 pages returned an HTTP error instead of content: .*\(404\), .*\(404\)\. 'statusCode'/,
				),
			},
		]);
	});
});
