import { inputError } from '../../../../../nodes/runtime/errors/errors';
import { getActivity } from '../../../../../nodes/WebData/resources/account/getActivity';
import { getCreditHistory } from '../../../../../nodes/WebData/resources/account/getCreditHistory';
import { getCreditUsage } from '../../../../../nodes/WebData/resources/account/getCreditUsage';
import { getQueueStatus } from '../../../../../nodes/WebData/resources/account/getQueueStatus';
import { perform } from '../../../calls.cjs';
import { errorSource } from '../../../verdict.cjs';

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
	it.each<[Record<string, unknown>, object]>([
		[{ byApiKey: false }, {}],
		[{ byApiKey: 'true' }, { byApiKey: true }],
	])('%j asks with %j', async (parameters, query) => {
		const { call } = await perform(getCreditHistory, parameters, { success: true, periods: [] });
		expect(call.sent).toEqual([get('/team/credit-usage/historical', query)]);
	});

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

describe('the recent activity', () => {
	const page = (from: number, to: number, rest: object) => ({
		success: true,
		data: Array.from({ length: to - from }, (_, index) => ({ id: `j${from + index}` })),
		...rest,
	});
	const ids = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ json: { id: `j${index}` } }));

	it('is read to its end, page by page', async () => {
		const { call, results } = await perform(
			getActivity,
			{ returnAll: true, limit: 1, additionalFields: { endpoint: 'scrape' } },
			page(0, 100, { cursor: 'c1', has_more: true }),
			page(100, 103, { cursor: null, has_more: false }),
		);
		expect(call.sent).toEqual([
			get('/team/activity', { limit: 100, endpoint: 'scrape' }),
			get('/team/activity', { limit: 100, endpoint: 'scrape', cursor: 'c1' }),
		]);
		expect(results).toEqual(ids(103));
	});

	it('is read as far as the limit', async () => {
		const { call, results } = await perform(
			getActivity,
			{ returnAll: false, limit: 2 },
			page(0, 2, { cursor: 'c1', has_more: true }),
		);
		expect(call.sent).toEqual([get('/team/activity', { limit: 2 })]);
		expect(results).toEqual(ids(2));
	});

	it('needs a limit of at least 1', () => {
		const checked = getActivity.schema.safeParse(getActivity.read({ limit: 0 }));
		const message = inputError(
			checked.error?.issues ?? [],
			errorSource({ fields: getActivity.fields }),
		);
		expect(message.message).toBe(`'Limit' must be a whole number of at least 1, not 0 [item 0]`);
	});
});
