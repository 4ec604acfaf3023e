import type { IDataObject } from 'n8n-workflow';
import { pageItem } from '../../../../nodes/WebData/documents/document';
import { recordedExchanges } from '../../../mock/recorded/exchanges.cjs';

const namesOf = (value: unknown) => Object.keys(Object(value));

/** Every document with metadata in a value, at any depth. */
const documentsIn = (value: unknown): IDataObject[] => {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(documentsIn);
	const { metadata } = value as IDataObject;
	return typeof Reflect.get(Object(metadata), 'statusCode') === 'number'
		? [value as IDataObject, ...inner]
		: inner;
};

describe('a page of a real server', () => {
	const documents = recordedExchanges().flatMap(({ steps }) =>
		documentsIn(steps.map(({ response }) => response.body)),
	);

	it('has its URL, title and status first, its metadata last, and nothing twice', () => {
		expect(documents.length).toBeGreaterThan(100);
		for (const document of documents) {
			const item = pageItem(document, true);
			const { url, sourceURL, title, statusCode } = Object(document.metadata);
			const heading = title === undefined ? ['url', 'statusCode'] : ['url', 'title', 'statusCode'];
			const contents = namesOf(document).filter(
				(name) => !['metadata', 'url', 'title', 'position'].includes(name),
			);
			const position = document.position === undefined ? [] : ['position'];
			expect(namesOf(item)).toEqual([...heading, ...contents, 'metadata', ...position]);
			expect(item).toMatchObject({
				url: document.url ?? (/^http/.test(url) ? url : sourceURL),
				statusCode,
			});
			const { sourceURL: source, ...rest } = Object(item.metadata);
			expect(source).toBe(sourceURL);
			// A page that says the words of its status has them as title, too.
			const once = [item.url, item.statusCode, ...(item.title === rest.error ? [] : [item.title])];
			expect(Object.values(rest).filter((value) => once.includes(value as string))).toEqual([]);
			expect(pageItem(document, false).metadata).toEqual(document.metadata);
		}
	});
});

describe('a page', () => {
	const metadata = {
		title: 'Tides',
		'og:title': 'Tides',
		ogTitle: 'Tides',
		description: 'When the water comes',
		keywords: 'a, b',
		url: 'https://tides.example/now',
		sourceURL: 'https://tides.example',
		statusCode: 200,
		scrapeId: 'id',
		concurrencyLimited: false,
	};

	it('has of its metadata what people use', () => {
		const json = { markdown: '# Tides', metadata, request: { creditsUsed: 1 } };
		const { url, title, statusCode, description, sourceURL, scrapeId } = metadata;
		const item = {
			url,
			title,
			statusCode,
			markdown: '# Tides',
			metadata: { description, sourceURL, scrapeId },
			request: { creditsUsed: 1 },
		};
		expect(JSON.stringify(pageItem(json, true))).toBe(JSON.stringify(item));
	});

	it('keeps what a search says of it, and what the page itself says otherwise', () => {
		const json = { title: 'Found', url: 'https://tides.example/', metadata, source: 'web' };
		const item = pageItem(json, true);
		const { title, url } = metadata;
		expect(namesOf(item)).toEqual(['url', 'title', 'statusCode', 'metadata', 'source']);
		expect(item).toMatchObject({ title: json.title, url: json.url, metadata: { title, url } });
	});

	it('of a file has no address', () => {
		const json = { markdown: '', metadata: { sourceURL: 'fees.pdf', statusCode: 200 } };
		expect(pageItem(json, true)).toEqual({
			statusCode: 200,
			markdown: '',
			metadata: { sourceURL: 'fees.pdf' },
		});
	});

	it('has no member of its prototype', () => {
		const json: IDataObject = JSON.parse(
			'{"__proto__":{"url":"https://evil.example"},"metadata":{"statusCode":200,"__proto__":{"title":"T"}}}',
		);
		const item = pageItem(json, true);
		expect(JSON.stringify(item)).toBe(
			'{"statusCode":200,"__proto__":{"url":"https://evil.example"},"metadata":{}}',
		);
		expect(Object.getPrototypeOf(item)).toBe(Object.prototype);
	});

	it.each<[string, IDataObject]>([
		['metadata', { url: 'https://a.example', markdown: '' }],
		['a status', { metadata: { title: 'T' }, title: 'U' }],
		['a record of metadata', { metadata: ['statusCode'] }],
	])('without %s is none, and stays as it is', (_name, json) => {
		expect(pageItem(json, true)).toBe(json);
	});
});
