import type { IDataObject } from 'n8n-workflow';
import type { ItemRequest, Result } from '../../../../nodes/runtime/operation';
import { arrange, batchStart, missingIn } from '../../../../nodes/WebData/resources/batch';
import { batchRequest, mergeBatches } from '../../../../nodes/WebData/resources/batch';
import { recordedCall } from '../../calls.cjs';
import { accepted } from '../../schemaAssertions.cjs';

const [a, b, c] = ['https://a.example/', 'https://b.example/x', 'https://c.example/y?z=1'];
const asked = (...urls: string[][]): ItemRequest[] =>
	urls.map((list, itemIndex) => ({ itemIndex, body: { urls: list } }));
const page = (sourceURL: string): Result => ({ json: { metadata: { sourceURL } } });
const ofAJob: ItemRequest[] = [{ itemIndex: 3, body: { jobId: '1' } }];

describe('the start of one batch for all items', () => {
	const body = (urls: string[], rest: object = {}) =>
		accepted(batchRequest.schema, { urls, ...rest });

	it('has the addresses of all in their order, each once, and apart what is not the same page', () => {
		const bodies = [
			body([a, b, 'http://a.example/'], { maxConcurrency: 2 }),
			body(['https://B.example/x', 'c.example', `${a}?b`, `${b}/`, a], { maxConcurrency: 2 }),
		];
		expect(mergeBatches(bodies)).toEqual({
			urls: [a, b, 'http://a.example/', 'c.example', `${a}?b`, `${b}/`],
			maxConcurrency: 2,
		});
	});

	it('is refused if the addresses of all are more than the service takes', () => {
		const long = (name: string) => body([`https://a.example/${name.repeat(6_000_000)}`]);
		expect(mergeBatches([long('x')])).toMatchObject({ urls: [expect.any(String)] });
		expect(mergeBatches([long('x'), long('y')])).toMatchObject({
			because: expect.stringMatching(/'URLs' of all items must be at most 10 MB/),
		});
	});

	it('is looked up by its first URL, unless it adds to an earlier batch: no list shows that', () => {
		expect(batchStart(body([a, b])).jobLookup?.target).toBe(a);
		const appendToId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
		expect(batchStart(body([a], { appendToId })).jobLookup).toBeUndefined();
	});
});

describe('the results of a batch', () => {
	const arranged = (results: Result[], requests: ItemRequest[]) =>
		arrange(results, { ...recordedCall(), requests }).map(({ json, items }) => [
			(json.metadata as IDataObject | undefined)?.sourceURL ?? json.url,
			items,
		]);

	it('come in the order of the addresses, one for each item that asked', () => {
		const failure = { json: { url: b } };
		expect(arranged([page(c), page(a), failure], asked([a, b], [c], [a, a]))).toEqual([
			[a, [0]],
			[b, [0]],
			[c, [1]],
			[a, [2]],
		]);
	});

	it.each([
		['https://www.a.example', 'https://a.example/'],
		['https://a.example/x?utm_source=n8n', 'https://a.example/x/'],
		['https://a.example/x#part', 'https://a.example/x'],
		['http://a.example/x', 'https://a.example/x'],
		['https://a.example/Z%C3%BCrich', 'https://a.example/Z%c3%bcrich'],
	])('are known again where a server writes %s as %s', (given, answered) => {
		const none = 'https://none.example/';
		expect(arranged([page(answered), page(none)], asked([b], [given], [c]))).toEqual([
			[none, [0]],
			[answered, [1]],
		]);
	});

	it('that name no or another address belong to the addresses left, with a word', () => {
		const call = recordedCall();
		const results = [page(a), page('https://login.example/'), { json: { markdown: 'x' } }];
		const requests = asked([b], [a], [c]);
		const items = arrange(results, { ...call, requests }).map((result) => result.items);
		expect(items).toEqual([[0], [1], [2]]);
		expect(call.notices).toEqual([expect.stringMatching(/^2 pages name other URLs/)]);
	});

	it.each([
		['a.example', 'http://a.example/'],
		['https://A.Example', 'https://a.example/'],
		[' https://a.example/ä ', 'https://a.example/%C3%A4'],
		['https://a.example:443/x', 'https://a.example/x'],
		['nohost', 'nohost'],
		[' not an address ', 'not an address'],
		['ftp://a.example/', 'ftp://a.example/'],
	])('are known again: %s', (given, answered) => {
		expect(arranged([page(answered)], asked([b], [given]))).toEqual([[answered, [1]]]);
	});

	it('that nobody asked for come last, in their order, and belong to all', () => {
		const others = ['https://x.example/', 'https://w.example/'];
		const results = [page(others[0]), page(b), page(others[1]), { json: {} }, page(a)];
		expect(arranged(results, asked([a, b]))).toEqual([
			[a, [0]],
			[b, [0]],
			[others[0], undefined],
			[others[1], undefined],
			[undefined, undefined],
		]);
	});

	it('keep their order where one address has several, and where none were sent', () => {
		const twice = ['first', 'second'].map((name) => ({ json: { name, ...page(a).json } }));
		const results = arrange(twice, { ...recordedCall(), requests: asked([a, a]) });
		expect(results.map(({ json }) => json.name)).toEqual(['first', 'second']);
		const found = arranged([page(b), page(a)], ofAJob);
		expect(found.map(([url]) => url)).toEqual([b, a]);
	});
});

describe('the addresses of a batch without a page', () => {
	const read = (sourceURL: string, url = sourceURL) => ({ metadata: { sourceURL, url } });
	const other = ['a.example', `${b}#top`, 'https://C.example/y?z=1'];
	const led = [read('http://a.example/'), read(b), read('https://d.example/', c)];

	it.each<[string, ItemRequest[], IDataObject[], string[] | undefined]>([
		['those of all items, each once', asked([a, b], [c, a]), [read(b)], [a, c]],
		['none', asked([a, b], [c, a]), [read(a), read(b), read(c)], []],
		['none that the service writes in another way, or that lead elsewhere', asked(other), led, []],
		['not known where no addresses were sent', ofAJob, [read(a)], undefined],
	])('are %s', (_name, requests, documents, missing) => {
		expect(missingIn(documents, { ...recordedCall(), requests })).toEqual(missing);
	});
});
