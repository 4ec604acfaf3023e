import { STATUS_CODES } from 'node:http';
import { createTwoFilesPatch, structuredPatch } from 'diff';
import { randomUUID } from 'node:crypto';

import { type Clock, withTimeout } from '../clock.cjs';
import type { Context } from '../context.cjs';
import { ApiError, timedOut } from '../errors.cjs';
import { pageCredits } from '../prices.cjs';
import type { FormatOf, ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import { allLinks, type RenderedPage } from '../site/render.cjs';
import type { Site } from '../site/site.cjs';
import type { Team } from '../teams.cjs';
import {
	actionResults,
	type Document,
	documentFormats,
	type Metadata,
	type Opened,
	openPdf,
} from './formats.cjs';
import type { Readable } from './readings.cjs';

interface ScrapeTask {
	url: string;
	options: ScrapeOptions & { zeroDataRetention?: boolean };
	team: Team;
	/** Zero data retention, by whatever asked for it: nothing is stored. */
	zdr?: boolean;
	/** Ends the scrape with its reason; nobody wants it any more. */
	stopped?: AbortSignal;
}

interface Scraped {
	document: Document;
	/** All links of the page; none of other files. */
	links?: string[];
	credits: number;
}

/** Scrapes pages of the small web; the one way for scrape, search and all that build on them. */
export class Scraper {
	/** What the last scrape read, by team, address and tag. */
	private readonly earlier = new Map<string, { at: number; markdown: string }>();

	constructor(private readonly context: Context) {}

	clear(): void {
		this.earlier.clear();
	}

	/** Scrapes one page of valid address and options, or throws an ApiError. */
	scrape(task: ScrapeTask): Promise<Scraped> {
		const { options, stopped } = task;
		const { timeout = 60_000 } = options;
		return withTimeout(this.context.clock, timeout, timedOut, (expired) =>
			this.run(task, stopped ? AbortSignal.any([expired, stopped]) : expired),
		);
	}

	private async run(task: ScrapeTask, signal: AbortSignal): Promise<Scraped> {
		const { url, options, team } = task;
		const { site, clock, files, scrapes } = this.context;
		const zdr = task.zdr || options.zeroDataRetention === true;
		const fetched = await fetchPage(site, clock, url, signal, (cookie) =>
			this.has(cookie, options, team),
		);
		const opened = this.open(fetched, options);
		const isGone = fetched.page.status >= 400;
		const fields = documentFormats(opened, options, files, (page, format) =>
			this.compare(JSON.stringify([team.id, url, format.tag]), isGone, page, format),
		);
		signal.throwIfAborted();

		const credits = pageCredits(options, opened.numPages);
		const scrapeId = randomUUID();
		const document: Document = {
			...fields,
			...(opened.actions && { actions: opened.actions }),
			...(zdr && options.onlyCleanContent && { warning: cleaningSkipped }),
			metadata: metadataOf(url, fetched, opened, options, scrapeId, credits),
		};
		const kept = !zdr && { document, url };
		scrapes.set(scrapeId, { teamId: team.id, ...kept });
		return { document, links: opened.allLinks, credits };
	}

	/** Whether a request to a page carries a cookie: of its headers, or of a profile in which somebody has signed in. */
	private has(cookie: string, { headers = {}, profile }: ScrapeOptions, { id }: Team): boolean {
		const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'cookie');
		const isSaved = profile && this.context.sessions.hasSaved(id, profile.name);
		return isSaved ?? given?.[1].includes(cookie) ?? false;
	}

	/** The `changeTracking` field. A page that is gone is `removed`. */
	private compare(
		key: string,
		isGone: boolean,
		{ markdown }: Readable,
		{ modes = [] }: FormatOf<'changeTracking'>,
	): object {
		const before = this.earlier.get(key);
		this.earlier.set(key, { at: this.context.clock.now(), markdown });
		const isChanged = before !== undefined && before.markdown !== markdown;
		const known = isChanged ? 'changed' : before ? 'same' : 'new';
		const isCompared = isChanged && modes.includes('git-diff');
		return {
			previousScrapeAt: before ? new Date(before.at).toISOString() : null,
			changeStatus: isGone ? 'removed' : known,
			visibility: 'visible',
			...(isCompared && { diff: lineDiff(before.markdown, markdown) }),
		};
	}

	private open({ url, page }: Fetched, options: ScrapeOptions): Opened {
		const { files } = this.context;
		const { content } = page;
		const type = page.headers['content-type'] ?? '';
		if (type.startsWith('application/pdf')) return openPdf(url, page.body, options);
		if (!content) {
			const { body } = page;
			return { url, body, metadata: {}, markdown: body.toString('utf8') };
		}
		const { actions = [] } = options;
		const acted = actions.length > 0 && { actions: actionResults(actions, files) };
		return {
			...{ url, content, markdown: content.markdown, metadata: content.metadata },
			allLinks: allLinks(content),
			get body() {
				return page.body;
			},
			...acted,
		};
	}
}

const cleaningSkipped =
	'onlyCleanContent is not supported with zero data retention and was skipped.';

function metadataOf(
	sourceURL: string,
	{ page }: Fetched,
	{ metadata, url }: Opened,
	options: ScrapeOptions,
	scrapeId: string,
	creditsUsed: number,
): Metadata {
	const { status, headers } = page;
	const contentType = headers['content-type'];
	return {
		...metadata,
		sourceURL,
		url,
		statusCode: status,
		...(status >= 400 && { error: STATUS_CODES[status] ?? `Status ${status}` }),
		scrapeId,
		...(contentType && { contentType }),
		proxyUsed: options.proxy === 'enhanced' || options.proxy === 'stealth' ? 'stealth' : 'basic',
		cacheState: 'miss',
		creditsUsed,
	};
}

/** A scrape that can be read again. */
export interface Scrape {
	teamId: string;
	/** What it came to, and what a browser needs to open the page as the scrape did; not kept under zero data retention. */
	document?: Document;
	url?: string;
}

/** A page as its server sent it, after redirects. */
interface Fetched {
	url: string;
	page: RenderedPage;
}

const maxRedirects = 10;

/** Fetches a page of the small web; the login of its host where it asks for a cookie that the request lacks. */
async function fetchPage(
	site: Site,
	clock: Clock,
	start: string,
	signal: AbortSignal,
	has: (cookie: string) => boolean,
): Promise<Fetched> {
	let url = start;
	for (let hop = 0; hop <= maxRedirects; hop++) {
		const { delayMs: delay, cookie } = site.find(url) ?? {};
		if (cookie !== undefined && !has(cookie)) url = new URL('/login', url).href;
		if (delay) await clock.wait(delay, signal);
		const page = await site.render(url);
		const { status, headers } = page;
		if (status < 300 || status >= 400 || !headers.location) return { url, page };
		url = new URL(headers.location, url).href;
	}
	const error = 'The page redirects too many times';
	throw new ApiError(500, { code: 'SCRAPE_SITE_ERROR', error });
}

/** What differs between two texts, as a unified diff and parsed. */
export const lineDiff = (before: string, after: string) => ({
	text: createTwoFilesPatch('previous', 'current', before, after),
	json: {
		files: [
			{
				from: 'previous',
				to: 'current',
				chunks: structuredPatch('previous', 'current', before, after).hunks,
			},
		],
	},
});
