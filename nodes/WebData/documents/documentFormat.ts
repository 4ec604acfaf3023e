import type { IDataObject } from 'n8n-workflow';
import type { ResultFormat } from '../../runtime/output/results';
import { questionOf } from './questionOf';
import { createExtraction } from './extractedData';
import { findFiles } from './findFiles';
import { pageItem } from './pageItem';
import { truncatedPdfNotice, isUnparsedPdf } from './pdfs';
import { maxDepth } from '../../runtime/values/json';
import { isRecord } from '../../runtime/values/record';
import { cutText } from '../../runtime/values/text';

const markdownMark = (missing: number) =>
	`[… truncated, ${missing} more characters; raise 'Max Markdown Length' to get them]`;

/**
 * Truncates each field `markdown` of a value, at any depth of a response, except base64 files,
 * which a cut would corrupt.
 */
function cutMarkdown(value: unknown, max: number, levels = 2 * maxDepth): unknown {
	if (levels === 0) return value;
	if (Array.isArray(value)) return value.map((entry) => cutMarkdown(entry, max, levels - 1));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, field]) => [
			key,
			key === 'markdown' && typeof field === 'string' && !isUnparsedPdf(field, value)
				? cutText(field, max, markdownMark)
				: cutMarkdown(field, max, levels - 1),
		]),
	);
}

/** The result format of documents: scraped pages and files, and formats made of them. */
export const documentFormat: ResultFormat = {
	filesIn: findFiles,
	createTransform({ maxMarkdownLength, simplify, keepFields, jsonOutput }, request) {
		const extract = createExtraction(jsonOutput, request);
		const isSimplified = simplify && keepFields.length === 0;
		return (json) => {
			const cut =
				maxMarkdownLength === undefined
					? json
					: (cutMarkdown(json, maxMarkdownLength) as IDataObject);
			return extract(pageItem(cut, isSimplified));
		};
	},
	noticeOf: truncatedPdfNotice,
	questionIn: questionOf,
	texts: new Set(['markdown', 'html', 'rawHtml', 'summary', 'text']),
	htmlTexts: new Set(['html', 'rawHtml']),
};
