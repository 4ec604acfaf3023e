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
			const given = file({
				fileName: `a.b.${extension}`,
				fileExtension: undefined,
				mimeType: 'application/octet-stream',
			});
			expect(take(given)).toEqual(given);
		}
	});

	const unknown = { mimeType: 'application/octet-stream', fileExtension: undefined };
	const inline = (text: string) => Buffer.from(text, 'latin1').toString('base64');

	it.each<[Partial<IBinaryData>, string]>([
		[{ fileName: 'scan' }, 'scan.html'],
		[{ fileName: undefined }, 'file.html'],
		[{ fileName: '' }, 'file.html'],
		[{ fileName: 'scan.htm' }, 'scan.htm'],
		[{ fileName: 'scan.2026' }, 'scan.2026.html'],
		// The MIME type comes first.
		[{ fileName: 'getDocument.aspx', mimeType: 'application/pdf' }, 'getDocument.aspx.pdf'],
		[{ fileName: 'scan.pdf', mimeType: 'Image/PNG; x=1' }, 'scan.pdf.png'],
		[{ ...unknown, fileName: 'scan', fileExtension: 'PDF' }, 'scan.pdf'],
		[{ ...unknown, fileName: 'scan.pdf', fileExtension: 'bin' }, 'scan.pdf'],
		[{ ...unknown, fileName: 'scan.tif', fileExtension: 'tif' }, 'scan.tif.tiff'],
		// Then what the file begins with.
		[{ ...unknown, fileName: 'a', data: inline('%PDF-1.7\n') }, 'a.pdf'],
		[{ ...unknown, fileName: 'a.bin', data: inline('{\\rtf1') }, 'a.bin.rtf'],
		[{ ...unknown, fileName: 'a', data: inline('\x89PNG\r\n\x1a\n') }, 'a.png'],
		[
			{ ...unknown, fileName: 'a', data: inline(`PK\x03\x04${' '.repeat(26)}word/document.xml`) },
			'a.docx',
		],
		[
			{
				...unknown,
				fileName: 'a',
				data: inline(`PK\x03\x04${' '.repeat(26)}mimetypeapplication/epub+zip`),
			},
			'a.epub',
		],
		// Of unknown size and content: it is looked at when it is opened.
		[{ data: 'filesystem-v2', id: 'a' }, 'fees.html'],
		[{ id: 'a', bytes: largestFile }, 'fees.html'],
		[{ ...unknown, data: 'filesystem-v2', id: 'a', fileName: 'scan' }, 'scan'],
	])('has a name that the service can read: %j', (change, fileName) => {
		expect(take(file(change))).toEqual({ ...file(change), fileName });
	});

	it.each<[Partial<IBinaryData>, RegExp]>([
		[
			{ fileName: 'a.pdf.zip', fileExtension: 'zip', mimeType: 'application/zip' },
			/a file of an unsupported type: a\.pdf\.zip \(application\/zip\)$/,
		],
		[
			{ ...unknown, fileName: 'a' },
			/^refers to a file of an unsupported type: a \(.*octet-stream\)$/,
		],
		[{ ...unknown, fileName: undefined, mimeType: 'x/y' }, /type: without a name \(x\/y\)$/],
		[{ ...unknown, fileName: 'a', data: inline('PK\x03\x04other.bin') }, /unsupported type: a /],
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
