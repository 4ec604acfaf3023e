import type { IDataObject } from 'n8n-workflow';
import { createExtraction } from '../../../../nodes/WebData/documents/document';

const page = { url: 'https://a.example/', title: 'Page', metadata: { creditsUsed: 5 } };
const only = { formats: [{ type: 'json', prompt: 'a' }] };
const schema = { type: 'object', properties: { items: { type: 'array' } } };
const list = { formats: [{ type: 'json', schema }] };
const extract = (request: object | undefined, json: unknown): IDataObject[] =>
	createExtraction(request)({ ...page, json: json as IDataObject });

describe('Extracted data', () => {
	it('keeps nulls, and moves fields of the page with the same names to original', () => {
		expect(extract(only, { title: 'Own', email: null, metadata: 'own' })).toEqual([
			{
				title: 'Own',
				email: null,
				metadata: 'own',
				url: page.url,
				original: { title: 'Page', metadata: page.metadata },
			},
		]);
	});

	it('keeps its own field original', () => {
		expect(extract(only, { original: 1, title: 2 })[0].original).toEqual({
			title: 'Page',
			original: 1,
		});
		expect(extract(only, { original: 1 })[0]).toEqual({ ...page, original: 1 });
	});

	it('splits the only list, with the other fields in the first item', () => {
		expect(extract(list, { items: [{ name: 'A' }, { name: 'B', url: '/b' }], total: 2 })).toEqual([
			{ name: 'A', ...page, json: { total: 2 } },
			{ name: 'B', url: '/b', original: { url: page.url } },
		]);
		expect(extract(list, ['A', 'B'])).toEqual([
			{ value: 'A', ...page },
			{ value: 'B', url: page.url },
		]);
	});

	it('keeps the page if there is nothing to split or to bring up', () => {
		expect(extract(list, { items: [] })).toEqual([{ ...page, json: { items: [] } }]);
		expect(extract(list, { a: [1], b: [2] })).toEqual([{ a: [1], b: [2], ...page }]);
		expect(extract(only, null)).toEqual([{ ...page, json: null }]);
		expect(extract(only, [1])).toEqual([{ ...page, json: [1] }]);
		expect(createExtraction(only)(page)).toEqual([page]);
	});

	it('stays under json with other formats and unknown formats', () => {
		const nested = [{ ...page, json: { a: 1 } }];
		expect(extract({ formats: ['json', 'links'] }, { a: 1 })).toEqual(nested);
		expect(extract({ formats: [] }, { a: 1 })).toEqual(nested);
		expect(extract(undefined, { a: 1 })).toEqual(nested);
		expect(extract({ scrapeOptions: only }, { a: 1 })).toEqual([{ a: 1, ...page }]);
	});

	it('cuts the URL that entries repeat', () => {
		const url = `https://a.example/${'x'.repeat(5_000)}`;
		const [, second] = createExtraction(list)({ url, json: { items: [{}, {}] } });
		expect(String(second.url).length).toBeLessThan(2_100);
	});
});
