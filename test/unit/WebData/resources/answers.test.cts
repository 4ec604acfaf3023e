import type { IDataObject, NodeOperationError } from 'n8n-workflow';
import type { Operation, Values } from '../../../../nodes/runtime/execution/operation';
import { getCreditHistory } from '../../../../nodes/WebData/resources/account';
import { getCreditUsage } from '../../../../nodes/WebData/resources/account';
import { getQueueStatus } from '../../../../nodes/WebData/resources/account';
import { agent } from '../../../../nodes/WebData/resources/agent';
import { batch } from '../../../../nodes/WebData/resources/batch';
import { crawl } from '../../../../nodes/WebData/resources/crawl';
import { parse } from '../../../../nodes/WebData/resources/file';
import { get as map } from '../../../../nodes/WebData/resources/map';
import { monitor } from '../../../../nodes/WebData/resources/monitor';
import { get as getScrape } from '../../../../nodes/WebData/resources/page';
import { scrape } from '../../../../nodes/WebData/resources/page';
import { get as getPaper } from '../../../../nodes/WebData/resources/paper';
import { getSimilar } from '../../../../nodes/WebData/resources/paper';
import { read as readPaper } from '../../../../nodes/WebData/resources/paper';
import { search as searchPapers } from '../../../../nodes/WebData/resources/paper';
import { query as search } from '../../../../nodes/WebData/resources/search';
import { session } from '../../../../nodes/WebData/resources/session';
import { execute } from '../../../../nodes/WebData/resources/dataTool';
import { operationOf, recordedCall, requestOf, settingsFor } from '../../calls.cjs';

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

/** What an operation makes of a well-formed request's answer: the error of one that is not what was asked for. */
async function errorOf(operation: Operation, parameters: Values, body: unknown) {
	const call = recordedCall(body);
	// A file is read from the input, which no parameter holds.
	const request =
		operation === parse
			? { binaryPropertyName: { data: 'YQ==', mimeType: 'text/plain', fileName: 'a.txt' } }
			: requestOf(operation, parameters);
	return await operation.run(request, { ...call, settings: settingsFor(parameters) }).then(
		(results) => {
			throw new Error(`made items: ${JSON.stringify(results)} ${call.notices.join()}`);
		},
		(error: unknown) => error as NodeOperationError,
	);
}

type Case = [name: string, operation: Operation, parameters: Values];

const tides = { query: 'tides' };

const paid: Case[] = [
	['search', search as Operation, tides],
	['paper search', searchPapers as Operation, tides],
	['similar papers', getSimilar, { id: 'arxiv:2401.00001', intent: 'newer' }],
	['paper', getPaper, { id: 'arxiv:2401.00001' }],
	['passages of a paper', readPaper, { id: 'arxiv:2401.00001', query: 'How large?' }],
	['map', map, { url: 'https://example.com' }],
	['scrape', scrape, { url: 'https://example.com' }],
	['earlier scrape', getScrape, { jobId: id }],
	['parse', parse, {}],
	['preview of a crawl', operationOf(crawl, 'previewParams'), { url: 'a.example', prompt: 'x' }],
	['tool call', execute, { calls: [{ provider: 'a', capability: 'b' }] }],
];

const empty = [{ success: true }, [], { success: true, data: null }];

describe('a paid answer without what it must hold', () => {
	const cases = paid.flatMap(([name, operation, parameters]) =>
		empty.map((body): [string, unknown, Operation, Values] => [name, body, operation, parameters]),
	);

	it.each(cases)('is an error: %s %j', async (_, body, operation, parameters) => {
		const { message, description } = await errorOf(operation, parameters, body);

		expect(message).toMatch(/^The response lacks .* \[item 0\]$/);
		expect(description).toContain('It may have been charged; the response does not report');
	});

	it.each(paid)('says what was charged, and the request: %s', async (_, operation, parameters) => {
		const body = { success: true, id: 'job-1', creditsUsed: 2 };

		const { description } = await errorOf(operation, parameters, body);

		expect(description).toMatch(/^2 credits were charged\. The ID of the request is job-1\./);
	});

	it.each([[{ web: 'none' }], ['none'], [5]])(
		'is one, too, whose data %j are no results',
		async (data) => {
			const body = { success: true, data, creditsUsed: 1 };

			const { message, description } = await errorOf(search as Operation, tides, body);

			expect(message).toBe('The response lacks results [item 0]');
			expect(description).toMatch(/^1 credit was charged\./);
		},
	);
});

