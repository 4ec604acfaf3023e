import type { IDataObject } from 'n8n-workflow';
import { useDocumentJobs } from '../documentJobs.cjs';

const url = 'https://tidewatch.example';

const hintsOf = (run: { hints(): Array<{ message: string }> }) =>
	run.hints().map(({ message }) => message);

/** A limit that the service lowers to the credits left, without a word. */
describe('the limit of a crawl', () => {
	const jobs = useDocumentJobs('crawl');
	const { testBed } = jobs;
	const looks = () => testBed.service.log.of('GET', '/v2/crawl/active');
	const run = async (credits: number, more: IDataObject = {}, overage = 0) =>
		await jobs.run(
			'run',
			{ url, limit: 12, ...more },
			{ account: testBed.account({ credits, overage }) },
		);

	it('is said to be lowered where it was', async () => {
		const lowered = await run(4);

		expect(lowered.output()).toHaveLength(4);
		expect(hintsOf(lowered)).toEqual([
			expect.stringMatching(
				/^The server lowered the limit of the crawl [\w-]{36} from 12 to 4 due to the remaining credits/,
			),
		]);
		expect(looks()).toHaveLength(1);
	});

	it('is taken from the response to a prompt, which names it', async () => {
		const lowered = await run(4, { additionalFields: { prompt: 'Only guides' } });

		expect(hintsOf(lowered)).toEqual([expect.stringMatching(/from 12 to 4/)]);
		expect(looks()).toEqual([]);
	});

	it.each<[string, number, number, IDataObject]>([
		['covered by the balance', 1_000, 0, {}],
		['covered by an overage', 4, 8, {}],
		['1, which cannot be lowered', 1_000, 0, { limit: 1 }],
	])('is not said to be lowered where it is %s', async (_name, credits, overage, more) => {
		const whole = await run(credits, more, overage);

		expect(whole.status).toBe('success');
		expect(hintsOf(whole).join()).not.toMatch(/lowered/);
		expect(looks()).toHaveLength('limit' in more ? 0 : 1);
	});

	it.each([500, 401, 404])('costs no crawl when the look at it fails: %s', async (status) => {
		testBed.service.faults.add({ path: '/v2/crawl/active', kind: 'status', status, count: 9 });

		const ended = await run(4);

		expect(ended.status).toBe('success');
		expect(ended.output()).toHaveLength(4);
		expect(looks()).toHaveLength(1);
	});

	it('is an error where the balance is empty', async () => {
		const refused = await run(0);

		expect(refused.error?.message).toMatch(
			/^Insufficient credits to perform this request.*HTTP 402/,
		);
	});
});
