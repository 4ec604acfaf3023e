import { create } from '../../../../../nodes/WebData/resources/monitor/create';
import { costing, perform, requestOf } from '../../../calls.cjs';
import { refusalOf } from '../../../schemaAssertions.cjs';

const page = { values: [{ type: 'scrape', urls: 'https://a.example' }] };
const search = { values: [{ type: 'search', queries: 'tides' }] };
const least = { name: 'Prices', targets: page, schedule: { text: 'hourly' } };
const leastBody = {
	name: 'Prices',
	targets: [{ type: 'scrape', urls: ['https://a.example'] }],
	schedule: { text: 'hourly' },
};

const sent = (parameters: Record<string, unknown>) =>
	requestOf(create, { ...least, ...parameters });

const also = (additionalFields: Record<string, unknown>) => ({ additionalFields });

const refusal = (parameters: Record<string, unknown>) =>
	refusalOf(create, { ...least, ...parameters });

describe('a new monitor', () => {
	it('has nothing that the user did not set', () => {
		expect(sent({})).toEqual(leastBody);
		const additionalFields = { notification: {}, webhook: {}, requestJson: '{}' };
		expect(sent({ goal: '', additionalFields })).toEqual(leastBody);
	});

	it.each<[Record<string, unknown>, Record<string, unknown>?]>([
		[{ judgeEnabled: false }],
		[{ retentionDays: '365' }, { retentionDays: 365 }],
		[{ notification: { email: { enabled: true } } }],
		[{ webhook: { url: 'https://a.example/h', events: ['monitor.page'] } }],
	])('%j', (additionalFields, members = additionalFields) => {
		expect(sent({ additionalFields })).toEqual({ ...leastBody, ...members });
	});

	it("may be given in the API's own shape", () => {
		const requestJson = {
			targets: [{ type: 'search', queries: ['a'] }],
			schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
			goal: 'News',
		};
		const parameters = { targets: {}, schedule: {}, additionalFields: { requestJson } };
		expect(sent(parameters)).toEqual({ name: 'Prices', ...requestJson });
	});

	it('needs no goal to search where nothing is judged', () => {
		const body = { ...leastBody, targets: [{ type: 'search', queries: ['tides'] }] };
		const unjudged = { judgeEnabled: false };
		expect(sent({ targets: search, goal: 'News' })).toEqual({ ...body, goal: 'News' });
		expect(sent({ targets: search, additionalFields: unjudged })).toEqual({ ...body, ...unjudged });
	});

	it.each<[Record<string, unknown>, string]>([
		[{ name: '' }, `'Name' is required`],
		[{ schedule: {} }, `'Schedule' requires 'Cron' or 'Text'`],
		[{ targets: search }, `'Goal' is required for a Search target, unless 'Judge Changes' is off`],
		[
			{ targets: search, additionalFields: { judgeEnabled: true } },
			`'Goal' is required for a Search target, unless 'Judge Changes' is off`,
		],
		[also({ webhook: { events: ['monitor.page'] } }), `'Webhook > URL' is required`],
		[also({ requestJson: { requestJson: 1 } }), `The request has no field 'requestJson'`],
		[also({ requestJson: { status: 'paused' } }), `The request has no field 'status'`],
	])('refuses %j', (parameters, words) => {
		expect(refusal(parameters)).toBe(words);
	});

	it('is sent once, and comes out with what the answer says beside it', async () => {
		const { call, results } = await perform(create, least, {
			success: true,
			data: { id: 'm1', status: 'active' },
			warnings: ['Slow down'],
		});
		expect(call.sent).toEqual([
			{
				method: 'POST',
				path: '/monitor',
				body: leastBody,
				retrySafety: 'mayStartTwice',
				price: costing(0, null, 0),
			},
		]);
		expect(call.notices).toEqual(['Slow down']);
		expect(results).toEqual([
			{ json: { id: 'm1', status: 'active', request: { warnings: ['Slow down'] } } },
		]);
	});
});
