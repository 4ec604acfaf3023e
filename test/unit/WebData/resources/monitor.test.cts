import type { IDataObject } from 'n8n-workflow';
import { monitor } from '../../../../nodes/WebData/resources/monitor';
import { operationOf, perform, requestOf } from '../../calls.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const checkId = '9d2c7b1e-4f3a-4c5d-8e6f-7a8b9c0d1e2f';
const picked = { __rl: true, mode: 'list', value: id };

describe('a new monitor', () => {
	const create = operationOf(monitor, 'create');
	const page = { values: [{ type: 'scrape', urls: 'https://a.example' }] };
	const search = { values: [{ type: 'search', queries: 'tides' }] };
	const least = { name: 'Prices', targets: page, schedule: 'hourly' };
	const leastBody = {
		name: 'Prices',
		targets: [{ type: 'scrape', urls: ['https://a.example'] }],
		schedule: { text: 'hourly' },
	};
	const ownForm = {
		targets: [{ type: 'search', queries: ['a'] }],
		schedule: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
		goal: 'News',
		notification: { slack: { enabled: true, channelId: 'C1' } },
		webhook: { url: 'https://a.example/h', headers: { a: 'b' } },
	};

	it.each<[Record<string, unknown>, Record<string, unknown>]>([
		[
			{ additionalFields: { goal: '', notification: {}, webhook: {}, requestJson: '{}' } },
			leastBody,
		],
		[
			{ targets: {}, schedule: '', additionalFields: { requestJson: ownForm } },
			{ name: 'Prices', ...ownForm },
		],
		[
			{ schedule: ' 0  9 * * 1-5 ', additionalFields: { timezone: 'Europe/Berlin' } },
			{ ...leastBody, schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' } },
		],
		[
			{ targets: search, additionalFields: { judgeEnabled: false } },
			{ ...leastBody, targets: [{ type: 'search', queries: ['tides'] }], judgeEnabled: false },
		],
	])('is sent for %j', (parameters, body) => {
		expect(requestOf(create, { ...least, ...parameters })).toEqual(body);
	});
});

describe('the changes of a monitor', () => {
	const update = operationOf(monitor, 'update');

	async function sent({ targets, ...additionalFields }: Record<string, unknown>) {
		const parameters = { monitorId: picked, targets, additionalFields };
		const { call } = await perform(update, parameters, { success: true, data: {} });
		const [request] = call.sent;
		expect(request).toMatchObject({ method: 'PATCH', path: `/monitor/${id}`, retrySafety: 'free' });
		return request.body;
	}
	it.each<[Record<string, unknown>, Record<string, unknown>]>([
		[
			{ targets: { values: [{ type: 'search', queries: 'a', optionsJson: { id } }] } },
			{ targets: [{ type: 'search', queries: ['a'], id }] },
		],
		// An expression without a value changes nothing; null in JSON clears.
		[{ goal: null, status: 'active' }, { status: 'active' }],
		[
			{ goal: 'A', requestJson: '{"goal": null, "status": "active"}' },
			{ goal: null, status: 'active' },
		],
		// What the node does not know.
		[{ requestJson: { origin: 'n8n' } }, { origin: 'n8n' }],
	])('are sent for %j', async (additionalFields, body) => {
		expect(await sent(additionalFields)).toEqual(body);
	});
});

it('a started check has its ID, wherever the response has it', async () => {
	const outside = { success: true, id: checkId, data: { monitorId: id, status: 'queued' } };
	const both = { success: true, id: checkId, data: { id: checkId, status: 'queued' } };
	const started = async (response: IDataObject) =>
		(await perform(operationOf(monitor, 'run'), { monitorId: id }, response)).results;
	expect(await started(outside)).toEqual([
		{ json: { id: checkId, monitorId: id, status: 'queued' } },
	]);
	expect(await started(both)).toEqual([{ json: { id: checkId, status: 'queued' } }]);
});

describe('a check', () => {
	const check = { id: checkId, monitorId: id, status: 'completed', actualCredits: 3 };
	const url = `https://api.example.com/v2/monitor/${id}/checks/${checkId}?skip=2`;
	const response = (pages: unknown[], rest: IDataObject = {}, inner: IDataObject = {}) =>
		({ success: true, ...rest, data: { ...check, ...inner, pages } }) as IDataObject;

	it.each<[string, IDataObject, IDataObject]>([
		['at the top', { next: url }, {}],
		['in the data, and null at the top', { next: null }, { next: url }],
	])('has one item per page of all responses, with next %s', async (_name, rest, inner) => {
		const parameters = { monitorId: picked, checkId, returnAll: true };
		const first = response([{ id: 'p1', status: 'changed' }, { id: 'p2' }], rest, inner);
		const second = response([{ id: 'p3' }]);
		const getCheck = operationOf(monitor, 'getCheck');

		const { call, results } = await perform(getCheck, parameters, first, second);

		const path = `/monitor/${id}/checks/${checkId}`;
		expect(call.sent.map((request) => [request.path, request.query])).toEqual([
			[path, { limit: 100 }],
			[`${path}?skip=2`, undefined],
		]);
		const labels = { monitorId: id, checkId, check };
		expect(results).toEqual([
			{ json: { id: 'p1', status: 'changed', ...labels, position: 1 } },
			{ json: { id: 'p2', ...labels, position: 2 } },
			{ json: { id: 'p3', ...labels, position: 3 } },
		]);
		expect(call.notices).toEqual([]);
	});
});
