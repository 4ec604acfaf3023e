import type { IDataObject } from 'n8n-workflow';
import { crawlKind } from '../../../../nodes/WebData/resources/crawl';
import {
	createExtraction,
	pageItem,
	questionOf,
	truncatedPdfNotice,
} from '../../../../nodes/WebData/documents/document';
import { documentJob } from '../../../../nodes/WebData/documents/documentJob';
import { documentResult } from '../../../../nodes/WebData/documents/judge';
import { query } from '../../../../nodes/WebData/resources/search';
import { recordedExchanges } from '../../../mock/recorded/replay.cjs';
import { recordedCall, settingsFor } from '../../calls.cjs';

describe('the document of an answer', () => {
	const document = { markdown: '# A', metadata: { title: ['a', 'b'], statusCode: 200 } };

	it.each<[object, object]>([
		[{ data: document }, document],
		[
			{ data: document, scrape_id: 'x' },
			{ ...document, request: { scrape_id: 'x' } },
		],
		[
			{ data: { request: 'own' }, scrape_id: 'x' },
			{ request: { scrape_id: 'x' }, original: { request: 'own' } },
		],
		// It is paid for also when it is no object.
		[{ data: [1] }, { value: [1] }],
	])('%j is the item %j', async (answer, json) => {
		const result = await documentResult({ success: true, ...answer }, recordedCall());
		expect(result).toEqual({ json });
	});

	it('tells its own notices: those of the answer are shown when it comes', async () => {
		const call = recordedCall();
		const answer = { warnings: ['one', 'two'], warning: 'three', data: { warning: 'four' } };
		await documentResult(answer, call);
		expect(call.notices).toEqual(['four']);
	});
});

it.each<[unknown, string | undefined]>([
	[{ query: 'berth -hotel site:a.example "by night"', objective: 'x' }, 'berth "by night"'],
	[{ prompt: 'Find the prices' }, 'Find the prices'],
	[{ id: 'x', intent: 'newer' }, 'newer'],
	[{ url: 'x', search: 'prices' }, 'prices'],
	[{ formats: [{ type: 'markdown' }, { type: 'question', question: 'When?' }] }, 'When?'],
	[{ query: ' ', scrapeOptions: { formats: [{ type: 'highlights', query: 'q' }] } }, 'q'],
	[{ url: 'x', formats: [{ type: 'markdown' }] }, undefined],
	[[{ query: 5 }], undefined],
	[undefined, undefined],
])('the question that %j asks is %j', (request, question) => {
	expect(questionOf(request)).toBe(question);
});

describe('PDFs that were read in part', () => {
	const pdf = (numPages: unknown, totalPages: unknown, sourceURL?: string) => ({
		markdown: 'x',
		metadata: { numPages, totalPages, ...(sourceURL !== undefined && { sourceURL }) },
	});
	const first = pdf(1, 3, 'https://a.example/a.pdf');
	const named = 'https://a.example/a.pdf (1 of 3 pages)';

	it.each<[string | undefined, ...IDataObject[]]>([
		[undefined, pdf(3, 3), { markdown: 'x' }, pdf(3, undefined), pdf(undefined, 3)],
		[undefined, pdf('1', '3'), pdf(null, 3), { metadata: 'x' }],
		[named, first, pdf(3, 3)],
		[`${named} and 2 other PDFs`, first, pdf(2, 9, 'https://a.example/b.pdf'), pdf(1, 2)],
		['a PDF (1 of 3 pages)', pdf(1, 3)],
		// In whole answers.
		[named, { data: [first] }],
		[named, { data: first }],
		[named, { data: { web: [first] } }],
	])('are named: %s', async (words, ...records) => {
		const notice = `Parsed in part: ${words}. 'Max Pages' of the PDF parser sets how many pages are parsed`;
		const told = await truncatedPdfNotice(records.map((json) => ({ json })));
		expect(told).toBe(words && notice);
	});
});

