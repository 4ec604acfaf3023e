import type { IDataObject } from 'n8n-workflow';
import { WebDataError } from '../../../../nodes/runtime/errors/webDataError';
import {
	asRecord,
	label,
	listResults,
	requireJobId,
	startedId,
	without,
} from '../../../../nodes/runtime/execution/results';
import { aboutRequest } from '../../../../nodes/WebData/documents/document';
import { splitData } from '../../../../nodes/WebData/resources/search';
import { turnsDuring } from '../../../turnsDuring.cjs';
import { errorSource } from '../../schemaAssertions.cjs';

const json = async (body: Parameters<typeof splitData>[0]) =>
	(await splitData(body)).map((result) => result.json);

describe('One result per entry', () => {
	it('is returned for every array in data, also unknown ones, with source and position', async () => {
		const body = {
			success: true,
			id: 'job-1',
			creditsUsed: 2,
			warning: null,
			data: {
				web: [{ url: 'a', position: 4 }, { url: 'b' }],
				research: [{ paperId: 'p1', title: 'P' }],
				tools: [{ id: 'x/y', creditsCost: 1 }],
				tomorrow: [{ any: 'thing' }],
			},
		};
		expect(await json(body)).toEqual([
			{ source: 'web', position: 4, url: 'a' },
			{ source: 'web', position: 2, url: 'b' },
			{ source: 'research', position: 1, paperId: 'p1', title: 'P' },
			{ source: 'tools', position: 1, id: 'x/y', creditsCost: 1 },
			{ source: 'tomorrow', position: 1, any: 'thing' },
		]);
	});

	it('is returned for entries that are not objects', async () => {
		expect(await json({ success: true, data: { links: ['https://a.example', null, 5] } })).toEqual([
			{ source: 'links', position: 1, value: 'https://a.example' },
			{ source: 'links', position: 2, value: null },
			{ source: 'links', position: 3, value: 5 },
		]);
	});

	it.each<[unknown]>([[undefined], [null], [{}], [{ web: null }], ['x'], [{ web: [] }]])(
		'is not returned for the data %j',
		async (data) => {
			expect(await splitData({ data: data as IDataObject })).toEqual([]);
		},
	);
});

describe("The node's own fields", () => {
	it('move fields of the same name to original', () => {
		const original = { source: 'Reuters', request: 'POST' };
		const labels = { source: 'news', position: 3, request: { id: 'x' } };
		const labelled = label({ title: 'T', position: 3, ...original }, labels);
		expect(labelled).toEqual({ title: 'T', ...labels, original });
	});

	it('keep a field __proto__, and the prototype', () => {
		const labelled = label(JSON.parse('{"__proto__":{"title":"T"},"url":"U"}'), { source: 'web' });
		expect(Object.keys(labelled)).toEqual(['__proto__', 'url', 'source']);
		expect(labelled.title).toBeUndefined();
	});

	it("change no object without such fields, nor a tool's response", async () => {
		const tool = { id: 'a/b', response: { about: 'x' } };
		expect(await json({ success: true, id: 'job-1', data: { tools: [tool] } })).toEqual([
			{ ...tool, source: 'tools', position: 1 },
		]);
	});

	it('replace a position that is not a number, and retain it', async () => {
		expect(await json({ data: { web: [{ position: 'top' }] } })).toEqual([
			{ source: 'web', position: 1, original: { position: 'top' } },
		]);
	});

	it('retain a field that is itself called original', async () => {
		const [{ source, ...rest }] = await json({ data: { web: [{ source: 'S', original: 'O' }] } });
		expect(source).toBe('web');
		expect(JSON.stringify(rest)).toContain('"O"');
		expect(JSON.stringify(rest)).toContain('"S"');
	});
});

describe('The results of a list', () => {
	const request = { poolSize: 7, note: 'n' };
	const body = { success: true, results: [{ paperId: 'p', position: 'x' }, 'text'], ...request };

	it('have their position, and the first the fields beside the list', async () => {
		expect(await listResults(body, 'results', 'results', errorSource())).toEqual([
			{ json: { paperId: 'p', position: 1, request, original: { position: 'x' } } },
			{ json: { value: 'text', position: 2 } },
		]);
	});

	it('are the whole response if the user wants that', async () => {
		expect(await listResults(body, 'results', 'raw', errorSource())).toEqual([{ json: body }]);
	});

	it('are empty for an empty list', async () => {
		expect(await listResults({ results: [] }, 'results', 'results', errorSource())).toEqual([]);
	});

	it.each([[{}], [{ results: null }], [{ results: {} }], [[]]])(
		'are missing in %j',
		async (body) => {
			await expect(listResults(body, 'results', 'results', errorSource())).rejects.toThrow(
				'The response lacks a list of results',
			);
		},
	);

	it('are missing with the charge and the ID of the request, by which it can be found', async () => {
		await expect(
			listResults({ id: 'request-1', creditsUsed: 2 }, 'results', 'results', errorSource()),
		).rejects.toMatchObject({
			advice: expect.stringMatching(
				/^2 credits were charged\. The ID of the request is request-1\./,
			),
		});
		await expect(listResults({}, 'results', 'results', errorSource())).rejects.toMatchObject({
			advice: expect.not.stringContaining('The ID of the request'),
		});
	});

	it('are missing in a whole response that is not an object', async () => {
		await expect(listResults([], 'results', 'raw', errorSource())).rejects.toThrow('lacks a list');
	});
});

describe('Many results', () => {
	const web = Array<IDataObject>(20_000).fill({ url: 'https://a.example' });

	it.each([
		['of a search', async () => await splitData({ data: { web } })],
		['of a list', async () => await listResults({ web }, 'web', 'results', errorSource())],
	])('let others run meanwhile: %s', async (_name, work) => {
		expect(await turnsDuring(work)).toBeGreaterThanOrEqual(10);
	});
});

describe('Objects', () => {
	it('wrap other values, and lose only the named fields', () => {
		expect(asRecord({ a: 1 })).toEqual({ a: 1 });
		for (const value of ['x', 0, [1]]) expect(asRecord(value)).toEqual({ value });
		expect(without({ a: 1, b: null, c: 0 }, 'a', 'z')).toEqual({ b: null, c: 0 });
	});
});

describe('The fields beside the data of a response', () => {
	it('are all except data, success and hints', () => {
		const beside = { id: 'x', scrapeIds: { web: [] } };
		expect(aboutRequest({ success: true, data: {}, agent_hints: ['a'], ...beside })).toEqual(
			beside,
		);
	});
});

const answer = (body: unknown) => ({ status: 200, headers: {}, body });

describe('the answer to a start', () => {
	it('names what was started', () => {
		const body = { success: true, id: 'job-1', url: 'https://api.example/v2/crawl/job-1' };

		expect(requireJobId('crawl', answer(body), errorSource())).toBe(body);
		expect(startedId(body)).toBe('job-1');
	});

	it.each([{}, { id: '' }, { id: 5 }, { id: null }, [], 'job-1', undefined].map((body) => [body]))(
		'that names nothing is an error which owns what may run: %j',
		(body) => {
			const start = () => requireJobId('crawl', answer(body), errorSource({ itemIndex: 2 }));

			expect(startedId(body)).toBeUndefined();
			expect(start).toThrow(WebDataError);
			expect(start).toThrow(
				expect.objectContaining({
					message: 'The response to the start of the crawl has no ID',
					description: expect.stringMatching(/may be running and charged/),
				}),
			);
		},
	);
});
