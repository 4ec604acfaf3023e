import type { IDataObject } from 'n8n-workflow';
import { WebDataError } from '../../../../nodes/runtime/errors/webDataError';
import { settle } from '../../../../nodes/runtime/values/outcome';
import { crawlRequest, usableOptions } from '../../../../nodes/WebData/resources/crawl';
import {
	FailedResponse,
	operationNamed,
	perform,
	recordedCall,
	requestOf,
	settingsFor,
} from '../../calls.cjs';
import { accepted } from '../../schemaAssertions.cjs';

type Parameters = Record<string, unknown>;

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
const url = 'https://a.example';
const tides = { query: 'tides' };
const calls = [{ provider: 'a', capability: 'b' }];
const run = async (name: string, parameters: Parameters, body: object) =>
	await perform(operationNamed(name), parameters, body as IDataObject);

describe('an answer', () => {
	const usage = { remainingCredits: 7, planCredits: 10, billingPeriodEnd: null };
	const snakes = { remaining_credits: 7, plan_credits: 10, billing_period_end: null };
	const periods = [
		{ startDate: 'a', totalCredits: 0 },
		{ start_date: 'b', creditsUsed: 5 },
	];
	const queue = { jobsInQueue: 3, mostRecentSuccess: null };
	const mapped = (...links: unknown[]) => ({ success: true, id: 'x', links });
	const first = { position: 1, request: { id: 'x' } };
	const check = { id: 'c1', monitorId: id, status: 'queued' };
	const { id: _, ...unnamed } = check;
	const other = { success: true, data: { unheard: 'of' } };
	const named = { calls, additionalFields: { requestId: 'r1' } };
	const code = { sessionId: 's1', code: 'x' };

	it.each<[name: string, parameters: Parameters, body: object, ...items: object[]]>([
		['account: getCreditUsage', {}, { success: true, data: usage }, usage],
		['account: getCreditUsage', {}, { success: true, ...usage }, usage],
		['account: getCreditUsage', {}, { data: snakes }, usage],
		[
			'account: getCreditHistory',
			{},
			{ success: true, periods },
			{ startDate: 'a', totalCredits: 0, creditsUsed: 0, position: 1 },
			{ startDate: 'b', creditsUsed: 5, position: 2 },
		],
		[
			'account: getQueueStatus',
			{},
			{ ...queue, max_concurrency: 5 },
			{ ...queue, maxConcurrency: 5 },
		],
		['map: get', { url }, mapped(url, { url }), { url, ...first }, { url, position: 2 }],
		[
			'map: get',
			{ url },
			mapped({ url, position: 'left' }),
			{ url, original: { position: 'left' }, ...first },
		],
		['monitor: run', { monitorId: id }, { success: true, id: 'c1', data: unnamed }, check],
		['monitor: run', { monitorId: id }, { success: true, data: check }, check],
		['tool: execute', named, other, { ...other, requestId: 'r1' }],
		// An item with a top-level error has failed for n8n.
		[
			'monitor: getCheck',
			{ monitorId: id, checkId: id },
			{ data: { id, pages: [{ url, error: 'x' }] } },
			{ url, pageError: 'x', monitorId: id, checkId: id, position: 1 },
		],
		[
			'session: execute',
			code,
			{ stdout: '1', error: 'x' },
			{ stdout: '1', codeError: 'x', sessionId: 's1' },
		],
	])('of %s for %j that is %j becomes items', async (name, parameters, body, ...items) => {
		const { results } = await run(name, parameters, body);
		expect(results.map(({ json }) => json)).toEqual(items);
	});

	it('comes out whole where that is chosen, with what the node knows beside it', async () => {
		const whole = { success: true, data: { web: [{ url }] }, warning: 'w', warnings: ['v'] };
		const raw = { options: { output: 'raw' } };
		const { call, results } = await run('search: query', { ...tides, ...raw }, whole);
		expect(results).toEqual([{ json: whole }]);
		expect(call.notices).toEqual(['w', 'v']);
		const tools = { success: true, data: { alexandria: [{ ...calls[0], data: {} }] } };
		const executed = await run('tool: execute', { ...named, ...raw }, tools);
		expect(executed.results).toEqual([{ json: { ...tools, requestId: 'r1' } }]);
	});
});

