import type { ReadContext } from '../../runtime/operation/operation';
import { fieldOf } from '../../runtime/values/record';
import { pluralize } from '../../runtime/values/text';

/** A scrape option, wherever a request has it. */
const scrapeOption = (request: unknown, name: string): unknown =>
	fieldOf(request, name) ?? fieldOf(fieldOf(request, 'scrapeOptions'), name);

/** The formats of a request. */
export function requestedFormats(request: unknown): unknown[] {
	const formats = scrapeOption(request, 'formats');
	return Array.isArray(formats) ? formats : [];
}

/** The name of a format in any form. */
export const typeOfFormat = (format: unknown): string =>
	typeof format === 'string' ? format : String(fieldOf(format, 'type'));

/** The fields of documents whose names differ from their formats. */
const fieldsByFormat = new Map([
	['deterministicJson', 'json'],
	['query', 'answer'],
	['question', 'answer'],
]);

/** The URLs of documents: the first, and how many others. */
function listUrls(documents: readonly object[]): string {
	const [first] = documents;
	const url = fieldOf(fieldOf(first, 'metadata'), 'sourceURL') ?? fieldOf(first, 'url');
	const others = documents.length - 1;
	const more = others === 0 ? '' : ` and ${pluralize(others, 'other page')}`;
	return `${typeof url === 'string' ? url : 'a page'}${more}`;
}

/**
 * Shows a notice for each requested format that documents lack: servers silently omit formats that
 * they are not configured for.
 */
export function noticeMissingFormats(
	request: unknown,
	documents: readonly object[],
	context: Pick<ReadContext, 'notice'>,
): void {
	for (const format of new Set(requestedFormats(request).map(typeOfFormat))) {
		const field = fieldsByFormat.get(format) ?? format;
		const lacking = documents.filter((document) => (fieldOf(document, field) ?? null) === null);
		if (lacking.length === 0) continue;
		context.notice(
			`No ${format} returned for ${listUrls(lacking)}: the page has none, or the server does not support the format.`,
		);
	}
	const redaction = scrapeOption(request, 'redactPII');
	const isRedacted = redaction !== undefined && redaction !== false;
	const empty = isRedacted
		? documents.filter((document) => fieldOf(document, 'markdown') === '')
		: [];
	if (empty.length === 0) return;
	context.notice(
		`The markdown of ${listUrls(empty)} is empty: the server may lack the service that redacts personal data.`,
	);
}
