import type { Element } from 'domhandler';

import { mainContent } from '../scrape/mainContent.cjs';
import { toMarkdown } from '../scrape/markdown.cjs';
import { answer } from '../scrape/readings.cjs';
import type { Browser } from './browser.cjs';

/**
 * Does what a prompt asks on the open page, as far as no language model is needed: presses the buttons
 * whose labels it names, then answers from what the page says.
 */
export function performTask({ page }: Browser, prompt: string): string {
	let question = prompt.toLowerCase();
	const pressed = new Set<string>();
	const labelOf = (button: Element): string => page.$(button).text().trim().toLowerCase();
	for (;;) {
		// Looked up anew each time: pressing one button may show the next.
		const button = page
			.find('button[id]')
			.toArray()
			.find((each) => !pressed.has(each.attribs.id) && question.includes(labelOf(each)));
		if (!button) break;
		pressed.add(button.attribs.id);
		question = question.replace(labelOf(button), '');
		page.click(`#${button.attribs.id}`, false);
	}
	return answer(toMarkdown(mainContent(page.html(), page.url, {}), true), question);
}
