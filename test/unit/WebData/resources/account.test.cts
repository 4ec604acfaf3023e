import {
	getCreditHistory,
	getCreditUsage,
	getQueueStatus,
} from '../../../../nodes/WebData/resources/account';
import { perform } from '../../calls.cjs';

const get = (path: string) => ({ method: 'GET', path, retrySafety: 'free' });

describe('the credit usage', () => {
	const usage = { remainingCredits: 7, planCredits: 10, billingPeriodEnd: null };

	it.each([
		{ success: true, data: usage },
		{ success: true, ...usage },
		{ data: { remaining_credits: 7, plan_credits: 10, billing_period_end: null } },
	])('is the same item from %j', async (body) => {
		const { call, results } = await perform(getCreditUsage, {}, body);
		expect(call.sent).toEqual([get('/team/credit-usage')]);
		expect(results).toEqual([{ json: usage }]);
	});
});

describe('the credit history', () => {
	it('has an item for each period, with what was used under one name', async () => {
		const periods = [
			{ startDate: 'a', endDate: 'b', totalCredits: 0 },
			{ start_date: 'b', endDate: null, apiKey: 'k', creditsUsed: 5 },
		];
		const { results } = await perform(getCreditHistory, {}, { success: true, periods });
		expect(results).toEqual([
			{ json: { startDate: 'a', endDate: 'b', totalCredits: 0, creditsUsed: 0, position: 1 } },
			{ json: { startDate: 'b', endDate: null, apiKey: 'k', creditsUsed: 5, position: 2 } },
		]);
	});
});

describe('the queue status', () => {
	it('is one item', async () => {
		const known = { jobsInQueue: 3, mostRecentSuccess: null };
		const answer = { success: true, ...known, max_concurrency: 5 };
		const { call, results } = await perform(getQueueStatus, {}, answer);
		expect(call.sent).toEqual([get('/team/queue-status')]);
		expect(results).toEqual([{ json: { ...known, maxConcurrency: 5 } }]);
	});
});
