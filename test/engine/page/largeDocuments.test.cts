import type { INodeParameters } from 'n8n-workflow';
import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed, type SearchOptions } from '../testBed.cjs';

/** Documents that take the service longer than one request may wait, on driven time (408 `processing_continues`). */
describe('a large document', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const url = 'https://portoffice.example/internal/perpetua-logbook.pdf';
	/** What the service answers while it reads a scan, which takes it 90 seconds. */
	const stillReading: FaultInput = {
		kind: 'status',
		status: 408,
		path: '/v2/scrape',
		retryAfter: 90,
		body: {
			success: false,
			code: 'SCRAPE_TIMEOUT',
			error:
				'The document is still being processed. Send the same request again to collect the result.',
			details: {
				state: 'processing_continues',
				jobStatus: 'running',
				documentPages: 12,
				estimatedRemainingSeconds: 90,
				retryAfterSeconds: 90,
			},
		},
	};
	beforeEach(() => testBed.service.faults.add(stillReading));

	const scrape = async (parameters: INodeParameters = {}, options?: SearchOptions) =>
		await time.drive(testBed.run('page', 'scrape', { url, ...parameters }, options));
	const requests = () => testBed.service.log.of('POST', '/v2/scrape');
	/** When each request arrived, in seconds after the first. */
	const arrivals = () => requests().map(({ at }) => Math.floor((at - requests()[0].at) / 1000));

	it('is waited for as long as the service says, with the identical request, and paid once', async () => {
		const account = testBed.account();
		const additionalFields = { onlyMainContent: false };
		const formats = ['markdown', 'links'];

		const run = await scrape({ formats, additionalFields }, { account });

		expect(run.error).toBeUndefined();
		expect(run.output()[0].json).toMatchObject({ creditsUsed: 12 });
		expect(arrivals()).toEqual([0, 90]);
		const [first, second] = requests();
		expect(second.body).toEqual(first.body);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(12);
	});

	it('that is not ready in time is an error that says how to get it without paying twice', async () => {
		const run = await scrape({ options: { maxRetryTime: 0 } });

		expect(run.error?.message).toMatch(/still being processed.*HTTP 408/);
		expect(run.error?.description).toMatch(/same request.*not charged/i);
		expect(run.error?.description).toMatch(/next attempt is due in \d+ s/);
		expect(run.error?.description).not.toContain('Wait For');
	});
});
