import type { Site } from '../../site/site.cjs';

/** Where a website lies that tests make and change. */
export const start = 'https://docs.relayworks.example/handbook';

export const addressOf = (name: string): string => `${start}/${name}`;

const published = '2026-01-01T00:00:00.000Z';

/** The text of a page, as it is on some day. */
export const textOf = (name: string, version = 1): string =>
	`This is page ${name}, version ${version}.\n\n## Use\n\nRelay ${name} switches at ${version} volts.`;

/** A website of its own in the small web: a start page, and pages that are added, changed and taken away. */
export class Handbook {
	constructor(private readonly site: Site) {}

	/** Makes the start page and so many pages, with numbers for names. */
	open(pages: number): void {
		this.site.add({ url: start, title: 'Handbook', markdown: 'All about relays.', published });
		for (let number = 1; number <= pages; number += 1) this.add(String(number));
	}

	add(name: string, markdown = textOf(name)): void {
		this.site.add({ url: addressOf(name), title: `Page ${name}`, markdown, published });
	}

	change(name: string, markdown: string): void {
		this.site.update(addressOf(name), { markdown });
	}

	remove(name: string): void {
		this.site.remove(addressOf(name));
	}

	/** Has a page redirect to a URL, or respond as before. */
	redirect(name: string, redirect: string | undefined): void {
		this.site.update(addressOf(name), { redirect });
	}

	/** Has every page, the start page too, respond in another way for now: with a status, a text, or a redirect. */
	replaceAll(change: Parameters<Site['update']>[1]): void {
		for (const { url } of this.site.pages.filter((page) => page.url.startsWith(start))) {
			this.site.update(url, change);
		}
	}

	/** Has a page answer with an error status, or as before. */
	fail(name: string, status: number | undefined): void {
		this.site.update(addressOf(name), { status });
	}
}
