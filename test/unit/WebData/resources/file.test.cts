import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { inputFile } from '../../../../nodes/WebData/resources/file';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const largestFile = 50 * 1024 * 1024;

const file = (change: Partial<IBinaryData> = {}): IBinaryData => ({
	data: 'eA==',
	mimeType: 'text/html',
	fileName: 'fees.html',
	fileExtension: 'html',
	...change,
});
const read = (name: unknown, files?: IBinaryKeyData) =>
	inputFile.read?.({ binaryPropertyName: name }, files);
const take = (data: IBinaryData) => accepted(inputFile.schema, read('data', { data }));
const refused = (data: IBinaryData) => refusals(inputFile.schema, read('data', { data }));

describe('a file of the input', () => {
	it('is taken by its extension', () => {
		const extensions =
			'html htm xhtml pdf docx doc docm odt ods odp rtf xlsx xls xlsm xlsb pptx ppt pptm epub csv ' +
			'png jpg jpeg jp2 tiff gif bmp webp avif PDF Html';
		for (const extension of extensions.split(' ')) {
			const given = file({ fileName: `a.b.${extension}`, fileExtension: undefined });
			expect(take(given)).toEqual(given);
		}
	});

	it.each<[Partial<IBinaryData>, string]>([
		[{ fileName: 'scan' }, 'scan.html'],
		[{ fileName: undefined }, 'file.html'],
		[{ fileName: '' }, 'file.html'],
		[{ fileName: 'scan.tif', fileExtension: 'tif' }, 'scan.tif.tiff'],
		[{ fileName: 'scan.2026' }, 'scan.2026.html'],
		[{ fileName: 'scan', fileExtension: 'PDF' }, 'scan.pdf'],
		[{ fileName: 'scan.pdf', fileExtension: 'bin' }, 'scan.pdf'],
		// Of unknown size: it is looked at when it is opened.
		[{ data: 'filesystem-v2', id: 'a' }, 'fees.html'],
		[{ id: 'a', bytes: largestFile }, 'fees.html'],
	])('has a name that the service can read: %j', (change, fileName) => {
		expect(take(file(change))).toEqual({ ...file(change), fileName });
	});

	it.each<[Partial<IBinaryData>, RegExp]>([
		[
			{ fileName: 'a.pdf.zip', fileExtension: 'zip' },
			/a file of an unsupported type: a\.pdf\.zip$/,
		],
		[{ fileName: 'a', fileExtension: undefined }, /^refers to a file of an unsupported type: a$/],
		[{ fileName: undefined, fileExtension: '', mimeType: 'x/y' }, /unsupported type: x\/y$/],
		[{ data: '' }, /is empty: fees\.html$/],
		[{ data: 'filesystem-v2', id: 'a', bytes: 0 }, /is empty/],
		[{ id: 'a', bytes: largestFile + 1 }, /has 50\.0 MB, and the limit is 50 MB/],
		[{ id: 'a', bytes: 0, fileName: undefined }, /: data$/],
	])('is refused: %j', (change, words) => {
		expect(refused(file(change))).toEqual([expect.stringMatching(words)]);
	});
});

describe('a name without a file', () => {
	const two = { data: file(), attachment_0: file() };
	const foreign = { data: { fileName: 'a.pdf' } as unknown as IBinaryData };
	const missing = (rest: string) => `does not exist in this item: there is no ${rest}`;

	it.each<[unknown, Record<string, IBinaryData> | undefined, unknown]>([
		['other', two, missing('other, its files are data, attachment_0')],
		['toString', two, missing('toString, its files are data, attachment_0')],
		['data', {}, missing('data, it has no files')],
		['data', undefined, missing('data, it has no files')],
		['data', foreign, expect.any(String)],
		['', two, 'is required'],
		[5, two, 'is required'],
	])('%j of %j', (name, files, words) => {
		expect(refusals(inputFile.schema, read(name, files))).toEqual([words]);
	});

	it.each(['data', undefined])('nor %j alone', (given) => {
		expect(refusals(inputFile.schema, given)).toEqual(['is required']);
	});
});
