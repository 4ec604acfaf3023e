import type { IDataObject, NodeOperationError } from 'n8n-workflow';
import type { Operation, Values } from '../../../../nodes/runtime/execution/operation';
import { resources } from '../../../../nodes/WebData/resources';
import { parse } from '../../../../nodes/WebData/resources/file';
import { getSimilar, read as readPaper } from '../../../../nodes/WebData/resources/paper';
import { search as searchPapers } from '../../../../nodes/WebData/resources/paper';
import { query as search } from '../../../../nodes/WebData/resources/search';
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

/** An operation by the words of both, such as "page: scrape". */
function named(name: string): Operation {
	const [resource, operation] = name.split(': ');
	const found = resources.find(({ value }) => value === resource);
	if (!found) throw new Error(`no resource ${resource}`);
	return operationOf(found, operation);
}

const tides = { query: 'tides' };

describe('a paid answer without what it must hold', () => {
	it.each<[name: string, parameters: Values]>([
		['search: query', tides],
		['paper: search', tides],
		['paper: getSimilar', { id: 'arxiv:2401.00001', intent: 'newer' }],
		['paper: get', { id: 'arxiv:2401.00001' }],
		['paper: read', { id: 'arxiv:2401.00001', query: 'How large?' }],
		['map: get', { url: 'https://example.com' }],
		['page: scrape', { url: 'https://example.com' }],
		['page: get', { jobId: id }],
		['file: parse', {}],
		['crawl: previewParams', { url: 'a.example', prompt: 'x' }],
		['tool: execute', { calls: [{ provider: 'a', capability: 'b' }] }],
	])('is an error of %s, which says what was charged', async (name, parameters) => {
		for (const body of [[], { success: true, data: null }]) {
			const { message, description } = await errorOf(named(name), parameters, body);
			expect(message).toMatch(/^The response lacks .* \[item 0\]$/);
			expect(description).toContain('It may have been charged; the response does not report');
		}
		const charged = { success: true, id: 'job-1', creditsUsed: 2 };
		const { description } = await errorOf(named(name), parameters, charged);
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
	it.each<[string, IDataObject, string]>([
		['0', { data: {}, creditsUsed: 0 }, '(search job-1, 0 credits)'],
		['null', { data: { web: null }, creditsUsed: null }, '(search job-1, credits unknown)'],
	])('says what it cost: %s', async (_, body, words) => {
		const call = recordedCall({ success: true, id: 'job-1', ...body });

		expect(await search.run(requestOf(search as Operation, tides), call)).toEqual([]);
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
	it.each<[name: string, parameters: Values]>([
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
		const { message } = await errorOf(named(name), parameters, { success: true });

		expect(message).toMatch(/^The response lacks /);
	});

	it('that was to start something says that it may be running', async () => {
		const error = await errorOf(named('monitor: run'), { monitorId: id }, { success: true });
		const { message, description } = error;

		expect(message).toBe('The response to the start of the check has no ID [item 0]');
		expect(description).toContain('It may be running');
	});
});

describe('an asked source', () => {
	const asked = (...types: string[]) => ({
		...tides,
		additionalFields: { sources: { values: types.map((type) => ({ type })) } },
	});
	const found = (...lists: string[]) =>
		Object.fromEntries(lists.map((list) => [list, [{ url: `https://${list}.example` }]]));

	it.each([
		[asked('images'), found('web'), 'No results from images, only from web.'],
		[asked('news', 'images'), found('web'), 'No results from news or images, only from web.'],
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
