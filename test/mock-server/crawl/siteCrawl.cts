import robotsParser from 'robots-parser';

import { addressKey, type Sameness } from './address.cjs';
import { pageLinks } from './links.cjs';
import type { ReadText } from './readText.cjs';
import { matchesPaths, placeOf, type ScopeOptions } from './scope.cjs';
import { sitemapPages } from './sitemap.cjs';

type Robots = ReturnType<typeof robotsParser>;

/** What a crawl visits: every option that has to do with addresses. */
export interface CrawlScope extends ScopeOptions, Sameness {
	url: string;
	/** Links followed one after the other from the start page; sitemap pages have depth 0. */
	maxDiscoveryDepth?: number;
	limit: number;
	sitemap: 'include' | 'skip' | 'only';
	ignoreRobotsTxt: boolean;
	robotsUserAgent?: string;
}

/** A page that was not kept, and why. */
export interface PageProblem {
	url: string;
	code?: string;
	error: string;
}

/** What becomes of a visited page: into the results, left out, or reported as an error. */
export type Verdict = 'keep' | 'drop' | PageProblem;

interface Target {
	url: string;
	depth: number;
	/** Its links are not followed. */
	external: boolean;
}

const defaultAgent = 'FirecrawlAgent';

/**
 * The way through a site: which pages come next, which are left out. It opens no page itself but the
 * robots.txt and sitemaps; whoever crawls takes addresses with `next` and reports each with `visited`.
 */
export class SiteCrawl {
	/** Addresses that robots.txt forbids, each once. */
	readonly robotsBlocked: string[] = [];
	/** Links that were found and not followed: external start pages. */
	private problems: PageProblem[] = [];
	private readonly seen = new Set<string>();
	private readonly queue: Target[] = [];
	private readonly underWay = new Map<string, Target>();
	private readonly robots = new Map<string, Robots>();
	private taken = 0;
	/** Pages that failed or were not kept. */
	private lost = 0;
	/** Whether the first page was opened, with which all others are found. */
	private opened = false;
	/** The start page after its redirects: below it everything is inside. */
	private base: string;

	constructor(
		private readonly scope: CrawlScope,
		private readonly readText: ReadText,
	) {
		this.base = scope.url;
	}

	/** Pages known so far, up to the limit; those that failed are left out. None until the first was opened. */
	get total(): number {
		if (!this.opened) return 0;
		return Math.min(this.scope.limit, this.taken + this.queue.length) - this.lost;
	}

	/** Queues the start page, then the pages of the sitemap. */
	async begin(): Promise<void> {
		const { url, sitemap } = this.scope;
		// The start page is checked against the patterns too: a crawl may come to nothing.
		if (!matchesPaths(url, this.scope)) this.problems.push(denied(url, outsidePatterns(url)));
		else if (!(await this.allowed(url))) this.problems.push(denied(url, forbidden));
		else await this.offer({ url, depth: 0, external: false });
		if (sitemap === 'skip') return;
		for (const address of await sitemapPages(url, this.readText)) await this.discover(address, 0);
	}

	/** The next address to open; undefined when there is none now, or none within the limit. */
	next(): string | undefined {
		if (this.taken >= this.scope.limit) return undefined;
		const target = this.queue.shift();
		if (!target) return undefined;
		this.taken++;
		this.underWay.set(target.url, target);
		return target.url;
	}

	/** Takes a page's links in, and says what becomes of it. `finalUrl`: after redirects. */
	async visited(url: string, finalUrl: string, html: string | undefined): Promise<Verdict> {
		const target = this.underWay.get(url);
		if (!target) throw new Error(`The crawl did not ask for ${url}`);
		this.underWay.delete(url);
		this.opened = true;
		const verdict = await this.judgeRedirect(target, finalUrl);
		// Also a page that redirects to one already read counts within the limit.
		if (verdict !== 'keep') {
			this.lost++;
			return verdict;
		}
		const { maxDiscoveryDepth = Infinity, sitemap } = this.scope;
		const follow = !target.external && sitemap !== 'only' && target.depth < maxDiscoveryDepth;
		for (const link of follow && html !== undefined ? pageLinks(html, finalUrl) : []) {
			await this.discover(link, target.depth + 1);
		}
		return 'keep';
	}

	/** What there is to report since the last time, beside the verdicts. */
	takeProblems(): PageProblem[] {
		const taken = this.problems;
		this.problems = [];
		return taken;
	}

	/** Forgets a page that could not be opened. */
	failed(url: string): void {
		this.underWay.delete(url);
		this.opened = true;
		this.lost++;
	}

	private async judgeRedirect({ url, external }: Target, finalUrl: string): Promise<Verdict> {
		if (this.key(url) === this.key(finalUrl)) return 'keep';
		if (this.seen.has(this.key(finalUrl))) return 'drop';
		this.seen.add(this.key(finalUrl));
		if (url === this.scope.url) {
			this.base = finalUrl;
			return 'keep';
		}
		if (!(await this.allowed(finalUrl))) return 'drop';
		const place = placeOf(finalUrl, this.base, this.scope);
		if (place === 'external homepage') return externalHomepage(url);
		if (place !== 'outside' || external) return 'keep';
		return denied(url, 'The page redirects to an address that the crawl options do not allow');
	}

	private async discover(url: string, depth: number): Promise<void> {
		if (this.seen.has(this.key(url))) return;
		const place = placeOf(url, this.base, this.scope);
		if (place === 'inside') return this.offer({ url, depth, external: false });
		if (place === 'external') return this.offer({ url, depth, external: true });
		if (place === 'external homepage') {
			this.seen.add(this.key(url));
			this.problems.push(externalHomepage(url));
		}
	}

	private async offer(target: Target): Promise<void> {
		// Marked before the wait for robots.txt: the same link may come from another page meanwhile.
		this.seen.add(this.key(target.url));
		if (await this.allowed(target.url)) this.queue.push(target);
	}

	private async allowed(url: string): Promise<boolean> {
		if (this.scope.ignoreRobotsTxt) return true;
		const agent = this.scope.robotsUserAgent ?? defaultAgent;
		const allowed = (await this.robotsOf(url)).isAllowed(url, agent) ?? true;
		if (!allowed && !this.robotsBlocked.includes(url)) this.robotsBlocked.push(url);
		return allowed;
	}

	private async robotsOf(url: string): Promise<Robots> {
		const { href, host } = new URL('/robots.txt', url);
		const known = this.robots.get(host);
		if (known) return known;
		const robots = robotsParser(href, (await this.readText(href)) ?? '');
		this.robots.set(host, robots);
		return robots;
	}

	private key(url: string): string {
		return addressKey(url, this.scope);
	}
}

function externalHomepage(url: string): PageProblem {
	const error = 'Links to the start page of an external site are not followed';
	return { url, code: 'EXTERNAL_LINK', error };
}

const forbidden =
	"This URL is blocked by the website's robots.txt file, which instructs crawlers not to access this page. To crawl this URL anyway, set ignoreRobotsTxt: true in your crawl request.";

const outsidePatterns = (url: string): string =>
	`This URL's path ("${new URL(url).pathname}") does not match any of the regex patterns you provided in the includePaths parameter.`;

/** A page that the crawl may not open. */
const denied = (url: string, error: string): PageProblem => ({ url, code: 'CRAWL_DENIAL', error });