describe('previewed options of a crawl', () => {
	const off = { maxDiscoveryDepth: 0, allowSubdomains: false };

	it.each<[string, object, object]>([
		['what a crawl takes', { limit: 5, sitemap: 'skip' }, { limit: 5, sitemap: 'skip' }],
		['no depth of version 1', { maxDepth: 3, maxDiscoveryDepth: 2 }, { maxDiscoveryDepth: 2 }],
		['nothing unknown', { tomorrow: true }, {}],
		['nothing unset', { prompt: '', includePaths: null, limit: undefined }, {}],
		['zeros and switches that are off', off, off],
		['no delay of nothing', { delay: 0 }, {}],
		['no delay that is no number', { delay: 'soon' }, {}],
		['a delay that can be seconds', { delay: 60 }, { delay: 60 }],
		['a delay of milliseconds in seconds', { delay: 1500 }, { delay: 1.5 }],
		['a longer delay than a crawl takes as the longest', { delay: 90_000 }, { delay: 60 }],
	])('have %s', (_name, given, usable) => {
		const options = usableOptions({ url, ...given });
		expect(options).toEqual({ url, ...usable });
		expect(accepted(crawlRequest.schema, options)).toEqual(options);
	});
});

/** The error that an operation makes of an answer, or of what the runtime throws for one. */
async function errorOf(name: string, parameters: Parameters, body: unknown) {
	const operation = operationNamed(name);
	const call = { ...recordedCall(body), settings: settingsFor(parameters) };
	// A file is read from the input, which no parameter holds.
	const file = { data: 'YQ==', mimeType: 'text/csv', fileName: 'a.csv' };
	const request =
		name === 'file: parse' ? { binaryPropertyName: file } : requestOf(operation, parameters);
	const outcome = await settle(operation.run(request, call));
	const error = outcome.ok ? undefined : outcome.error;
	if (error instanceof WebDataError) return error;
	throw new Error(`no error: ${JSON.stringify(outcome)} ${call.notices.join()}`);
}

describe('a paid answer without what it must hold', () => {
	it.each<[name: string, parameters: Parameters]>([
		['search: query', tides],
		['paper: search', tides],
		['paper: getSimilar', { id: 'arxiv:2401.00001', intent: 'newer' }],
		['paper: get', { id: 'arxiv:2401.00001' }],
		['paper: read', { id: 'arxiv:2401.00001', query: 'How large?' }],
		['map: get', { url }],
		['page: scrape', { url }],
		['page: get', { jobId: id }],
		['file: parse', {}],
		['crawl: previewParams', { url, prompt: 'x' }],
		['tool: execute', { calls }],
	])('is an error of %s, which says what was charged', async (name, parameters) => {
		for (const body of [[], { success: true, data: null }]) {
			const { message, description } = await errorOf(name, parameters, body);
			expect(message).toMatch(/^The response lacks /);
			expect(description).toContain('It may have been charged; the response does not report');
		}
		const charged = { success: true, id: 'job-1', creditsUsed: 2 };
		const { description } = await errorOf(name, parameters, charged);
		expect(description).toMatch(/^2 credits were charged\. The ID of the request is job-1\./);
	});

	it.each([[{ web: 'none' }], ['none'], [5]])(
		'is one whose data %j are no results',
		async (data) => {
			const body = { success: true, data, creditsUsed: 1 };
			const { message, description } = await errorOf('search: query', tides, body);
			expect(message).toBe('The response lacks results');
			expect(description).toMatch(/^1 credit was charged\./);
		},
	);
});

it('an empty list is no document', async () => {
	const { message } = await errorOf('page: scrape', { url }, { success: true, data: [] });
	expect(message).toBe('The response lacks a document');
});

describe('a free answer without what it must hold', () => {
	it.each<[name: string, parameters: Parameters]>([
		['account: getCreditUsage', {}],
		['account: getCreditHistory', {}],
		['account: getQueueStatus', {}],
		['agent: getTrace', { jobId: id }],
		['agent: getSnapshot', { jobId: id, snapshotId: id }],
		['session: getAll', {}],
		['crawl: getActive', {}],
		['crawl: getErrors', { jobId: id }],
		['batch: get', { jobId: id }],
		['monitor: getAll', {}],
		['monitor: get', { monitorId: id }],
		['monitor: getChecks', { monitorId: id }],
		['monitor: getCheck', { monitorId: id, checkId: id }],
	])('is an error of %s', async (name, parameters) => {
		const { message } = await errorOf(name, parameters, { success: true });
		expect(message).toMatch(/^The response lacks /);
	});

	it('that was to start something says that it may be running', async () => {
		const error = await errorOf('monitor: run', { monitorId: id }, { success: true });
		expect(error.message).toBe('The response to the start of the check has no ID');
		expect(error.description).toContain('It may be running');
	});
});

