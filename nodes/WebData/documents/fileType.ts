import type { IBinaryData } from 'n8n-workflow';

/** MIME types and extensions of files (https://docs.firecrawl.dev/api-reference/endpoint/parse). */
const extensionsByType = new Map(
	`text/html html htm; application/xhtml+xml xhtml; application/pdf pdf; text/csv csv; application/msword doc
application/rtf rtf; text/rtf rtf; application/epub+zip epub; application/vnd.ms-excel xls csv
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.ms-powerpoint ppt; application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
application/vnd.ms-word.document.macroenabled.12 docm; application/vnd.ms-excel.sheet.macroenabled.12 xlsm
application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb; application/vnd.oasis.opendocument.text odt
application/vnd.oasis.opendocument.spreadsheet ods; application/vnd.oasis.opendocument.presentation odp
image/png png; image/jpeg jpg jpeg; image/jp2 jp2; image/tiff tiff; image/gif gif; image/bmp bmp; image/webp webp; image/avif avif`
		.split(/; |\n/)
		.map((line) => line.split(' '))
		.map(([type, ...extensions]) => [type, extensions]),
);

const extensions = new Set([...extensionsByType.values()].flat());

/** The first bytes of files, as Latin-1. Archives are known by the names in them. */
const beginnings: ReadonlyArray<[RegExp, string]> = [
	[/^%PDF-/, 'pdf'],
	[/^\{\\rtf/, 'rtf'],
	[/^\x89PNG\r\n/, 'png'],
	[/^\xff\xd8\xff/, 'jpg'],
	[/^GIF8/, 'gif'],
	[/^(?:II\*\0|MM\0\*)/, 'tiff'],
	[/^RIFF[^]{4}WEBP/, 'webp'],
	[/^[^]{4}ftypavif/, 'avif'],
	[/^PK[^]*application\/epub\+zip/, 'epub'],
	[/^PK[^]*opendocument\.text/, 'odt'],
	[/^PK[^]*opendocument\.spreadsheet/, 'ods'],
	[/^PK[^]*opendocument\.presentation/, 'odp'],
	[/^PK[^]*word\//, 'docx'],
	[/^PK[^]*xl\//, 'xlsx'],
	[/^PK[^]*ppt\//, 'pptx'],
	[/^\s*<(?:!doctype html|html)\b/i, 'html'],
];

/** Bytes from the beginning of a file that tell what it is. */
export const lengthOfBeginning = 4_096;

const extensionOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase() ?? '';

/** A file with an extension that the service knows, by its type, name or first bytes; undefined without. */
export function namedFile(data: IBinaryData, beginning: Buffer): IBinaryData | undefined {
	const fileName = data.fileName?.trim() ? data.fileName : 'file';
	const given = extensionOf(fileName);
	const ofType = extensionsByType.get(data.mimeType.split(';', 1)[0].trim().toLowerCase());
	if (ofType ? ofType.includes(given) : extensions.has(given)) return data;
	// The service only knows the long extension.
	const known = (data.fileExtension ?? '').toLowerCase().replace(/^tif$/, 'tiff');
	const text = beginning.toString('latin1');
	const extension =
		ofType?.[0] ??
		(extensions.has(known) ? known : beginnings.find(([pattern]) => pattern.test(text))?.[1]);
	return extension === undefined ? undefined : { ...data, fileName: `${fileName}.${extension}` };
}
