import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { sizeProblem } from '../../../../nodes/runtime/output/files';
import { inputFile } from '../../../../nodes/WebData/resources/file';

const largestFile = 50 * 1024 * 1024;
import { accepted, refusals } from '../../schemaAssertions.cjs';

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
	])('has a name that the service can read: %j', (change, fileName) => {
		expect(take(file(change))).toEqual({ ...file(change), fileName });
	});

	it.each<[Partial<IBinaryData>, string]>([
		[{ fileName: 'a.pdf.zip', fileExtension: 'zip' }, 'a.pdf.zip'],
		[{ fileName: 'a', fileExtension: undefined }, 'a'],
		[{ fileName: undefined, fileExtension: '', mimeType: 'x/y' }, 'x/y'],
	])('is refused for its type: %j', (change, shown) => {
		expect(refused(file(change))).toEqual([`refers to a file of an unsupported type: ${shown}`]);
	});

	it.each<[Partial<IBinaryData>, RegExp]>([
		[{ data: '' }, /is empty: fees\.html$/],
		[{ data: 'filesystem-v2', id: 'a', bytes: 0 }, /is empty/],
		[{ id: 'a', bytes: largestFile + 1 }, /has 50\.0 MB, and the limit is 50 MB/],
		[{ id: 'a', bytes: 0, fileName: undefined }, /: data$/],
	])('is refused for its size: %j', (change, words) => {
		expect(refused(file(change))).toEqual([expect.stringMatching(words)]);
	});

	it('of unknown size is taken, for it is looked at when it is opened', () => {
		const given = file({ data: 'filesystem-v2', id: 'a' });
		expect(take(given)).toEqual(given);
	});

	it('just fits', () => {
		const given = file({ id: 'a', bytes: largestFile });
		expect(take(given)).toEqual(given);
		expect([sizeProblem(1), sizeProblem(largestFile)]).toEqual([undefined, undefined]);
	});
});

describe('a name without a file', () => {
	const two = { data: file(), attachment_0: file() };

	const missing = (rest: string) => `does not exist in this item: there is no ${rest}`;

	it.each<[unknown, Record<string, IBinaryData> | undefined, string]>([
		['other', two, missing('other, its files are data, attachment_0')],
		['toString', two, missing('toString, its files are data, attachment_0')],
		['data', {}, missing('data, it has no files')],
		['data', undefined, missing('data, it has no files')],
		['', two, 'is required'],
		[5, two, 'is required'],
	])('%j of %j', (name, files, words) => {
		expect(refusals(inputFile.schema, read(name, files))).toEqual([words]);
	});

	it('nor what is no file of n8n', () => {
		const files = { data: { fileName: 'a.pdf' } as unknown as IBinaryData };
		expect(refusals(inputFile.schema, read('data', files))).toHaveLength(1);
		expect(refusals(inputFile.schema, 'data')).toEqual(['is required']);
		expect(refusals(inputFile.schema, undefined)).toEqual(['is required']);
	});
});