describe('a search or another question', () => {
	const research = { ...tides, additionalFields: { categories: ['research'] } };
	const asked = (...types: string[]) => ({
		...tides,
		additionalFields: { sources: { values: types.map((type) => ({ type })) } },
	});
	const found = (...lists: string[]) => ({
		data: Object.fromEntries(lists.map((list) => [list, [{ url: `https://${list}.example` }]])),
	});
	const only = (words: string) =>
		`No results from ${words}, only from web. Some servers do not support every source.`;

	it.each<[name: string, parameters: Parameters, body: object, notices: unknown[]]>([
		[
			'search: query',
			tides,
			{ id: 'j', data: {}, creditsUsed: 0 },
			['Item 0 returned no results (search j, 0 credits)'],
		],
		[
			'search: query',
			tides,
			{ id: 'j', data: { web: null } },
			['Item 0 returned no results (search j, credits unknown)'],
		],
		['search: query', research, found(), ['Item 0 returned no results (credits unknown)']],
		['paper: search', tides, { results: [] }, ['Item 0 returned no papers']],
		['paper: getSimilar', { id: '1', intent: 'i' }, { results: [] }, ['Item 0 returned no papers']],
		[
			'paper: read',
			{ id: '1', query: 'q' },
			{ passages: [] },
			['Item 0 returned no passages: its full text may not be indexed'],
		],
		['map: get', { url }, { links: [] }, [expect.stringMatching(/no URLs/)]],
		// A search does not scrape papers.
		[
			'search: query',
			{ ...research, scrapeResults: true },
			found('research'),
			[expect.stringMatching(/not scraped.*'Include Domains'/)],
		],
		['search: query', asked('images'), found('web'), [only('images')]],
		['search: query', asked('news', 'images'), found('web'), [only('news or images')]],
		['search: query', asked('alexandria'), found('web'), [only('tools')]],
		['search: query', asked('images'), found('images'), []],
		['search: query', asked('web', 'news'), found('news', 'web', 'research'), []],
		['search: query', tides, found('research'), []],
		['search: query', research, found('research'), []],
	])('says what it did not find: %s for %j and %j: %s', async (name, parameters, body, notices) => {
		const { call } = await run(name, parameters, { success: true, ...body });
		expect(call.notices).toEqual(notices);
	});
});

/** The service's refusal, or a broken connection. */
const refused = (status: number | undefined, body: object = {}) =>
	new FailedResponse(
		status === undefined
			? { networkError: { code: 'ECONNRESET', message: 'socket hang up' } }
			: { response: { status, headers: {}, body: { success: false, ...body } } },
	);

it.each<[number | undefined, object | undefined, boolean]>([
	[undefined, undefined, true],
	[408, { error: 'Request Timeout' }, true],
	[409, { code: 'request_in_flight', error: 'The request is still running' }, true],
	[503, { code: 'request_unresolved', error: 'Unresolved' }, true],
	[402, { code: 'insufficient_credits', error: 'Insufficient credits' }, false],
	[404, { code: 'unknown_provider', error: 'Unknown provider' }, false],
	[409, { code: 'duplicate_request', error: 'Used for another request' }, false],
])(
	'calls of tools that failed (%p %j) may have an answer to ask for: %p',
	async (status, body, may) => {
		const parameters = { calls, additionalFields: { requestId: 'r1' } };
		const { description } = await errorOf('tool: execute', parameters, refused(status, body));
		const again = `the same calls with the 'Request ID' r1 return it without another charge`;
		expect(description.includes(again)).toBe(may);
	},
);

describe('a browser session', () => {
	it.each<[number, string, boolean]>([
		[403, 'Session expired', true],
		[410, 'Gone', true],
		[403, 'Forbidden', false],
		[404, 'Job not found.', false],
		[409, 'Replay context is unavailable for this scrape job.', false],
		[500, 'Not found in cache', false],
	])('that answers %d %s has ended: %p', async (status, words, hasEnded) => {
		const given = refused(status, { error: words });
		const task = { jobId: id, taskType: 'prompt', prompt: 'x' };
		const { message, description } = await errorOf('session: interact', task, given);
		expect(message.startsWith('The browser session is no longer open: ')).toBe(hasEnded);
		expect(message).toContain(words.replace(/\.$/, ''));
		expect(/Scrape the page again and/.test(description)).toBe(hasEnded || status === 409);
	});

	const code = { sessionId: 's1', code: 'x' };

	it('keeps the end of a long text in the error of code', async () => {
		const stdout = `begin${'x'.repeat(5_000)}end`;
		const bad = { success: false, stdout, stderr: 'NameError: x', exitCode: 1, killed: false };
		const { description } = await errorOf('session: execute', code, bad);
		expect(description).toMatch(/stdout:\n… x{3997}end$/);
	});

	it.each([
		[200, { success: false, exitCode: 1 }, true],
		[200, { success: false, stdout: '' }, true],
		[200, { success: false, output: 'I could not' }, true],
		[200, { success: false, error: 'x' }, false],
		[502, { success: false, exitCode: 1 }, false],
		[200, 'stdout', false],
	])('reports by %d %j that code ran: %p', async (status, body, reports) => {
		const { call } = await run('session: execute', code, { success: true });
		expect(call.sent[0].accepts?.({ status, headers: {}, body })).toBe(reports);
	});
});
