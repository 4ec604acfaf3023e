import { load, type Cheerio, type CheerioAPI } from 'cheerio';
import { isTag, type Element } from 'domhandler';

import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';

/**
 * An open page that takes actions. The pages of the small web carry no script; what their parts do is
 * said by data attributes, by the convention in `test/site/site.cts`. Nothing comes of keys.
 */
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
		for (const template of this.lateParts()) {
			if (template.due <= this.openFor) this.show(template.id);
		}
	}

	/** Waits until something matches; for ever (until the scrape's timeout) when nothing will. */
	async waitForSelector(selector: string): Promise<void> {
		while (this.find(selector).length === 0) {
			const next = Math.min(...this.lateParts().map(({ due }) => due));
			await this.wait(Number.isFinite(next) ? next - this.openFor : 2 ** 31 - 1);
		}
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

	/** Puts a template's content in its place. */
	private show(selector: string): void {
		const template = this.$(`template${selector}`);
		template.replaceWith(template.html() ?? '');
	}

	private lateParts(): Array<{ id: string; due: number }> {
		return this.$('template[data-after-ms]')
			.toArray()
			.map((template) => ({
				id: `#${this.$(template).attr('id')}`,
				due: Number(this.$(template).attr('data-after-ms')),
			}));
	}
}

function isInTemplate(element: Element): boolean {
	for (let node = element.parent; node; node = node.parent) {
		if (isTag(node) && node.name === 'template') return true;
	}
	return false;
}

export function actionError(error: string): ApiError {
	return new ApiError(500, { code: 'SCRAPE_ACTION_ERROR', error });
}

const noMatch = (selector: string): ApiError =>
	actionError(`No element matches the selector ${selector}`);
