import { runInNewContext } from 'node:vm';

import { type Content, rawHtml } from '../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { Action } from '../schemas/scrapeOptions.cjs';
import { lifetimes, screenshot, type SignedFiles } from '../signedFiles.cjs';

/** An open page, of which parts appear late. */
export interface BrowserPage {
	url: string;
	content: Content;
	/** The main content as it shows itself. */
	markdown: string;
}

/** What the actions left behind, each kind in the order of the actions. */
export interface ActionResults {
	screenshots: string[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: string[];
}

/** Acts the actions in order and collects what they leave behind. Clicks, keys and texts do nothing. */
export async function runActions(
	page: BrowserPage,
	actions: readonly Action[],
	files: SignedFiles,
	clock: Clock,
	signal: AbortSignal,
): Promise<ActionResults> {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	for (const action of actions) {
		if (action.type === 'wait') {
			await clock.wait(action.milliseconds ?? 0, signal);
			show(page, 'wait');
		}
		if (action.type === 'scroll') show(page, 'scroll');
		if (action.type === 'scrape') {
			results.scrapes.push({ url: page.url, html: rawHtml(page.content, page.markdown) });
		}
		if (action.type === 'screenshot') results.screenshots.push(screenshot(files));
		if (action.type === 'executeJavascript') {
			results.javascriptReturns.push(evaluate(page, action.script));
		}
		if (action.type === 'pdf') {
			results.pdfs.push(files.add('page.pdf', lifetimes.pdf, () => printed));
		}
	}
	return results;
}

/** Shows the parts that appear after a wait, however long, or a scroll. */
export function show(page: BrowserPage, on: 'wait' | 'scroll'): void {
	const due = page.content.parts.filter((part) => part.on === on);
	page.markdown = [page.markdown, ...due.map(({ text }) => text)].join('\n\n');
}

/** Evaluates a script that reads the page's title, or nothing of it. */
function evaluate({ content }: BrowserPage, script: string): { type: string; value: unknown } {
	const document = { title: content.metadata.title };
	try {
		const value: unknown = runInNewContext(script, { document }, { timeout: 200 });
		return { type: typeof value, value };
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		throw new ApiError(500, { code: 'SCRAPE_ACTION_ERROR', error: `JavaScript failed: ${words}` });
	}
}

const printed = { contentType: 'application/pdf', body: Buffer.from('%PDF-1.4\n%%EOF\n') };
