import { evaluate } from '../scrape/actions.cjs';
import type { Browser } from './browser.cjs';

/** Something that code can ask of the browser; its arguments come from the code, unchecked. */
type Command = (browser: Browser, args: readonly unknown[]) => unknown;

function words(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new Error(`Expected text, got ${typeof value}`);
}

/** The text of every match. */
function texts({ page }: Browser, selector: unknown): string[] {
	return page
		.find(words(selector))
		.toArray()
		.map((element) => page.$(element).text());
}

function firstText(browser: Browser, selector: unknown): string {
	const [found] = texts(browser, selector);
	if (found !== undefined) return found;
	throw new Error(`No element matches the selector ${words(selector)}`);
}

function fill({ page }: Browser, [selector, text]: readonly unknown[]): void {
	page.click(words(selector), false);
	page.write(words(text));
}

/** The page's methods by their names in Playwright, and what the profile remembers. */
export const pageCommands: Readonly<Record<string, Command>> = {
	async goto(browser, [url]) {
		const status = await browser.goto(words(url));
		return { status, url: browser.page.url };
	},
	title: ({ page }) => page.$('title').first().text(),
	content: ({ page }) => page.html(),
	click: ({ page }, [selector]) => page.click(words(selector), false),
	fill,
	type: fill,
	press({ page }, [selector, key]) {
		page.click(words(selector), false);
		page.press(words(key));
	},
	pressKey: ({ page }, [key]) => page.press(words(key)),
	typeText: ({ page }, [text]) => page.write(words(text)),
	textContent: (browser, [selector]) => firstText(browser, selector),
	innerText: (browser, [selector]) => firstText(browser, selector).replace(/\s+/g, ' ').trim(),
	allTextContents: (browser, [selector]) => texts(browser, selector),
	count: (browser, [selector]) => texts(browser, selector).length,
	getAttribute: ({ page }, [selector, name]) => page.find(words(selector)).attr(words(name)),
	waitForTimeout: ({ page }, [ms]) => page.wait(Number(ms)),
	waitForSelector: ({ page }, [selector]) => page.waitForSelector(words(selector)),
	wheel: ({ page }, [, down]) => page.scroll(Number(down) < 0 ? 'up' : 'down', undefined),
	evaluate: ({ page }, [script]) => evaluate(page, words(script)).value,
	getItem: ({ storage }, [key]) => storage.get(words(key)),
	setItem: ({ storage }, [key, value]) => void storage.set(words(key), words(value)),
};
