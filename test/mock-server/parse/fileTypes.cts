import { ApiError } from '../errors.cjs';

/** One entry of `GET /parse/formats`. */
export interface FileType {
	format: string;
	kind: 'document' | 'spreadsheet' | 'presentation' | 'ebook' | 'image';
	/** With the leading dot. */
	extensions: readonly string[];
	mimeTypes: readonly string[];
	/** `false`: the service knows the type, and this installation cannot read it. */
	available: boolean;
}

const type = (
	format: string,
	kind: FileType['kind'],
	extensions: string,
	mimeTypes: string,
	available = true,
): FileType => ({
	format,
	kind,
	extensions: extensions.split(' '),
	mimeTypes: mimeTypes.split(' '),
	available,
});

const office = 'application/vnd.openxmlformats-officedocument.';
const open = 'application/vnd.oasis.opendocument.';
const macro = (name: string): string => `application/vnd.ms-${name}.macroenabled.12`;

/**
 * Every type that the service takes. The binary formats before 2007, RTF and images (which take
 * character recognition) are not available here.
 */
export const fileTypes: readonly FileType[] = [
	type('html', 'document', '.html .htm .xhtml', 'text/html application/xhtml+xml'),
	type('pdf', 'document', '.pdf', 'application/pdf'),
	type(
		'docx',
		'document',
		'.docx .docm',
		`${office}wordprocessingml.document ${macro('word.document')}`,
	),
	type('doc', 'document', '.doc', 'application/msword', false),
	type('odt', 'document', '.odt', `${open}text`),
	type('rtf', 'document', '.rtf', 'application/rtf text/rtf', false),
	type(
		'xlsx',
		'spreadsheet',
		'.xlsx .xlsm',
		`${office}spreadsheetml.sheet ${macro('excel.sheet')}`,
	),
	type('xls', 'spreadsheet', '.xls', 'application/vnd.ms-excel', false),
	type('xlsb', 'spreadsheet', '.xlsb', macro('excel.sheet.binary'), false),
	type('ods', 'spreadsheet', '.ods', `${open}spreadsheet`),
	type('csv', 'spreadsheet', '.csv', 'text/csv'),
	type(
		'pptx',
		'presentation',
		'.pptx .pptm',
		`${office}presentationml.presentation ${macro('powerpoint.presentation')}`,
	),
	type('ppt', 'presentation', '.ppt', 'application/vnd.ms-powerpoint', false),
	type('odp', 'presentation', '.odp', `${open}presentation`),
	type('epub', 'ebook', '.epub', 'application/epub+zip'),
	...['png', 'jpeg', 'jp2', 'tiff', 'gif', 'bmp', 'webp', 'avif'].map((name) =>
		type(name, 'image', name === 'jpeg' ? '.jpg .jpeg' : `.${name}`, `image/${name}`, false),
	),
];

/** The type of a file by its name's extension; throws the 400 of a type that cannot be read. */
export function fileTypeOf(filename: string): FileType {
	const extension = /\.[^./\\]+$/.exec(filename)?.[0].toLowerCase();
	const found = fileTypes.find(({ extensions }) => extensions.includes(extension ?? ''));
	if (found?.available) return found;
	throw new ApiError(400, {
		code: 'UNSUPPORTED_FILE_TYPE',
		error: found
			? `Files of the type ${found.format} cannot be parsed on this server`
			: `Unsupported upload type: ${filename}`,
	});
}
