import { truncatedPdfNotice } from '../../../../nodes/WebData/documents/truncatedPdfs';

const pdf = (numPages: unknown, totalPages: unknown, sourceURL?: string) => ({
	markdown: 'x',
	metadata: { numPages, totalPages, ...(sourceURL !== undefined && { sourceURL }) },
});

describe('PDFs that were read in part', () => {
	it.each<[string, Array<Record<string, unknown>>, string | undefined]>([
		['none', [pdf(3, 3), { markdown: 'x' }, pdf(3, undefined), pdf(undefined, 3)], undefined],
		['numbers that are none', [pdf('1', '3'), pdf(null, 3), { metadata: 'x' }], undefined],
		[
			'one',
			[pdf(1, 3, 'https://a.example/a.pdf'), pdf(3, 3)],
			"Read in part: https://a.example/a.pdf (1 of 3 pages). 'Max Pages' of the PDF parser says how many are read",
		],
		[
			'several',
			[pdf(1, 3, 'https://a.example/a.pdf'), pdf(2, 9, 'https://a.example/b.pdf'), pdf(1, 2)],
			"Read in part: https://a.example/a.pdf (1 of 3 pages) and 2 other PDFs. 'Max Pages' of the PDF parser says how many are read",
		],
		[
			'one without an address',
			[pdf(1, 3)],
			"Read in part: a PDF (1 of 3 pages). 'Max Pages' of the PDF parser says how many are read",
		],
		[
			'one in a whole answer',
			[{ data: [pdf(1, 3, 'https://a.example/a.pdf')] }],
			"Read in part: https://a.example/a.pdf (1 of 3 pages). 'Max Pages' of the PDF parser says how many are read",
		],
		[
			'one as a whole answer',
			[{ data: pdf(1, 3, 'https://a.example/a.pdf') }],
			"Read in part: https://a.example/a.pdf (1 of 3 pages). 'Max Pages' of the PDF parser says how many are read",
		],
		[
			'one in the whole answer of a search',
			[{ data: { web: [pdf(1, 3, 'https://a.example/a.pdf')] } }],
			"Read in part: https://a.example/a.pdf (1 of 3 pages). 'Max Pages' of the PDF parser says how many are read",
		],
	])('%s', (_, records, notice) => {
		expect(truncatedPdfNotice(records.map((json) => ({ json })))).toBe(notice);
	});
});
