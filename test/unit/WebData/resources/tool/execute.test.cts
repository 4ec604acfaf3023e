import { NodeApiError } from 'n8n-workflow';
import { serviceError } from '../../../../../nodes/runtime/api/errors';
import { settle } from '../../../../../nodes/runtime/values/settle';
import { execute } from '../../../../../nodes/WebData/resources/tool/execute';
import { perform, recordedCall, requestOf } from '../../../calls.cjs';
import { errorSource, refusalOf } from '../../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const picked = (value: string) => ({ __rl: true, mode: 'list', value });
const tides = { callsFrom: 'tool', tool: picked('tidewatch/tide-times') };
const listed = (calls: unknown, rest: Parameters = {}) => ({ callsFrom: 'list', calls, ...rest });
const also = (additionalFields: Parameters) => ({ ...tides, additionalFields });

const refusal = (parameters: Parameters) => refusalOf(execute, parameters);

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

describe('a tool picked from the catalogue', () => {
	const schema = [
		{ id: 'harbour', required: true, type: 'string' },
		{ id: 'days', required: false, type: 'number' },
		{ id: 'metric', required: false, type: 'boolean' },
		{ id: 'kinds', required: false, type: 'array' },
		{ id: 'area', required: false, type: 'object' },
		{ id: 'live', required: false, type: 'boolean', removed: true },
	];
	const mapped = (value: unknown) => ({
		...tides,
		toolOptions: { mappingMode: 'defineBelow', value, schema },
	});

	it.each<[Parameters, object]>([
		[tides, one],
		[{ ...tides, toolOptions: { mappingMode: 'defineBelow', value: null } }, one],
		[{ ...tides, tool: 'tidewatch/tide-times' }, one],
		[{ ...tides, calls: '[{"left": "over"}]' }, one],
		[
			{ ...tides, tool: picked('firecrawl/terms/show') },
			{ provider: 'firecrawl', capability: 'terms/show' },
		],
		[also({ version: '2.0.1' }), { ...one, version: '2.0.1' }],
		[mapped({ harbour: 'Husum', days: null, kinds: '' }), inHusum],
		[
			mapped({
				...husum,
				days: '0',
				metric: 'false',
				kinds: '["high"]',
				area: '{"n": 1}',
				live: false,
			}),
			{ ...one, options: { ...husum, days: 0, metric: false, kinds: ['high'], area: { n: 1 } } },
		],
		[{ ...tides, toolOptions: husum }, inHusum],
	])('%j is the call %j', async (parameters, call) => {
		expect(await bodyOf(parameters)).toEqual({ alexandria: [call] });
	});

	it.each<[string, Parameters]>([
		[`'Tool Options > harbour' is required`, mapped({ days: 1 })],
		[`'Tool Options > days' must be a number, not many`, mapped({ ...husum, days: 'many' })],
		[
			`'Tool Options > area' is not valid JSON at line 1, column 5: the text ends before the JSON does`,
			mapped({ ...husum, area: '{"n"' }),
		],
		[`'Version' must be a version such as 1.4.0, not latest`, also({ version: 'latest' })],
		[`'Version' must be a version such as 1.4.0, not 2.1`, also({ version: '2.1' })],
		[
			`'Tool Options' must be at most 256 KB`,
			{ ...tides, toolOptions: { text: 'é'.repeat(131_073) } },
		],
		[`'Tool' is required`, { callsFrom: 'tool', tool: picked('') }],
		[`'Tool' is required`, { callsFrom: 'tool' }],
		[
			`'Tool' must be a provider and a capability such as tidewatch/tide-times, not tidewatch`,
			{ callsFrom: 'tool', tool: picked('tidewatch') },
		],
	])('is refused: %s', (words, parameters) => {
		expect(refusal(parameters)).toBe(words);
	});
});

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

	it.each<[string, unknown]>([
		[`'Calls' is required`, ''],
		[`'Calls' must be a list from 1 to 10 entries, not 11`, Array(11).fill(one)],
		[`'Calls > entry 2 > capability' is required`, [one, { provider: 'filings' }]],
		[`'Calls > entry 1' has no field 'option'`, [{ ...one, option: { harbour: 'Husum' } }]],
		[
			`'Calls' is not valid JSON at line 1, column 27: nothing follows this comma; remove it`,
			'[{"provider": "tidewatch"},]',
		],
		[
			`'Calls > entry 1 > options' is not valid JSON at line 1, column 1: JSON begins with { or [, not with Husum`,
			[{ ...one, options: 'Husum' }],
		],
		[
			`'Calls > entry 1 > provider' must be at most 200 characters long, not 201`,
			[{ provider: 'x'.repeat(201), capability: 'y' }],
		],
		[
			`'Calls > entry 1 > options' must be at most 256 KB`,
			[{ ...one, options: { text: 'x'.repeat(262_144) } }],
		],
	])('is refused: %s', (words, calls) => {
		expect(refusal(listed(calls))).toBe(words);
	});
});

describe('terms', () => {
	const acceptance = { provider: 'firecrawl', capability: 'terms/accept' };

	it.each<Parameters>([
		{ callsFrom: 'tool', tool: picked('firecrawl/terms/accept') },
		listed([one, acceptance]),
		listed([{ provider: ' Firecrawl', capability: 'Terms/Accept ' }]),
		listed([{ description: 'x', execute: acceptance }]),
	])('are not accepted by %j', (parameters) => {
		expect(refusal(parameters)).toContain(
			`must not accept a provider's terms: this requires a person`,
		);
	});
});

describe('the request', () => {
	it.each<[Parameters, string]>([
		[
			{ requestId: 'order 4711' },
			`'Request ID' must be 1 to 128 letters, digits or any of . _ : -, not order 4711`,
		],
		[{ requestId: 'x'.repeat(129) }, expect.stringContaining(`'Request ID' must be 1 to 128`)],
		[
			{ timeout: 50_001 },
			`'Timeout' must be a whole number from 1 to 50,000 milliseconds, not 50001`,
		],
	])('is refused for %j', (additionalFields, words) => {
		expect(refusal({ ...tides, additionalFields })).toEqual(words);
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
		const parameters = { ...tides, additionalFields: { requestId: 'r1' } };
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
		[{ output: 'response' }, answer(good)],
		[{}, { success: true, data: { unheard: 'of' } }],
	])('are the whole answer for %j', async (rest, body) => {
		const { results } = await perform(execute, parameters(rest), body);
		expect(results).toEqual([{ json: { ...body, requestId: 'r1' } }]);
	});
});
