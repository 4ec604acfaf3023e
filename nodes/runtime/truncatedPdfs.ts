import { counted } from './counted';
import { isRecord, memberOf } from './record';

/** A PDF of which fewer pages were read than it has. */
interface TruncatedPdf {
	address: string;
	read: number;
	pages: number;
}

/** A document as a PDF that was read in part, if it is one (https://docs.firecrawl.dev/features/document-parsing). */
function truncated(document: unknown): TruncatedPdf[] {
	const metadata = memberOf(document, 'metadata');
	const read = memberOf(metadata, 'numPages');
	const pages = memberOf(metadata, 'totalPages');
	if (typeof read !== 'number' || typeof pages !== 'number' || pages <= read) return [];
	const address = memberOf(metadata, 'sourceURL');
	return [{ address: typeof address === 'string' ? address : 'a PDF', read, pages }];
}

/** The documents of a result: itself, or those of a whole answer. */
function documentsIn(result: unknown): unknown[] {
	const data = memberOf(result, 'data');
	if (Array.isArray(data)) return data;
	if (!isRecord(data)) return [result];
	return [result, data, ...Object.values(data).filter(Array.isArray).flat(1)];
}

/** What to say when PDFs among the results were read in part; undefined when none was. */
export function truncatedPdfNotice(results: readonly unknown[]): string | undefined {
	const [first, ...others] = results.flatMap((result) => documentsIn(result).flatMap(truncated));
	if (first === undefined) return undefined;
	const more = others.length === 0 ? '' : ` and ${counted(others.length, 'other PDF')}`;
	return `Read in part: ${first.address} (${first.read} of ${first.pages} pages)${more}. 'Max Pages' of the PDF parser says how many are read`;
}