describe('Extracted data', () => {
	const page = { url: 'https://a.example/', title: 'Page', metadata: { creditsUsed: 5 } };
	const only = { formats: [{ type: 'json', prompt: 'a' }] };
	const schema = { type: 'object', properties: { items: { type: 'array' } } };
	const list = { formats: [{ type: 'json', schema }] };
	const mixed = { formats: ['json', 'links'] };
	const mixedList = { formats: [...list.formats, 'links'] };
	const under = (json: unknown) => ({ ...page, json });

	it.each<[string, object | undefined, unknown, ...object[]]>([
		[
			'keeps nulls, and moves fields of the page with the same names to page',
			only,
			{ title: 'Own', email: null, metadata: 'own' },
			{
				title: 'Own',
				email: null,
				metadata: 'own',
				url: page.url,
				page: { title: 'Page', metadata: page.metadata },
			},
		],
		['keeps its own field page', only, { page: 1 }, { ...page, page: 1 }],
		[
			'has page twice',
			only,
			{ page: 1, title: 2 },
			{ ...page, title: 2, page: { title: 'Page', page: 1 } },
		],
		[
			'splits the only list, with the other fields in the first item',
			list,
			{ items: [{ name: 'A' }, { name: 'B', url: '/b' }], total: 2 },
			{ name: 'A', ...page, json: { total: 2 } },
			{ name: 'B', url: '/b', page: { url: page.url } },
		],
		['splits a list', list, ['A', 'B'], { value: 'A', ...page }, { value: 'B', url: page.url }],
		['has nothing to split', list, { items: [] }],
		['leaves the other formats if there is nothing to split', mixedList, { items: [] }, page],
		['has two lists', list, { a: [1], b: [2] }, { a: [1], b: [2], ...page }],
		['has nothing to bring up', only, null, under(null)],
		['has a list that no schema wants', only, [1], under([1])],
		['is brought up beside other formats, too', mixed, { a: 1 }, { a: 1, ...page }],
		['stays there with unknown formats', { formats: [] }, { a: 1 }, under({ a: 1 })],
		['stays there without a request', undefined, { a: 1 }, under({ a: 1 })],
		['of a search is brought up, too', { scrapeOptions: only }, { a: 1 }, { a: 1, ...page }],
	])('%s', (_name, request, json, ...items) => {
		expect(createExtraction(request)({ ...page, json: json as IDataObject })).toEqual(items);
	});

	it('that did not come leaves the page as it is', () => {
		expect(createExtraction(only)(page)).toEqual([page]);
	});

	it('cuts the URL that entries repeat', () => {
		const url = `https://a.example/${'x'.repeat(5_000)}`;
		const [, second] = createExtraction(list)({ url, json: { items: [{}, {}] } });
		expect(String(second.url).length).toBeLessThan(2_100);
	});
});

const namesOf = (value: unknown) => Object.keys(Object(value));

/** Every document with metadata in a value, at any depth. */
const documentsIn = (value: unknown): IDataObject[] => {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(documentsIn);
	const { metadata } = value as IDataObject;
	const isDocument = typeof Reflect.get(Object(metadata), 'statusCode') === 'number';
	return isDocument ? [value as IDataObject, ...inner] : inner;
};

it('a page of a real server has its URL, title and status first, then its contents and scrape ID', () => {
	const documents = recordedExchanges().flatMap(({ steps }) =>
		documentsIn(steps.map(({ response }) => response.body)),
	);
	expect(documents.length).toBeGreaterThan(100);
	for (const document of documents) {
		const item = pageItem(document, true);
		const { url, sourceURL, title, statusCode } = Object(document.metadata);
		const heading = title === undefined ? ['url', 'statusCode'] : ['url', 'title', 'statusCode'];
		const contents = namesOf(document).filter(
			(name) => !['metadata', 'url', 'title', 'position'].includes(name),
		);
		const position = document.position === undefined ? [] : ['position'];
		const scrape = Object(document.metadata).scrapeId === undefined ? [] : ['scrapeId'];
		expect(namesOf(item)).toEqual([...heading, ...contents, ...scrape, ...position]);
		const isUpload = String(url).includes('parse.firecrawl.dev/uploads/');
		const address = document.url ?? (/^http/.test(url) && !isUpload ? url : sourceURL);
		expect(item).toMatchObject({ url: address, statusCode });
		expect(pageItem(document, false).metadata).toEqual(document.metadata);
	}
});

describe('a page', () => {
	const said = { title: 'Tides', url: 'https://tides.example/now' };
	const metadata = { ...said, ogTitle: 'Tides', scrapeId: 'id', statusCode: 200 };

	it('has of its metadata and of its job only what fits a table', () => {
		const about = { jobId: 'j1', request: { status: 'completed' } };
		const rest = { markdown: '# Tides', creditsUsed: 1 };
		const item = pageItem({ ...rest, ...about, metadata }, true);
		expect(item).toEqual({ ...said, statusCode: 200, scrapeId: 'id', ...rest });
		expect(namesOf(item).slice(0, 3)).toEqual(['url', 'title', 'statusCode']);
		expect(pageItem({ ...rest, ...about, metadata }, false)).toEqual({
			...item,
			...about,
			metadata,
		});
	});

	it('keeps what a search says of it', () => {
		const found = { title: 'Found', url: 'https://tides.example/', source: 'web' };
		const item = pageItem({ ...found, metadata }, true);
		expect(namesOf(item)).toEqual(['url', 'title', 'statusCode', 'scrapeId', 'source']);
		expect(item).toMatchObject(found);
	});

	it('of an uploaded file has its name instead of an address that leads nowhere', () => {
		// As recorded.
		const url = 'https://parse.firecrawl.dev/uploads/doc.pdf';
		const json = { markdown: '', metadata: { sourceURL: 'doc.pdf', url, statusCode: 200 } };
		expect(pageItem(json, true)).toMatchObject({ url: 'doc.pdf', statusCode: 200 });
	});

	it('of a file has no address', () => {
		const json = { markdown: '', metadata: { sourceURL: 'fees.pdf', statusCode: 200 } };
		expect(pageItem(json, true)).toEqual({ statusCode: 200, markdown: '' });
	});

	it.each<[IDataObject]>([
		[{ url: 'https://a.example', markdown: '' }],
		[{ metadata: { title: 'T' }, title: 'U' }],
		[{ metadata: ['statusCode'] }],
	])('is not %j, which stays as it is', (json) => {
		expect(pageItem(json, true)).toBe(json);
	});
});

