import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../../../../nodes/runtime/operation/operation';
import { monitor } from '../../../../../nodes/WebData/resources/monitor';
import { deleteMonitor } from '../../../../../nodes/WebData/resources/monitor/delete';
import { get } from '../../../../../nodes/WebData/resources/monitor/get';
import { getAll } from '../../../../../nodes/WebData/resources/monitor/getAll';
import { getCheck } from '../../../../../nodes/WebData/resources/monitor/getCheck';
import { getChecks } from '../../../../../nodes/WebData/resources/monitor/getChecks';
import { run } from '../../../../../nodes/WebData/resources/monitor/run';
import { costing, perform, recordedCall, requestOf } from '../../../calls.cjs';
import { refusals } from '../../../verdict.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const checkId = '9d2c7b1e-4f3a-4c5d-8e6f-7a8b9c0d1e2f';
const picked = { __rl: true, mode: 'list', value: id };

describe('the operations on monitors', () => {
	it('are those of the design', () => {
		expect(monitor.value).toBe('monitor');
		expect(monitor.operations.map(({ value }) => value).sort()).toEqual([
			'create',
			'delete',
			'get',
			'getAll',
			'getCheck',
			'getChecks',
			'run',
			'update',
		]);
	});

	it.each<[string, Operation, object]>([
		['get', get, { method: 'GET', path: `/monitor/${id}`, retrySafety: 'safe' }],
		['delete', deleteMonitor, { method: 'DELETE', path: `/monitor/${id}`, retrySafety: 'safe' }],
		[
			'run',
			run,
			{
				method: 'POST',
				path: `/monitor/${id}/run`,
				retrySafety: 'mayStartTwice',
				price: costing(0, null, 0),
			},
		],
	])('%s', async (_name, operation, request) => {
		const { call } = await perform(
			operation,
			{ monitorId: picked },
			{ success: true, data: { id } },
		);
		expect(call.sent).toEqual([request]);
		expect(refusals(operation.schema, operation.read({}))).toEqual(['monitorId is required']);
	});

	it('a deleted monitor is said to be so', async () => {
		const { results } = await perform(deleteMonitor, { monitorId: id }, { success: true });
		expect(results).toEqual([{ json: { deleted: true, monitorId: id } }]);
	});

	it('a started check comes out with its id, wherever the answer has it', async () => {
		const outside = { success: true, id: checkId, data: { monitorId: id, status: 'queued' } };
		const both = { success: true, id: checkId, data: { id: checkId, status: 'queued' } };
		expect((await perform(run, { monitorId: id }, outside)).results).toEqual([
			{ json: { id: checkId, monitorId: id, status: 'queued' } },
		]);
		expect((await perform(run, { monitorId: id }, both)).results).toEqual([
			{ json: { id: checkId, status: 'queued' } },
		]);
	});
});

describe('lists', () => {
	it.each<[string, Operation, string]>([
		['of monitors', getAll, '/monitor'],
		['of checks', getChecks, `/monitor/${id}/checks`],
	])('%s have one item per entry', async (_name, operation, path) => {
		const page = { success: true, data: [{ id: 'a' }, { id: 'b' }] };
		const { call, results } = await perform(operation, { monitorId: picked, limit: 2 }, page);
		expect(call.sent).toEqual([
			{ method: 'GET', path, query: { limit: 2, offset: 0 }, retrySafety: 'safe' },
		]);
		expect(results).toEqual([{ json: { id: 'a' } }, { json: { id: 'b' } }]);
	});

	it.each<[string, Operation]>([
		['of monitors', getAll],
		['of checks', getChecks],
	])('%s are read whole with Return All, whatever the limit was', async (_name, operation) => {
		const page = { success: true, data: [{ id: 'a' }] };
		const parameters = { monitorId: id, returnAll: true, limit: 0 };
		const { call } = await perform(operation, parameters, page);
		expect(call.sent[0].query).toEqual({ limit: 100, offset: 0 });
	});

	it('of checks may be of one state only', async () => {
		const parameters = {
			monitorId: id,
			limit: 5,
			additionalFields: { status: 'skipped_no_credits' },
		};
		const { call } = await perform(getChecks, parameters, { success: true, data: [] });
		expect(call.sent[0].query).toEqual({ status: 'skipped_no_credits', limit: 5, offset: 0 });
	});

	it.each<[Operation, Record<string, unknown>, string]>([
		[getAll, { limit: 0 }, 'limit must be a whole number of at least 1, not 0'],
		[getChecks, { monitorId: id, limit: 0 }, 'limit must be a whole number of at least 1, not 0'],
		[getChecks, {}, 'monitorId is required'],
		[
			getChecks,
			{ monitorId: id, additionalFields: { status: 'done' } },
			'status must be one of completed, failed, partial, queued, running, skipped_no_credits, skipped_overlap, not done',
		],
		[getCheck, { monitorId: id }, 'checkId is required'],
		[getCheck, { checkId }, 'monitorId is required'],
		[
			getCheck,
			{ monitorId: id, checkId, additionalFields: { status: 'alert' } },
			'status must be one of changed, error, new, removed, same, not alert',
		],
	])('%# refuse %j', (operation, parameters, words) => {
		expect(refusals(operation.schema, operation.read(parameters))).toEqual([words]);
	});
});

