import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { knownSize } from '../../runtime/output/binaryFile';
import { check, ValidationFailure, preview } from '../../runtime/form/schema';
import { field, required, type Field } from '../../runtime/form/field';
import { isRecord } from '../../runtime/values/record';

const extensions = new Set(
	(
		'html htm xhtml pdf docx doc docm odt ods odp rtf xlsx xls xlsm xlsb pptx ppt pptm epub csv ' +
		'png jpg jpeg jp2 tiff gif bmp webp avif'
	).split(' '),
);

/**
 * Largest file that the service accepts, in bytes
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse).
 */
export const largestFile = 50 * 1024 * 1024;

const extensionOf = (name = '') => /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase();

/**
 * A file with the extension by which the service identifies it
 * (https://docs.firecrawl.dev/api-reference/endpoint/parse); n8n may know it if the name has none.
 */
function named(data: IBinaryData): IBinaryData | undefined {
	const { fileExtension = '' } = data;
	const fileName = data.fileName?.trim() ? data.fileName : 'file';
	if (extensions.has(extensionOf(fileName) ?? '')) return data;
	// The service only knows the long extension.
	const extension = fileExtension.toLowerCase().replace(/^tif$/, 'tiff');
	return extensions.has(extension) ? { ...data, fileName: `${fileName}.${extension}` } : undefined;
}

/** The problem with the size of a file in bytes, if any. */
export function sizeProblem(size: number): string | undefined {
	if (size === 0) return 'is empty';
	const megabytes = (size / (1024 * 1024)).toFixed(1);
	return size > largestFile ? `has ${megabytes} MB, and the limit is 50 MB` : undefined;
}

const isBinary = (value: unknown): value is IBinaryData =>
	isRecord(value) && typeof value.mimeType === 'string' && typeof value.data === 'string';

/** The file of an item by name, with all names of the item's files. */
const readInputFile = (name: unknown, files: IBinaryKeyData = {}) => ({
	name,
	file: typeof name === 'string' && Object.hasOwn(files, name) ? files[name] : undefined,
	names: Object.keys(files),
});

/** A file that the service can parse. */
const parsable = check((value) => {
	const { name, file, names } = isRecord(value) ? value : {};
	if (typeof name !== 'string' || name === '') return new ValidationFailure('is required');
	if (!isBinary(file)) {
		const there =
			Array.isArray(names) && names.length > 0
				? `its files are ${names.join(', ')}`
				: 'it has no files';
		return new ValidationFailure(
			`does not exist in this item: there is no ${preview(name)}, ${there}`,
		);
	}
	const size = knownSize(file);
	const problem = size === undefined ? undefined : sizeProblem(size);
	if (problem !== undefined) {
		return new ValidationFailure(
			`refers to a file that ${problem}: ${preview(file.fileName ?? name)}`,
		);
	}
	return (
		named(file) ??
		new ValidationFailure(
			`refers to a file of an unsupported type: ${preview(file.fileName ?? file.mimeType)}`,
		)
	);
});

/** The file of the item to send. */
export const inputFile: Field<IBinaryData> = {
	...required(
		field(
			{
				displayName: 'Input Data Field Name',
				type: 'string',
				default: 'data',
				hint: 'The name of the input field that contains the file',
				description:
					'Binary field with the file: PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, CSV, HTML or an image, up to 50 MB',
			},
			parsable,
		),
	),
	read: ({ binaryPropertyName }, files) => readInputFile(binaryPropertyName, files),
};
