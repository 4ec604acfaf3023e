import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../../../../nodes/runtime/operation/operation';
import { deleteMonitor } from '../../../../../nodes/WebData/resources/monitor/delete';
import { get } from '../../../../../nodes/WebData/resources/monitor/get';
import { getAll } from '../../../../../nodes/WebData/resources/monitor/getAll';
import { getCheck } from '../../../../../nodes/WebData/resources/monitor/getCheck';
import { getChecks } from '../../../../../nodes/WebData/resources/monitor/getChecks';
import { run } from '../../../../../nodes/WebData/resources/monitor/run';
import { perform } from '../../../calls.cjs';
import { refusals } from '../../../schemaAssertions.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const checkId = '9d2c7b1e-4f3a-4c5d-8e6f-7a8b9c0d1e2f';
const picked = { __rl: true, mode: 'list', value: id };

describe('the operations on monitors', () => {
	it('a started check comes out with its id, wherever the answer has it', async () => {
		const outside = { success: true, id: checkId, data: { monitorId: id, status: 'queued' } };
		const both = { success: true, id: checkId, data: { id: checkId, status: 'queued' } };
		const started = async (answer: IDataObject) =>
			(await perform(run, { monitorId: id }, answer)).results.map(({ json }) => json);
		expect(await started(outside)).toEqual([{ id: checkId, monitorId: id, status: 'queued' }]);
		expect(await started(both)).toEqual([{ id: checkId, status: 'queued' }]);
	});
});

describe('lists', () => {
	it.each<[string, Operation, Record<string, unknown>]>([
		['limit must be a whole number of at least 1, not 0', getAll, { limit: 0 }],
		['limit must be a whole number of at least 1, not 0', getChecks, { monitorId: id, limit: 0 }],
		['monitorId is required', get, {}],
		['monitorId is required', deleteMonitor, {}],
		['monitorId is required', run, {}],
		['monitorId is required', getChecks, {}],
		[
			'status must be one of completed, failed, partial, queued, running, skipped_no_credits, skipped_overlap, not done',
			getChecks,
			{ monitorId: id, additionalFields: { status: 'done' } },
		],
		['checkId is required', getCheck, { monitorId: id }],
		['monitorId is required', getCheck, { checkId }],
		[
			'status must be one of changed, error, new, removed, same, not alert',
			getCheck,
			{ monitorId: id, checkId, additionalFields: { status: 'alert' } },
		],
	])('are refused: %s', (words, operation, parameters) => {
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
			const first = answer([{ id: 'p1', status: 'changed' }, { id: 'p2' }], rest, inner);
			const second = answer([{ id: 'p3' }]);
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
		},
	);
});
