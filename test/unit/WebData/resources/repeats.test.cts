import type { Request } from '../../../../nodes/runtime/http/client';
import { settle } from '../../../../nodes/runtime/values/outcome';
import { resources } from '../../../../nodes/WebData/resources';
import { operationOf, recordedCall, requestOf } from '../../calls.cjs';

const jobId = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const monitorId = jobId;
const url = 'https://a.example/';
const watched = {
	name: 'Prices',
	targets: [{ type: 'scrape', urls: [url] }],
	schedule: { text: 'hourly' },
};
const code = (timeout: number) => ({ code: 'x', additionalFields: { timeout } });
const tool = { calls: [{ provider: 'tidewatch', capability: 'tide-times' }] };

/** What an operation tells of its request beside what is sent: whether it may be repeated, its price, and how long the service may take. */
type Told = [retrySafety: Request['retrySafety'], price?: unknown, serviceTimeout?: unknown];

it.each<[name: string, parameters: Record<string, unknown>, Told]>([
	['account: getQueueStatus', {}, ['free']],
	['page: scrape', { url }, ['mayChargeTwice', expect.anything(), expect.any(Number)]],
	['map: get', { url }, ['mayChargeTwice', 1]],
	['search: query', { query: 'q', limit: 5 }, ['mayChargeTwice', 2, expect.any(Number)]],
	['paper: search', { query: 'q', k: 2 }, ['free']],
	['monitor: create', watched, ['mayStartTwice', 0]],
	['monitor: run', { monitorId }, ['mayStartTwice', 0]],
	['monitor: delete', { monitorId }, ['free']],
	['session: create', {}, ['mayStartTwice', 2]],
	['session: interact', { jobId, taskType: 'prompt', prompt: 'x' }, ['mayStartTwice', 7, 30_000]],
	['session: interact', { jobId, taskType: 'code', ...code(90) }, ['mayStartTwice', 2, 90_000]],
	['session: execute', { sessionId: 's1', ...code(300) }, ['mayStartTwice', 0, 300_000]],
	['session: delete', { sessionId: 's1' }, ['free']],
	['session: stop', { jobId }, ['free']],
	['tool: execute', tool, ['idempotencyKey', 0, 50_000]],
	[
		'tool: execute',
		{ ...tool, additionalFields: { timeout: 20_000 } },
		['idempotencyKey', 0, 20_000],
	],
])('%s tells how its request may be repeated: %j', async (name, parameters, told) => {
	const [resourceName, operationName] = name.split(': ');
	const resource = resources.find(({ value }) => value === resourceName);
	if (!resource) throw new Error(`There is no ${resourceName}`);
	const operation = operationOf(resource, operationName);
	const call = recordedCall({ success: true });

	await settle(operation.run(requestOf(operation, parameters), call));

	const [{ retrySafety, price, serviceTimeout }] = call.sent;
	const [safety, priced, time] = told;
	expect([retrySafety, price, serviceTimeout]).toEqual([safety, priced, time]);
});
