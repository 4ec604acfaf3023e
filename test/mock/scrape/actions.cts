import { type Content, rawHtml } from '../site/render.cjs';
import type { Clock } from '../clock.cjs';
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

/** Acts the actions in order and collects what they leave behind. Clicks, keys and texts do nothing; every script returns the page's title. */
export async function runActions(
	page: BrowserPage,
	actions: readonly Action[],
	files: SignedFiles,
	clock: Clock,
	signal: AbortSignal,
): Promise<ActionResults> {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	const { url, content } = page;
	for (const action of actions) {
		switch (action.type) {
			case 'wait':
				await clock.wait(action.milliseconds ?? 0, signal);
				show(page, 'wait');
				break;
			case 'scroll':
				show(page, 'scroll');
				break;
			case 'scrape':
				results.scrapes.push({ url, html: rawHtml(content, page.markdown) });
				break;
			case 'screenshot':
				results.screenshots.push(screenshot(files));
				break;
			case 'executeJavascript':
				results.javascriptReturns.push({ type: 'string', value: content.metadata.title });
				break;
			case 'pdf':
				results.pdfs.push(files.add('page.pdf', lifetimes.pdf, () => printed));
		}
	}
	return results;
}

/** Shows the parts that appear after a wait, however long, or a scroll. */
export function show(page: BrowserPage, on: 'wait' | 'scroll'): void {
	const due = page.content.extras.parts?.filter((part) => part.on === on) ?? [];
	page.markdown = [page.markdown, ...due.map(({ text }) => text)].join('\n\n');
}

const printed = { contentType: 'application/pdf', body: Buffer.from('%PDF-1.4\n%%EOF\n') };
