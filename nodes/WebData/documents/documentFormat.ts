import type { ResultFormat } from '../../runtime/output/results';
import { questionOf } from './questionOf';
import { createExtraction } from './extractedData';
import { findFiles } from './findFiles';
import { pageItem } from './pageItem';
import { truncatedPdfNotice } from './pdfs';

/** The result format of documents: scraped pages and files, and formats made of them. */
export const documentFormat: ResultFormat = {
	filesIn: findFiles,
	createTransform({ output }, request) {
		if (output === 'raw') return (json) => [json];
		const extract = createExtraction(request);
		// Selected fields may also be those that a simplified item omits.
		return (json) => extract(pageItem(json, output === 'simplified'));
	},
	noticeOf: truncatedPdfNotice,
	questionIn: questionOf,
};
