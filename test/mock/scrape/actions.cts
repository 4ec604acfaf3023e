import { type Content, rawHtml } from '../site/render.cjs';
import type { Clock } from '../clock.cjs';
import type { Action } from '../schemas/scrapeOptions.cjs';
import { lifetimes, screenshot, type SignedFiles } from '../signedFiles.cjs';

/** What the actions left behind, each kind in the order of the actions. */
export interface ActionResults {
	screenshots: string[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: string[];
}

/** Acts the actions in order and collects what they leave behind. Clicks, keys and texts change nothing; every script returns the page's title. */
export async function runActions(
	url: string,
	content: Content,
	actions: readonly Action[],
	files: SignedFiles,
	clock: Clock,
	signal: AbortSignal,
): Promise<ActionResults> {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	for (const action of actions) {
		switch (action.type) {
			case 'wait':
				await clock.wait(action.milliseconds ?? 0, signal);
				break;
			case 'scrape':
				results.scrapes.push({ url, html: rawHtml(content) });
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

const printed = { contentType: 'application/pdf', body: Buffer.from('%PDF-1.4\n%%EOF\n') };