describe('a format that was requested and did not come', () => {
	const url = 'https://a.example/menu';
	const metadata = { sourceURL: url, statusCode: 200 };
	const formats = (...types: unknown[]) => ({ formats: types });
	/** A call for a request, which is answered with these bodies in turn. */
	const callFor = (body: object, ...bodies: unknown[]) => ({
		...recordedCall(...bodies),
		requests: [{ itemIndex: 0, body }],
	});
	const none = (name: string, pages = url) =>
		`No ${name} returned for ${pages}: the page has none, or the server does not support the format.`;
	const empty = (reason: string) => `The markdown of ${url} is empty: ${reason}.`;
	const noText = empty('the page has no text that the server can read');
	const notRedacted = empty('the server may lack the service that redacts personal data');
	const asked = { type: 'question', question: 'Who?' };

	it.each<[object, IDataObject, ...string[]]>([
		[formats('markdown', 'menu'), { markdown: 'a' }, none('menu')],
		[formats({ type: 'screenshot', fullPage: true }), { screenshot: null }, none('screenshot')],
		[formats(asked), { markdown: 'a' }, none('question')],
		[formats('deterministicJson'), {}, none('deterministicJson')],
		[formats('markdown'), { html: '' }, none('markdown')],
		[{ url }, {}, none('markdown')],
		[formats({ type: 'json', prompt: 'a' }), { json: {} }, none('json')],
		[formats('markdown', 'links', 'menu'), { markdown: 'a', links: [], menu: {} }],
		[formats(asked), { answer: 'Ada' }],
		[formats('deterministicJson'), { json: { a: 1 } }],
		[{}, {}],
		// Where the page has no text, by default, in a batch, and as asked.
		[{ url }, { markdown: '' }, noText],
		[{ urls: [url] }, { markdown: '' }, noText],
		[formats('markdown'), { markdown: '' }, noText],
		[formats('markdown'), { markdown: ' \n ' }, noText],
		...['html', 'rawHtml', 'summary', 'screenshot'].map((name): [object, IDataObject, string] => [
			formats(name),
			{ [name]: name === 'html' ? '' : '\t' },
			noText.replace('markdown', name),
		]),
		[formats({ type: 'json' }), { json: { a: null, b: [], c: { d: [''] } } }, none('json')],
		[formats({ type: 'json' }), { json: { items: [] } }, none('json')],
		[formats({ type: 'json' }), { json: { a: null, b: [0] } }],
		// Without an item, the notice is all that says what the page cost.
		[
			formats({ type: 'json' }),
			{ json: { items: [] }, metadata: { ...metadata, creditsUsed: 5 } },
			none('json', `${url} (5 credits)`),
		],
		// Where the site has responded with an error.
		[
			formats('markdown'),
			{ markdown: '', metadata: { ...metadata, statusCode: 404 } },
			`1 of 1 page returned an HTTP error instead of content: ${url} (404). 'statusCode' of the items shows it.`,
		],
		// Where redaction leaves nothing.
		[{ url, redactPII: true }, { markdown: '' }, notRedacted],
		[{ url, redactPII: { mode: 'fast' } }, { markdown: '' }, notRedacted],
		[{ url, redactPII: true }, { markdown: 'a' }],
		[{ url, redactPII: false }, { markdown: '' }, noText],
	])('of %j in %j is told: %s', async (request, document, ...notices) => {
		const call = callFor(request);
		await documentResult({ success: true, data: { metadata, ...document } }, call);
		expect(call.notices).toEqual(notices);
	});

	it.each(['simplified', 'raw'])('is told once for the pages of a job, as %s', async (output) => {
		const pages = [{ metadata, links: [] }, { metadata }, { metadata: { sourceURL: 'https://b' } }];
		const answer = { success: true, status: 'completed', total: 3, data: pages };
		const request = { scrapeOptions: formats('links') };
		const call = callFor(request, answer, { errors: [], robotsBlocked: [] });
		const settings = settingsFor({ options: { output } });

		await documentJob(crawlKind).finish({ ...answer, id: 'a' }, { ...call, settings });

		expect(call.notices).toEqual([none('links', `${url} and 1 other page`)]);
	});

	it.each(['simplified', 'raw'])('is told of the pages of a search, as %s', async (output) => {
		const request = { query: 'a', limit: 1, scrapeOptions: formats('summary') };
		const web = [{ url }, { url: 'https://b.example', summary: 'b' }];
		const images = [{ url: 'https://c.example', imageUrl: 'https://c.example/c.png' }];
		const call = callFor(request, { success: true, data: { web, images }, creditsUsed: 3 });

		await query.run(request, { ...call, settings: settingsFor({ options: { output } }) });

		expect(call.notices).toEqual([none('summary')]);
	});
});
