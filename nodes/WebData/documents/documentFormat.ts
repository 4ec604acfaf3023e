import type { IDataObject } from 'n8n-workflow';
import type { ResultFormat } from '../../runtime/output/resultFormat';
import { pageOptions, pageOptionsOf } from '../fields/pageOptions';
import { askedQuestion } from './questionOf';
import { cutMarkdown } from './cutMarkdown';
import { findFiles } from './findFiles';
import { pageItem } from './pageItem';
import { truncatedPdfNotice } from './truncatedPdfs';

/** What the runtime is told of documents: pages and files that the service has read, and formats made of them. */
export const documentFormat: ResultFormat = {
	outputOptions: pageOptions,
	filesIn: findFiles,
	createTransform(values, keepsAll) {
		const { maxMarkdownLength, simplify } = pageOptionsOf(values);
		return (json) => {
			const cut =
				maxMarkdownLength === undefined
					? json
					: (cutMarkdown(json, maxMarkdownLength) as IDataObject);
			return pageItem(cut, simplify && keepsAll);
		};
	},
	noticeOf: truncatedPdfNotice,
	questionIn: askedQuestion,
	texts: new Set(['markdown', 'html', 'rawHtml', 'summary', 'text']),
	htmlTexts: new Set(['html', 'rawHtml']),
};
