import { fieldOf } from '../../runtime/values/record';

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
