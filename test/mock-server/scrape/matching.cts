import type { Cheerio, CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';

/** What a CSS selector matches in a page; one that is not valid matches nothing. */
export function matching($: CheerioAPI, selector: string): Cheerio<Element> {
	try {
		return $<Element, string>(selector);
	} catch {
		return $<Element, string>([]);
	}
}
