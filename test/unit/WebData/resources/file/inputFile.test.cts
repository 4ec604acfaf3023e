import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { inputFile, largestFile, sizeProblem } from '../../../../../nodes/WebData/resources/file';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

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
	// Extensions.
	it.each(
		(
			'html htm xhtml pdf docx doc docm odt ods odp rtf xlsx xls xlsm xlsb pptx ppt pptm epub csv ' +
			'png jpg jpeg jp2 tiff gif bmp webp avif PDF Html'
		).split(' '),
	)('is taken by its extension: %s', (extension) => {
		const given = file({ fileName: `a.b.${extension}`, fileExtension: undefined });
		expect(take(given)).toEqual(given);
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

	it.each<[string, Partial<IBinaryData>, string]>([
		['another kind', { fileName: 'a.exe', fileExtension: 'exe' }, 'a.exe'],
		[
			'a kind in the middle of the name',
			{ fileName: 'a.pdf.zip', fileExtension: 'zip' },
			'a.pdf.zip',
		],
		['no kind', { fileName: 'a', fileExtension: undefined }, 'a'],
		['no name', { fileName: undefined, fileExtension: '', mimeType: 'x/y' }, 'x/y'],
	])('is refused: %s', (_, change, shown) => {
		expect(refused(file(change))).toEqual([`refers to a file of an unsupported type: ${shown}`]);
	});

	it.each<[string, Partial<IBinaryData>, RegExp]>([
		['empty in memory', { data: '' }, /is empty: fees\.html$/],
		['empty on disk', { data: 'filesystem-v2', id: 'a', bytes: 0 }, /is empty/],
		['too large', { id: 'a', bytes: largestFile + 1 }, /has 50\.0 MB, and the limit is 50 MB/],
		['far too large', { id: 'a', bytes: 75 * 1024 * 1024 }, /has 75\.0 MB/],
		['without a name', { id: 'a', bytes: 0, fileName: undefined }, /: data$/],
	])('is refused for its size: %s', (_, change, words) => {
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

	it.each<[unknown, Record<string, IBinaryData> | undefined, string]>([
		[
			'other',
			two,
			'does not exist in this item: there is no other, its files are data, attachment_0',
		],
		['data', {}, 'does not exist in this item: there is no data, it has no files'],
		['data', undefined, 'does not exist in this item: there is no data, it has no files'],
		[
			'toString',
			two,
			'does not exist in this item: there is no toString, its files are data, attachment_0',
		],
		['', two, 'is required'],
		[undefined, two, 'is required'],
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
