import { runInNewContext } from 'node:vm';
import { PDFDocument, StandardFonts } from 'pdf-lib';

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
				page.write(action.text);
				break;
			case 'press':
				page.press(action.key);
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
				results.pdfs.push(await printed(page, files, action));
				break;
		}
	}
	return results;
}

/** Evaluates a script that reads the page: title, address and text of the first match of a selector. */
export function evaluate(page: BrowserPage, script: string): { type: string; value: unknown } {
	const { $ } = page;
	const text = (selector: string): { textContent: string } | null => {
		const found = page.find(selector).first();
		return found.length > 0 ? { textContent: found.text() } : null;
	};
	const document = { title: $('title').text(), body: text('body'), querySelector: text };
	const window = { document, location: { href: page.url } };
	try {
		const value: unknown = runInNewContext(script, { ...window, window }, { timeout: 200 });
		return { type: typeof value, value };
	} catch (error) {
		throw actionError(
			`JavaScript failed: ${error instanceof Error ? error.message : String(error)}`,
		);
	}
}

/** Widths and heights in points. */
const paper: Record<string, [number, number]> = {
	A0: [2384, 3370],
	A1: [1684, 2384],
	A2: [1191, 1684],
	A3: [842, 1191],
	A4: [595, 842],
	A5: [420, 595],
	A6: [298, 420],
	Letter: [612, 792],
	Legal: [612, 1008],
	Tabloid: [792, 1224],
	Ledger: [1224, 792],
};

async function printed(
	page: BrowserPage,
	files: SignedFiles,
	{ format = 'Letter', landscape = false, scale = 1 }: Extract<Action, { type: 'pdf' }>,
): Promise<string> {
	const pdf = await PDFDocument.create();
	const [width, height] = landscape ? [...paper[format]].reverse() : paper[format];
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const text = page
		.$('body')
		.text()
		.replace(/\s+/g, ' ')
		.replace(/[^\x20-\xff]/g, '?')
		.trim();
	pdf.addPage([width, height]).drawText(text, {
		x: 40,
		y: height - 60,
		size: 10 * scale,
		font,
		maxWidth: width - 80,
		lineHeight: 14 * scale,
	});
	const body = Buffer.from(await pdf.save());
	return files.add('page.pdf', lifetimes.pdf, () => ({ contentType: 'application/pdf', body }));
}
