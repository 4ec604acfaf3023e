import type { Request } from '../../../../nodes/runtime/http/client';
import type { Operation } from '../../../../nodes/runtime/execution/operation';
import { settle } from '../../../../nodes/runtime/values/outcome';
import { getQueueStatus } from '../../../../nodes/WebData/resources/account';
import { get as getMap } from '../../../../nodes/WebData/resources/map';
import { monitor } from '../../../../nodes/WebData/resources/monitor';
import { scrape } from '../../../../nodes/WebData/resources/page';
import {
	get as getPaper,
	getSimilar,
	search as searchPapers,
} from '../../../../nodes/WebData/resources/paper';
import { query as search } from '../../../../nodes/WebData/resources/search';
import { session } from '../../../../nodes/WebData/resources/session';
import { execute as executeTools } from '../../../../nodes/WebData/resources/dataTool';
import { operationOf, recordedCall, requestOf } from '../../calls.cjs';

const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const monitorId = jobId;
const url = 'https://a.example/';
const tool = { calls: [{ provider: 'tidewatch', capability: 'tide-times' }] };
const code = { sessionId: 's1', code: 'x', additionalFields: { timeout: 300 } };
const scripted = { jobId, taskType: 'code', code: 'x', additionalFields: { timeout: 90 } };
const watched = {
	name: 'Prices',
	targets: [{ type: 'scrape', urls: [url] }],
	schedule: { text: 'hourly' },
};
const timed = { ...tool, additionalFields: { timeout: 20_000 } };

/** What an operation tells of its request beside what is sent: whether it may be repeated, its price, and how long the service may take. */
type Told = [retrySafety: Request['retrySafety'], price?: unknown, serviceTimeout?: unknown];

describe('a request', () => {
	it.each<[Operation, Record<string, unknown>, Told]>([
		[getQueueStatus, {}, ['free']],
		[scrape, { url }, ['mayChargeTwice', expect.anything(), expect.any(Number)]],
		[getMap, { url }, ['mayChargeTwice', 1]],
		[search as Operation, { query: 'q', limit: 5 }, ['mayChargeTwice', 2, expect.any(Number)]],
		[operationOf(monitor, 'get'), { monitorId }, ['free']],
		[operationOf(monitor, 'delete'), { monitorId }, ['free']],
		[operationOf(monitor, 'run'), { monitorId }, ['mayStartTwice', 0]],
		[searchPapers, { query: 'q', k: 2 }, ['free']],
		[getPaper, { id: '1' }, ['free']],
		[getSimilar, { id: '1', intent: 'i', k: 3 }, ['free']],
		[operationOf(monitor, 'create'), watched, ['mayStartTwice', 0]],
		[operationOf(session, 'create'), {}, ['mayStartTwice', 2]],
		[
			operationOf(session, 'interact'),
			{ jobId, taskType: 'prompt', prompt: 'x' },
			['mayStartTwice', 7, 30_000],
		],
		[operationOf(session, 'interact'), scripted, ['mayStartTwice', 2, 90_000]],
		[operationOf(session, 'execute'), code, ['mayStartTwice', 0, 300_000]],
		[operationOf(session, 'delete'), { sessionId: 's1' }, ['free']],
		[operationOf(session, 'getAll'), { returnAll: true }, ['free']],
		[operationOf(session, 'stop'), { jobId }, ['free']],
		[executeTools, tool, ['idempotencyKey', 0, 50_000]],
		[executeTools, timed, ['idempotencyKey', 0, 20_000]],
	])('tells how it may be repeated: %#', async (operation, parameters, told) => {
		const call = recordedCall({ success: true });
		await settle(operation.run(requestOf(operation, parameters), call));

		const [{ retrySafety, price, serviceTimeout }] = call.sent;
		const [safety, priced, time] = told;
		expect([retrySafety, price, serviceTimeout]).toEqual([safety, priced, time]);
	});
});
