import type { Site } from '../../site/site.cjs';
import { escapeHtml } from '../../site/escapeHtml.cjs';
import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import { pageUrl } from '../schemas/fields.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { runActions } from '../scrape/actions.cjs';
import { BrowserPage } from '../scrape/browserPage.cjs';
import { fetchPage } from '../scrape/fetchPage.cjs';
import type { SignedFiles } from '../signedFiles.cjs';

/** What a browser is made of. */
export interface BrowserParts {
	site: Site;
	clock: Clock;
	files: SignedFiles;
}

/** A browser with one tab on the small web. It starts on an empty page. */
export class Browser {
	page: BrowserPage;
	/** The first page that was opened. */
	firstUrl: string | undefined;

	/** `storage`: what its profile remembers. `closed`: aborted when the session ends. */
	constructor(
		private readonly parts: BrowserParts,
		readonly storage: Map<string, string>,
		readonly closed: AbortSignal,
	) {
		this.page = new BrowserPage('', 'about:blank', parts.clock, closed);
	}

	/** Opens an address and returns its status. Throws an ApiError where a browser shows an error. */
	async goto(url: string): Promise<number> {
		const { site, clock } = this.parts;
		const absolute = pageUrl(url);
		if (!absolute) throw new ApiError(400, { error: `Cannot navigate to invalid URL: ${url}` });
		const fetched = await fetchPage(site, clock, absolute, this.closed);
		const text = fetched.body.toString('utf8');
		const html = fetched.contentType.startsWith('text/html')
			? text
			: `<pre>${escapeHtml(text)}</pre>`;
		this.page = new BrowserPage(html, fetched.url, clock, this.closed);
		this.firstUrl ??= fetched.url;
		return fetched.status;
	}

	/** Opens a page the way that a scrape left it: after its waits and actions. */
	async replay(url: string, { waitFor = 0, actions = [] }: ScrapeOptions): Promise<void> {
		await this.goto(url);
		await this.page.wait(waitFor);
		await runActions(this.page, actions, this.parts.files);
	}
}
