import { parseUrl } from './schemas/fields.cjs';
import type { CrawlRequest } from './schemas/jobs.cjs';
import type { Site } from './site/site.cjs';

/** What a crawl does where its request says nothing. */
export const crawlDefaults = {
	includePaths: [],
	excludePaths: [],
	regexOnFullURL: false,
	limit: 10_000,
	sitemap: 'include',
	crawlEntireDomain: false,
	allowExternalLinks: false,
	allowSubdomains: false,
	ignoreQueryParameters: false,
	deduplicateSimilarURLs: true,
	ignoreRobotsTxt: false,
} satisfies Partial<CrawlRequest>;

/** What a crawl visits: pages of the sitemap have depth 0, links one more than the page that they are on. */
type CrawlScope = CrawlRequest & Required<Pick<CrawlRequest, keyof typeof crawlDefaults>>;

/** A page that was not kept, and why. */
export interface PageProblem {
	url: string;
	code?: string;
	error: string;
}

/** A page to visit. */
export interface Target {
	url: string;
	depth: number;
}

/** The way through a site: whoever crawls takes addresses with `next`, opens them, and reports each with `visited`. */
export class SiteCrawl {
	readonly robotsBlocked: string[] = [];
	private readonly seen = new Set<string>();
	private readonly queue: Target[] = [];
	private taken = 0;
	private lost = 0;
	/** Whether the first page was opened, with which all others are found. */
	private opened = false;
	/** The start page after its redirects: below it everything is inside. */
	private base: string;

	constructor(
		private readonly scope: CrawlScope,
		private readonly site: Site,
	) {
		this.base = scope.url;
	}

	/** Pages known so far, up to the limit; those that failed are left out. None until the first was opened. */
	get total(): number {
		if (!this.opened) return 0;
		return Math.min(this.scope.limit, this.taken + this.queue.length) - this.lost;
	}

	/** Why the start page may not be crawled, where it may not: it is checked against the patterns too. */
	begin(): PageProblem | undefined {
		const { url, sitemap } = this.scope;
		const why = !this.matches(url)
			? outsidePatterns(url)
			: this.allowed(url)
				? undefined
				: forbidden;
		if (why === undefined) this.offer({ url, depth: 0 });
		const listed = sitemap === 'skip' ? [] : this.site.sitemap(url);
		for (const address of listed) this.discover(address, 0);
		return why === undefined ? undefined : denied(url, why);
	}

	next(): Target | undefined {
		if (this.taken >= this.scope.limit) return undefined;
		const target = this.queue.shift();
		if (target) this.taken++;
		return target;
	}

	/** Takes a page's links in. `finalUrl`: after redirects. @returns whether the page is kept */
	visited(target: Target, finalUrl: string, links: readonly string[] = []): boolean {
		this.opened = true;
		// Also a page that redirects to one already read counts within the limit.
		if (!this.isOwn(target, finalUrl)) {
			this.lost++;
			return false;
		}
		const { maxDiscoveryDepth = Infinity, sitemap } = this.scope;
		const follow = sitemap !== 'only' && target.depth < maxDiscoveryDepth;
		for (const link of follow ? links : []) {
			const address = linkTarget(link, finalUrl);
			if (address !== undefined) this.discover(address, target.depth + 1);
		}
		return true;
	}

	failed(): void {
		this.opened = true;
		this.lost++;
	}

	/** Whether a page that was read is one of the crawl, and none that it has already. */
	private isOwn({ url }: Target, finalUrl: string): boolean {
		const key = this.key(finalUrl);
		if (this.key(url) === key) return true;
		if (this.seen.has(key)) return false;
		this.seen.add(key);
		if (url === this.scope.url) this.base = finalUrl;
		return this.isInside(finalUrl);
	}

	private discover(url: string, depth: number): void {
		if (this.seen.has(this.key(url)) || !this.isInside(url)) return;
		this.offer({ url, depth });
	}

	private offer(target: Target): void {
		this.seen.add(this.key(target.url));
		if (this.allowed(target.url)) this.queue.push(target);
	}

	private allowed(url: string): boolean {
		if (this.scope.ignoreRobotsTxt) return true;
		const { pathname } = new URL(url);
		const allowed = !this.site.disallowed(url).some((folder) => pathname.startsWith(folder));
		if (!allowed && !this.robotsBlocked.includes(url)) this.robotsBlocked.push(url);
		return allowed;
	}

	/** Whether an address lies inside what the crawl may visit. */
	private isInside(url: string): boolean {
		if (!this.matches(url)) return false;
		const address = new URL(url);
		const base = new URL(this.base);
		if (bareHost(address) !== bareHost(base)) return false;
		return this.scope.crawlEntireDomain || isBelow(address, base);
	}

	/** Whether the patterns let an address pass. The start page has to pass as well. */
	private matches(url: string): boolean {
		const { includePaths, excludePaths } = this.scope;
		const { pathname } = new URL(url);
		const fits = (list: readonly string[]) => list.some((each) => new RegExp(each).test(pathname));
		return (includePaths.length === 0 || fits(includePaths)) && !fits(excludePaths);
	}

	/** What equal addresses have in common: similar ones differ in scheme, `www.`, fragment, trailing slashes or index files. */
	private key(url: string): string {
		const address = new URL(url);
		const path = address.pathname.replace(/\/index\.(html?|php)$/i, '/').replace(/\/+$/, '');
		return bareHost(address) + path + (this.scope.ignoreQueryParameters ? '' : address.search);
	}
}

const forbidden =
	"This URL is blocked by the website's robots.txt file, which instructs crawlers not to access this page. To crawl this URL anyway, set ignoreRobotsTxt: true in your crawl request.";

const outsidePatterns = (url: string): string =>
	`This URL's path ("${new URL(url).pathname}") does not match any of the regex patterns you provided in the includePaths parameter.`;

const denied = (url: string, error: string): PageProblem => ({ url, code: 'CRAWL_DENIAL', error });

const notAPage =
	/\.(avi|css|dmg|exe|flv|gif|ico|inc|jpe?g|js|mp3|mp4|png|svg|tiff|ttf|wav|webp|woff2?|xml|zip)$/i;

function bareHost({ hostname }: URL): string {
	return hostname.replace(/^www\./, '');
}

/** A link's absolute address without fragment; undefined for what is no page of the web. */
function linkTarget(href: string, base: string): string | undefined {
	const address = parseUrl(href, base);
	if (!address || !/^https?:$/.test(address.protocol) || notAPage.test(address.pathname)) {
		return undefined;
	}
	address.hash = '';
	return address.href;
}

function isBelow(address: URL, base: URL): boolean {
	const folder = base.pathname.replace(/\/+$/, '');
	return address.pathname === folder || address.pathname.startsWith(`${folder}/`);
}
