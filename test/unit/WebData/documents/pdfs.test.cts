import { truncatedPdfNotice } from '../../../../nodes/WebData/documents/document';

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
