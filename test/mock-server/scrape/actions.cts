import { type Cheerio, type CheerioAPI, load } from 'cheerio';
import { type Element, isTag } from 'domhandler';
import { runInNewContext } from 'node:vm';

import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { Action } from '../schemas/scrapeOptions.cjs';
import { lifetimes, screenshot, type SignedFiles } from '../signedFiles.cjs';
import type { ActionResults } from './document.cjs';

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
				await page.wait(action.milliseconds ?? 0);
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
				results.pdfs.push(files.add('page.pdf', lifetimes.pdf, () => printed));
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

const printed = { contentType: 'application/pdf', body: Buffer.from('%PDF-1.4\n%%EOF\n') };

/** An open page that takes actions; what its parts do say data attributes (`test/site/site.cts`), keys do nothing. */
export class BrowserPage {
	readonly $: CheerioAPI;
	private openFor = 0;

	constructor(
		html: string,
		readonly url: string,
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.$ = load(html);
	}

	html(): string {
		return this.$.html();
	}

	/** Keeps the page open for a time, in which late parts appear. */
	async wait(ms: number): Promise<void> {
		if (ms > 0) await this.clock.wait(ms, this.signal);
		this.openFor += ms;
		this.$('template[data-after-ms]').each((_, template) => {
			const { id, 'data-after-ms': due } = template.attribs;
			if (Number(due) <= this.openFor) this.show(`#${id}`);
		});
	}

	/** Shows what the elements that match reveal. */
	click(selector: string, all: boolean): void {
		const found = this.find(selector);
		if (found.length === 0 && !all) throw noMatch(selector);
		for (const target of all ? found.toArray() : found.toArray().slice(0, 1)) {
			const { 'data-reveals': reveals, 'data-removes': removes } = target.attribs;
			if (removes) this.$(removes).remove();
			if (!reveals) continue;
			this.show(reveals);
			this.$(target).remove();
		}
	}

	scroll(direction: 'up' | 'down', selector: string | undefined): void {
		if (selector && this.find(selector).length === 0) throw noMatch(selector);
		this.$(`template[data-on-scroll="${direction}"]`).each((_, template) => {
			this.show(`#${this.$(template).attr('id')}`);
		});
	}

	/** What matches on the page as it shows itself: what templates hold is not there yet. */
	find(selector: string): Cheerio<Element> {
		try {
			return this.$<Element, string>(selector).filter((_, element) => !isInTemplate(element));
		} catch {
			throw actionError(`The selector ${selector} is not valid`);
		}
	}

	private show(selector: string): void {
		const template = this.$(`template${selector}`);
		template.replaceWith(template.html() ?? '');
	}
}

function isInTemplate(element: Element): boolean {
	for (let node = element.parent; node; node = node.parent) {
		if (isTag(node) && node.name === 'template') return true;
	}
	return false;
}

function actionError(error: string): ApiError {
	return new ApiError(500, { code: 'SCRAPE_ACTION_ERROR', error });
}

const noMatch = (selector: string): ApiError =>
	actionError(`No element matches the selector ${selector}`);
