import { runInNewContext } from 'node:vm';

import { allLinks, type Content, type Part, rawHtml } from '../site/site.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { Action } from '../schemas/scrapeOptions.cjs';
import { lifetimes, screenshot, type SignedFiles } from '../signedFiles.cjs';

/** What the actions left behind, each kind in the order of the actions. */
export interface ActionResults {
	screenshots: string[];
	scrapes: Array<{ url: string; html: string }>;
	javascriptReturns: Array<{ type: string; value: unknown }>;
	pdfs: string[];
}

/** Acts the actions in order and collects what they leave behind. Keys do nothing. */
export async function runActions(
	page: BrowserPage,
	actions: readonly Action[],
	files: SignedFiles,
): Promise<ActionResults> {
	const results: ActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
	for (const action of actions) {
		if (action.type === 'wait') await page.wait(action.milliseconds ?? 0);
		if (action.type === 'click') page.click(action.selector, action.all ?? false);
		if (action.type === 'scroll') page.scroll(action.direction ?? 'down', action.selector);
		if (action.type === 'scrape') results.scrapes.push({ url: page.url, html: page.html });
		if (action.type === 'screenshot') results.screenshots.push(screenshot(files, page.url, action));
		if (action.type === 'executeJavascript') {
			results.javascriptReturns.push(evaluate(page, action.script));
		}
		if (action.type === 'pdf') {
			results.pdfs.push(files.add('page.pdf', lifetimes.pdf, () => printed));
		}
	}
	return results;
}

/** Evaluates a script that reads the page's title, or nothing of it. */
function evaluate({ content }: BrowserPage, script: string): { type: string; value: unknown } {
	const document = { title: content.metadata.title };
	try {
		const value: unknown = runInNewContext(script, { document }, { timeout: 200 });
		return { type: typeof value, value };
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		throw actionError(`JavaScript failed: ${words}`);
	}
}

const printed = { contentType: 'application/pdf', body: Buffer.from('%PDF-1.4\n%%EOF\n') };

/** An open page, whose hidden parts appear after waits, clicks and scrolls. */
export class BrowserPage {
	/** The main content as it shows itself. */
	markdown: string;
	private hidden: readonly Part[];
	private openFor = 0;

	constructor(
		readonly content: Content,
		readonly url: string,
		private readonly clock: Clock,
		private readonly signal: AbortSignal,
	) {
		this.markdown = content.markdown;
		this.hidden = content.parts;
	}

	get html(): string {
		return rawHtml({ ...this.content, parts: this.hidden }, this.markdown);
	}

	get links(): string[] {
		return allLinks(this.content, this.markdown);
	}

	/** Keeps the page open for a time, in which late parts appear. */
	async wait(ms: number): Promise<void> {
		if (ms > 0) await this.clock.wait(ms, this.signal);
		this.openFor += ms;
		this.show(({ on, ms: due = 0 }) => on === 'wait' && due <= this.openFor);
	}

	click(selector: string, all: boolean): void {
		if (!all) this.require(selector);
		this.show(
			({ on, id }) =>
				on === 'click' && /^button$|^#/.test(selector) && `#${id}-button` === selector,
		);
	}

	scroll(direction: 'up' | 'down', selector: string | undefined): void {
		if (selector) this.require(selector);
		this.show((part) => part.on === 'scroll' && part.direction === direction);
	}

	/** Shows parts; what is inside of one comes in its place. */
	private show(isDue: (part: Part) => boolean): void {
		const due = this.hidden.filter(isDue);
		if (due.length === 0) return;
		this.hidden = this.hidden.flatMap((part) => (due.includes(part) ? (part.next ?? []) : [part]));
		this.markdown = [this.markdown, ...due.map(({ text = '' }) => text)].join('\n\n');
	}

	private require(selector: string): void {
		const pattern = tagPattern(selector);
		if (!pattern) throw actionError(`The selector ${selector} is not valid`);
		if (!pattern.test(this.html)) throw actionError(`No element matches the selector ${selector}`);
	}
}

/** The opening tag of what a simple selector matches, by its last part: `a`, `#id`, `.class`, `[name]`, `a.class`. */
export function tagPattern(selector: string): RegExp | undefined {
	const last =
		selector
			.trim()
			.split(/[\s>+~]+/)
			.at(-1) ?? '';
	const [whole, tag = '\\w+', sign, name = '', attribute] =
		/^(\w+|\*)?(?:([.#])([\w-]+)|\[([\w-]+)[^\]]*\])?$/.exec(last) ?? [];
	if (!whole) return undefined;
	const start = `<${tag.replace('*', '\\w+')}\\b`;
	if (attribute) return new RegExp(`${start}[^>]*\\s${attribute}[=\\s>]`);
	if (!sign) return new RegExp(`${start}[^>]*>`);
	return new RegExp(
		`${start}[^>]*\\s${sign === '#' ? 'id' : 'class'}="([^"]*\\s)?${name}(\\s[^"]*)?"`,
	);
}

function actionError(error: string): ApiError {
	return new ApiError(500, { code: 'SCRAPE_ACTION_ERROR', error });
}