describe('a check', () => {
	const check = { id: checkId, monitorId: id, status: 'completed', actualCredits: 3 };
	const url = `https://api.example.com/v2/monitor/${id}/checks/${checkId}?skip=2`;
	const answer = (pages: unknown[], rest: IDataObject = {}, inner: IDataObject = {}) =>
		({ success: true, ...rest, data: { ...check, ...inner, pages } }) as IDataObject;

	it.each<[string, IDataObject, IDataObject]>([
		['at the top', { next: url }, {}],
		['in the data', {}, { next: url }],
		['in the data, and null at the top', { next: null }, { next: url }],
	])(
		'has one item per page, from all answers; the next one is named %s',
		async (_name, rest, inner) => {
			const parameters = { monitorId: picked, checkId, returnAll: true };
			const { call, results } = await perform(
				getCheck,
				parameters,
				answer([{ id: 'p1', status: 'changed' }, { id: 'p2' }], rest, inner),
				answer([{ id: 'p3' }]),
			);
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
		},
	);

	it('is asked for no more pages than wanted, in one state if wanted', async () => {
		const parameters = { monitorId: id, checkId, limit: 2, additionalFields: { status: 'new' } };
		const { call, results } = await perform(
			getCheck,
			parameters,
			answer([{ id: 'p1' }, { id: 'p2' }], { next: url }),
		);
		expect(call.sent.map(({ query }) => query)).toEqual([{ limit: 2, status: 'new' }]);
		expect(results).toHaveLength(2);
	});

	it('comes out whole, with the pages of all answers', async () => {
		const { results } = await perform(
			getCheck,
			{ monitorId: id, checkId, returnAll: true, output: 'response' },
			answer([{ id: 'p1' }], { next: url, warnings: ['w'] }),
			answer([{ id: 'p2' }]),
		);
		expect(results).toEqual([
			{
				json: {
					success: true,
					warnings: ['w'],
					data: { ...check, pages: [{ id: 'p1' }, { id: 'p2' }] },
				},
			},
		]);
	});

	it('says what the answer says beside it', async () => {
		const { call, results } = await perform(
			getCheck,
			{ monitorId: id, checkId },
			answer([{ id: 'p1' }], { warnings: ['w'] }),
		);
		expect(call.notices).toEqual(['w']);
		expect(results[0].json.request).toEqual({ warnings: ['w'] });
	});

	it('says that it goes on, or that it has no such page', async () => {
		const parameters = { monitorId: id, checkId };
		const going = await perform(
			getCheck,
			parameters,
			answer([{ id: 'p' }], {}, { status: 'running' }),
		);
		const none = await perform(getCheck, parameters, answer([]));
		expect(going.call.notices).toEqual([
			`Check ${checkId} is still going on (running); more may come.`,
		]);
		expect(none.results).toEqual([]);
		expect(none.call.notices).toEqual([`Check ${checkId} (completed) has no pages.`]);
	});

	it('fails with a page that cannot be read: a shorter list would look whole', async () => {
		const broken = new Error('Bad Gateway (HTTP 502)');
		const call = recordedCall(answer([{ id: 'p1' }], { next: url }), broken);
		const body = requestOf(getCheck, { monitorId: id, checkId });
		await expect(getCheck.run(body, {}, call)).rejects.toBe(broken);
	});
});
