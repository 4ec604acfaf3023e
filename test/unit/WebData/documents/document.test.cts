import {
	documentResult,
	questionOf,
	truncatedPdfNotice,
} from '../../../../nodes/WebData/documents/document';
import { recordedCall } from '../../calls.cjs';

describe('the document of an answer', () => {
	it('is the result, as it came', () => {
		const document = { markdown: '# A', metadata: { title: ['a', 'b'], statusCode: 200 } };
		const result = documentResult({ success: true, data: document }, 'simplified', recordedCall());
		expect(result).toEqual({ json: document });
	});

	it('has beside it what the answer says beside it', () => {
		const answer = { success: true, data: { markdown: 'a' }, scrape_id: 'x', warnings: ['w'] };
		const request = { scrape_id: 'x', warnings: ['w'] };
		const { json } = documentResult(answer, 'simplified', recordedCall());
		expect(json).toEqual({ markdown: 'a', request });
	});

	it('keeps a member of its own that is called request', () => {
		const answer = { data: { request: 'own' }, scrape_id: 'x' };
		expect(documentResult(answer, 'simplified', recordedCall()).json).toEqual({
			request: { scrape_id: 'x' },
			original: { request: 'own' },
		});
	});

	it('comes out also when it is no object: it is paid for', () => {
		expect(documentResult({ data: [1] }, 'simplified', recordedCall()).json).toEqual({
			value: [1],
		});
	});

	it('tells its own notices: those of the answer are shown when it comes', () => {
		const given = recordedCall();
		const answer = { warnings: ['one', 'two'], warning: 'three', data: { warning: 'four' } };
		documentResult(answer, 'simplified', given);
		expect(given.notices).toEqual(['four']);
	});
});

describe('the question that a request asks', () => {
	it.each<[unknown, string | undefined]>([
		[{ query: 'berth -hotel site:a.example "by night"', objective: 'x' }, 'berth "by night"'],
		[{ prompt: 'Find the prices' }, 'Find the prices'],
		[{ id: 'x', intent: 'newer' }, 'newer'],
		[{ url: 'x', search: 'prices' }, 'prices'],
		[{ formats: [{ type: 'markdown' }, { type: 'question', question: 'When?' }] }, 'When?'],
		[
			{ query: ' ', scrapeOptions: { formats: [{ type: 'highlights', query: 'prices' }] } },
			'prices',
		],
		[{ url: 'x', formats: [{ type: 'markdown' }] }, undefined],
		[[{ query: 5 }], undefined],
		[undefined, undefined],
	])('of %j is %j', (request, question) => {
		expect(questionOf(request)).toBe(question);
	});
});

/** A document of a PDF. */
const pdf = (numPages: unknown, totalPages: unknown, sourceURL?: string) => ({
	markdown: 'x',
	metadata: { numPages, totalPages, ...(sourceURL !== undefined && { sourceURL }) },
});

describe('PDFs that were read in part', () => {
	const first = pdf(1, 3, 'https://a.example/a.pdf');

	it.each<[string, Array<Record<string, unknown>>, string | undefined]>([
		['none', [pdf(3, 3), { markdown: 'x' }, pdf(3, undefined), pdf(undefined, 3)], undefined],
		['numbers that are none', [pdf('1', '3'), pdf(null, 3), { metadata: 'x' }], undefined],
		['one', [first, pdf(3, 3)], 'https://a.example/a.pdf (1 of 3 pages)'],
		[
			'several',
			[first, pdf(2, 9, 'https://a.example/b.pdf'), pdf(1, 2)],
			'https://a.example/a.pdf (1 of 3 pages) and 2 other PDFs',
		],
		['one without an address', [pdf(1, 3)], 'a PDF (1 of 3 pages)'],
		['one in a whole answer', [{ data: [first] }], 'https://a.example/a.pdf (1 of 3 pages)'],
		['one as a whole answer', [{ data: first }], 'https://a.example/a.pdf (1 of 3 pages)'],
		[
			'one in the whole answer of a search',
			[{ data: { web: [first] } }],
			'https://a.example/a.pdf (1 of 3 pages)',
		],
	])('%s', async (_, records, named) => {
		const notice = `Parsed in part: ${named}. 'Max Pages' of the PDF parser sets how many pages are parsed`;
		expect(await truncatedPdfNotice(records.map((json) => ({ json })))).toBe(named && notice);
	});
});
