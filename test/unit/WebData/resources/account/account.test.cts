import { getCreditHistory } from '../../../../../nodes/WebData/resources/account/getCreditHistory';
import { getCreditUsage } from '../../../../../nodes/WebData/resources/account/getCreditUsage';
import { getQueueStatus } from '../../../../../nodes/WebData/resources/account/getQueueStatus';
import { perform } from '../../../calls.cjs';

const get = (path: string, query?: object) => ({
	method: 'GET',
	path,
	...(query && { query }),
	retrySafety: 'safe',
});

describe('the credit usage', () => {
	it.each([
		{ success: true, data: { remainingCredits: 7, planCredits: 10, billingPeriodEnd: null } },
		{ success: true, remainingCredits: 7, planCredits: 10, billingPeriodEnd: null },
		{ data: { remaining_credits: 7, plan_credits: 10, billing_period_end: null } },
	])('is the same item from %j', async (body) => {
		const { call, results } = await perform(getCreditUsage, {}, body);
		expect(call.sent).toEqual([get('/team/credit-usage')]);
		expect(results).toEqual([
			{ json: { remainingCredits: 7, planCredits: 10, billingPeriodEnd: null } },
		]);
	});
});

describe('the credit history', () => {
	it('has an item for each period, with what was used under one name', async () => {
		const { results } = await perform(
			getCreditHistory,
			{},
			{
				success: true,
				periods: [
					{ startDate: 'a', endDate: 'b', totalCredits: 0 },
					{ start_date: 'b', endDate: null, apiKey: 'k', creditsUsed: 5 },
				],
			},
		);
		expect(results).toEqual([
			{ json: { startDate: 'a', endDate: 'b', totalCredits: 0, creditsUsed: 0, position: 1 } },
			{ json: { startDate: 'b', endDate: null, apiKey: 'k', creditsUsed: 5, position: 2 } },
		]);
	});
});

describe('the queue status', () => {
	it('is one item', async () => {
		const { call, results } = await perform(
			getQueueStatus,
			{},
			{ success: true, jobsInQueue: 3, max_concurrency: 5, mostRecentSuccess: null },
		);
		expect(call.sent).toEqual([get('/team/queue-status')]);
		expect(results).toEqual([
			{ json: { jobsInQueue: 3, maxConcurrency: 5, mostRecentSuccess: null } },
		]);
	});
});
