import { NodeApiError } from 'n8n-workflow';
import { serviceError } from '../../../../nodes/runtime/http/serviceError';
import { settle } from '../../../../nodes/runtime/values/outcome';
import { execute } from '../../../../nodes/WebData/resources/dataTool';
import { perform, recordedCall, requestOf } from '../../calls.cjs';
import { errorSource } from '../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const listed = (calls: unknown, rest: Parameters = {}) => ({ calls, ...rest });

const one = { provider: 'tidewatch', capability: 'tide-times' };
const two = { provider: 'filings', capability: 'search' };
const husum = { harbour: 'Husum' };
const inHusum = { ...one, options: husum };
const good = { ...one, creditsCost: 1, data: { tides: [] } };
const answer = (...alexandria: object[]) => ({
	success: true,
	scrape_id: 'x1',
	data: { alexandria, creditsCost: 1 },
});

/** The body that is sent for the node's parameters. */
async function bodyOf(parameters: Parameters) {
	const { call } = await perform(execute, parameters, answer(good));
	return call.sent[0].body;
}

describe('a list of calls', () => {
	const discovered = {
		id: 'tidewatch/tide-times',
		...one,
		name: 'Tide times',
		description: 'High and low water',
		creditsCost: 1,
		options: [{ name: 'harbour', type: 'string' }],
		matchedBy: ['semantic'],
		source: 'tools',
		position: 1,
	};

	it.each<[unknown, object[]]>([
		['[{"provider": "tidewatch", "capability": "tide-times"}]', [one]],
		[inHusum, [inHusum]],
		[
			[{ provider: ' tidewatch ', capability: ' tide-times ', version: ' 3.0.0-beta.1+a ' }, two],
			[{ ...one, version: '3.0.0-beta.1+a' }, two],
		],
		[[discovered], [one]],
		[{ ...one, description: 'compact' }, [one]],
		[[{ ...discovered, options: husum }], [inHusum]],
		[[{ id: 'any', name: 'Tide times', execute: one, next: null }], [one]],
		[Array(10).fill(one), Array(10).fill(one)],
	])('%j sends %j', async (calls, sent) => {
		expect(await bodyOf(listed(calls))).toEqual({ alexandria: sent });
	});
});

describe('a request that failed', () => {
	async function errorOf(status: number | undefined, body: object = {}) {
		const failure =
			status === undefined
				? { networkError: { code: 'ECONNRESET', message: 'socket hang up' } }
				: { response: { status, headers: {}, body: { success: false, ...body } } };
		const attempts = { attemptCount: 1, elapsed: 0, retrySafety: 'free' } as const;
		const given = serviceError(failure, attempts, errorSource());
		const parameters = { ...listed([one]), additionalFields: { requestId: 'r1' } };
		const outcome = await settle(execute.run(requestOf(execute, parameters), recordedCall(given)));
		if (!outcome.ok && outcome.error instanceof NodeApiError) return outcome.error;
		throw new Error('no error');
	}

	const again = `the same calls with the 'Request ID' r1 return it without another charge`;

	it.each<[number | undefined, object | undefined]>([
		[undefined, undefined],
		[408, { error: 'Request Timeout' }],
		[409, { code: 'request_in_flight', error: 'The request is still running' }],
		[503, { code: 'request_unresolved', error: 'Unresolved' }],
	])('without certainty (%p %j) says how to get its answer', async (status, body) => {
		expect((await errorOf(status, body)).description).toContain(again);
	});

	it.each<[number, object]>([
		[402, { code: 'insufficient_credits', error: 'Insufficient credits' }],
		[404, { code: 'unknown_provider', error: 'Unknown provider' }],
		[409, { code: 'duplicate_request', error: 'Used for another request' }],
	])('for good (%p %j) promises nothing', async (status, body) => {
		expect((await errorOf(status, body)).description).not.toContain(again);
	});
});

describe('the results', () => {
	const parameters = (rest: Parameters = {}) =>
		listed([one, two], { additionalFields: { requestId: 'r1' }, ...rest });

	it.each([
		[{ options: { output: 'raw' } }, answer(good)],
		[{}, { success: true, data: { unheard: 'of' } }],
	])('are the whole answer for %j', async (rest, body) => {
		const { results } = await perform(execute, parameters(rest), body);
		expect(results).toEqual([{ json: { ...body, requestId: 'r1' } }]);
	});
});