describe('an answer that holds nothing because there is nothing', () => {
	const nothing: Array<[string, Operation, Values, IDataObject]> = [
		['search', search as Operation, tides, { data: {}, id: 'job-1', creditsUsed: 0 }],
		['search', search as Operation, tides, { data: { web: null }, id: 'job-1', creditsUsed: 0 }],
		['paper search', searchPapers as Operation, tides, { results: [] }],
		['map', map, { url: 'https://example.com' }, { links: [] }],
	];

	it.each(nothing)('is no error: %s', async (_, operation, parameters, body) => {
		const call = recordedCall({ success: true, ...body });

		expect(await operation.run(requestOf(operation, parameters), call)).toEqual([]);
	});

	it.each([
		[0, '(search job-1, 0 credits)'],
		[null, '(search job-1, credits unknown)'],
	])('says what it cost: %j', async (creditsUsed, words) => {
		const call = recordedCall({ success: true, data: {}, id: 'job-1', creditsUsed });

		await search.run(requestOf(search as Operation, tides), call);

		expect(call.notices).toEqual([`Item 0 returned no results ${words}`]);
	});

	it.each<[Operation, Values, IDataObject, string]>([
		[
			search as Operation,
			{ ...tides, additionalFields: { categories: ['research'] } },
			{ data: { research: [] } },
			'Item 0 returned no results (credits unknown)',
		],
		[searchPapers as Operation, tides, { results: [] }, 'Item 0 returned no papers'],
		[getSimilar, { id: '1', intent: 'i' }, { results: [] }, 'Item 0 returned no papers'],
		[
			readPaper,
			{ id: '1', query: 'q' },
			{ passages: [] },
			'Item 0 returned no passages: its full text may not be indexed',
		],
	])('is noticed: %#', async (operation, parameters, body, words) => {
		const call = recordedCall({ success: true, ...body });

		expect(await operation.run(requestOf(operation, parameters), call)).toEqual([]);
		expect(call.notices).toEqual([words]);
	});

	it('is noticed for pages of papers, which a search does not scrape', async () => {
		const parameters = {
			...tides,
			scrapeResults: true,
			additionalFields: { categories: ['research'] },
		};
		const call = recordedCall({ success: true, data: { research: [{ paperId: '1' }] } });

		expect(await search.run(requestOf(search as Operation, parameters), call)).toHaveLength(1);
		expect(call.notices).toEqual([expect.stringMatching(/not scraped.*'Include Domains'/)]);
	});
});

describe('a free answer without what it must hold', () => {
	const free: Case[] = [
		['credits', getCreditUsage, {}],
		['credit history', getCreditHistory, {}],
		['queue', getQueueStatus, {}],
		['trace', operationOf(agent, 'getTrace'), { jobId: id }],
		['snapshot', operationOf(agent, 'getSnapshot'), { jobId: id, snapshotId: id }],
		['sessions', operationOf(session, 'getAll'), {}],
		['active crawls', operationOf(crawl, 'getActive'), {}],
		['errors of a crawl', operationOf(crawl, 'getErrors'), { jobId: id }],
		['pages of a batch', operationOf(batch, 'get'), { jobId: id }],
		['monitors', operationOf(monitor, 'getAll'), {}],
		['monitor', operationOf(monitor, 'get'), { monitorId: id }],
		['checks', operationOf(monitor, 'getChecks'), { monitorId: id }],
		['check', operationOf(monitor, 'getCheck'), { monitorId: id, checkId: id }],
	];

	it.each(free)('is an error: %s', async (_, operation, parameters) => {
		const error = await errorOf(operation, parameters, { success: true });

		expect(error.message).toMatch(/^The response lacks /);
	});

	it('that was to start something says that it may be running', async () => {
		const run = operationOf(monitor, 'run');

		const { message, description } = await errorOf(run, { monitorId: id }, { success: true });

		expect(message).toBe('The response to the start of the check has no ID [item 0]');
		expect(description).toContain('It may be running');
	});
});

describe('an asked source', () => {
	const asked = (...types: string[]) => ({
		...tides,
		sources: { values: types.map((type) => ({ type })) },
	});
	const found = (...lists: string[]) =>
		Object.fromEntries(lists.map((list) => [list, [{ url: `https://${list}.example` }]]));

	it.each([
		[asked('images'), found('web'), 'No results from images, only from web.'],
		[asked('news', 'images'), found('web'), 'No results from news or images, only from web.'],
		[asked('web', 'news'), found('web'), 'No results from news, only from web.'],
		[asked('alexandria'), found('web'), 'No results from tools, only from web.'],
	])('that brought nothing while others did is named: %j %j', async (parameters, data, words) => {
		const call = recordedCall({ success: true, data });

		const results = await search.run(requestOf(search as Operation, parameters), call);

		expect(results).toHaveLength(1);
		expect(call.notices).toEqual([`${words} Some servers do not support every source.`]);
	});

	it.each([
		[asked('images'), found('images')],
		[asked('web', 'news'), found('news', 'web', 'research')],
		[tides, found('research')],
		[{ ...asked('web'), additionalFields: { categories: ['research'] } }, found('research')],
	])('is not, when it did, or nobody asked: %j %j', async (parameters, data) => {
		const call = recordedCall({ success: true, data });

		await search.run(requestOf(search as Operation, parameters), call);

		expect(call.notices).toEqual([]);
	});
});
