import type { IDataObject } from 'n8n-workflow';
import type { ResultFormat } from '../../runtime/output/resultFormat';
import { questionOf } from './questionOf';
import { cutMarkdown } from './cutMarkdown';
import { createExtraction } from './extractedData';
import { findFiles } from './findFiles';
import { pageItem } from './pageItem';
import { truncatedPdfNotice } from './truncatedPdfs';

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
