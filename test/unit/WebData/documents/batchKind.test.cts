import type { IDataObject } from 'n8n-workflow';
import type { ItemRequest, Result } from '../../../../nodes/runtime/execution/operation';
import { arrange, missingIn } from '../../../../nodes/WebData/documents/batch';
import { recordedCall } from '../../calls.cjs';

const [a, b, c] = ['https://a.example/', 'https://b.example/x', 'https://c.example/y?z=1'];
const asked = (...urls: string[][]): ItemRequest[] =>
	urls.map((list, itemIndex) => ({ itemIndex, body: { urls: list } }));
const page = (sourceURL: string): Result => ({ json: { metadata: { sourceURL } } });
const failure = (url: string): Result => ({ json: { url } });

const arranged = (results: Result[], requests: ItemRequest[]) =>
	arrange(results, { ...recordedCall(), requests }).map(({ json, items }) => [
		(json.metadata as IDataObject | undefined)?.sourceURL ?? json.url,
		items,
	]);

describe('the results of a batch', () => {
	it('come in the order of the addresses, over all items', () => {
		expect(arranged([page(c), page(a), failure(b)], asked([a, b], [c]))).toEqual([
			[a, [0]],
			[b, [0]],
			[c, [1]],
		]);
	});

	it('belong to every item that asked for them, each once', () => {
		expect(arranged([page(a)], asked([a], [b], [a, a]))).toEqual([[a, [0, 2]]]);
	});

	it.each([
		['a.example', 'http://a.example/'],
		['https://A.Example', 'https://a.example/'],
		[' https://a.example/ä ', 'https://a.example/%C3%A4'],
		['https://a.example:443/x', 'https://a.example/x'],
		['nohost', 'nohost'],
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

	it('keep their order where one address has several', () => {
		const metadata = { sourceURL: a };
		const twice = ['first', 'second'].map((name) => ({ json: { name, metadata } }));

		const results = arrange(twice, { ...recordedCall(), requests: asked([a, a]) });

		expect(results.map(({ json }) => json.name)).toEqual(['first', 'second']);
	});

	it('of requests without addresses stay as they are', () => {
		const requests = [{ itemIndex: 3, body: { jobId: '1' } }];

		expect(arranged([page(b), page(a)], requests)).toEqual([
			[b, undefined],
			[a, undefined],
		]);
	});
});

describe('the addresses of a batch without a page', () => {
	const missing = (documents: IDataObject[], requests: ItemRequest[]) =>
		missingIn(documents, { ...recordedCall(), requests });
	const read = (sourceURL: string, url = sourceURL) => ({ metadata: { sourceURL, url } });

	it('are those of all items that no document names, each once', () => {
		expect(missing([read(b)], asked([a, b], [c, a]))).toEqual([a, c]);
		expect(missing([read(a), read(b), read(c)], asked([a, b], [c, a]))).toEqual([]);
	});

	it('are not those that the service writes in another way, or that lead elsewhere', () => {
		const given = asked(['a.example', `${b}#top`, 'https://C.example/y?z=1']);
		const documents = [read('http://a.example/'), read(b), read('https://d.example/', c)];
		expect(missing(documents, given)).toEqual([]);
	});

	it('are not known where no addresses were sent', () => {
		expect(missing([read(a)], [{ itemIndex: 0, body: { jobId: 'j1' } }])).toBeUndefined();
	});
});
