import { eachInTurns } from '../../runtime/host/turns';
import { pluralize } from '../../runtime/values/text';
import { isRecord, fieldOf, type JsonRecord } from '../../runtime/values/record';

/**
 * Describes a PDF of which only some pages were parsed, by a document's metadata; undefined for any
 * other document (https://docs.firecrawl.dev/features/document-parsing).
 */
function truncated(metadata: unknown): string | undefined {
	const read = fieldOf(metadata, 'numPages');
	if (typeof read !== 'number') return undefined;
	const pages = fieldOf(metadata, 'totalPages');
	if (typeof pages !== 'number' || pages <= read) return undefined;
	const url = fieldOf(metadata, 'sourceURL');
	return `${typeof url === 'string' ? url : 'a PDF'} (${read} of ${pages} pages)`;
}

/** The documents in the data of a whole response: a list, one, or lists by source. */
function documentsIn(data: unknown): unknown[] {
	if (Array.isArray(data)) return data;
	if (!isRecord(data)) return [];
	return [data, ...Object.values(data).filter(Array.isArray).flat(1)];
}

/** Characters processed in the time that a document takes. */
const workPerDocument = 10;

/**
 * A notice of PDFs that were parsed only in part; undefined if none was. It checks up to 130,000
 * results, so it allocates nothing for ordinary ones.
 */
export async function truncatedPdfNotice(
	results: ReadonlyArray<{ json: JsonRecord }>,
): Promise<string | undefined> {
	let first: string | undefined;
	let found = 0;
	const inspect = (metadata: unknown) => {
		const pdf = truncated(metadata);
		if (pdf === undefined) return;
		first ??= pdf;
		found += 1;
	};
	await eachInTurns(results, ({ json: { data, metadata } }) => {
		inspect(metadata);
		if (data === undefined) return workPerDocument;
		const documents = documentsIn(data);
		for (const document of documents) inspect(fieldOf(document, 'metadata'));
		return (1 + documents.length) * workPerDocument;
	});
	if (first === undefined) return undefined;
	const more = found === 1 ? '' : ` and ${pluralize(found - 1, 'other PDF')}`;
	return `Parsed in part: ${first}${more}. 'Max Pages' of the PDF parser sets how many pages are parsed`;
}

/** The first characters of every PDF in base64. */
const pdfStart = 'JVBERi';

/**
 * Whether a text of a document is a PDF in base64, which the service returns if parsing is off
 * (docs/api-notes.md, Documents and files).
 */
export function isUnparsedPdf(text: unknown, document: unknown): text is string {
	const metadata = fieldOf(document, 'metadata');
	const type = fieldOf(metadata, 'contentType');
	return (
		typeof text === 'string' &&
		text.startsWith(pdfStart) &&
		typeof type === 'string' &&
		type.toLowerCase().startsWith('application/pdf') &&
		fieldOf(metadata, 'numPages') === undefined
	);
}
