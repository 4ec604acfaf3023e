import { runInNewContext } from 'node:vm';
import { PDFDocument } from 'pdf-lib';

import type { Action } from '../schemas/actions.cjs';
import { lifetimes, type SignedFiles } from '../signedFiles.cjs';
import { actionError, type BrowserPage } from './browserPage.cjs';
import type { ActionResults } from './document.cjs';
import { screenshot } from './screenshot.cjs';

/** Acts the actions in order and collects what they leave behind. */
export async function runActions(
	page: BrowserPage,
	actions: readonly Action[],
	files: SignedFiles,
): Promise<ActionResults> {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	for (const action of actions) {
		switch (action.type) {
			case 'wait':
				if (action.selector) await page.waitForSelector(action.selector);
				else await page.wait(action.milliseconds ?? 0);
				break;
			case 'click':
				page.click(action.selector, action.all ?? false);
				break;
			case 'write':
			case 'press':
				break;
			case 'scroll':
				page.scroll(action.direction ?? 'down', action.selector);
				break;
			case 'scrape':
				results.scrapes.push({ url: page.url, html: page.html() });
				break;
			case 'screenshot':
				results.screenshots.push(screenshot(files, page.url, action));
				break;
			case 'executeJavascript':
				results.javascriptReturns.push(evaluate(page, action.script));
				break;
			case 'pdf':
				results.pdfs.push(await printed(files));
				break;
		}
	}
	return results;
}

/** Evaluates a script that reads the page's title, or nothing of it. */
function evaluate({ $ }: BrowserPage, script: string): { type: string; value: unknown } {
	const document = { title: $('title').text() };
	try {
		const value: unknown = runInNewContext(script, { document }, { timeout: 200 });
		return { type: typeof value, value };
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		throw actionError(`JavaScript failed: ${words}`);
	}
}

/** The signed link of a PDF with one empty page. */
async function printed(files: SignedFiles): Promise<string> {
	const pdf = await PDFDocument.create();
	pdf.addPage();
	const body = Buffer.from(await pdf.save());
	return files.add('page.pdf', lifetimes.pdf, () => ({ contentType: 'application/pdf', body }));
}
