import { parseUrl } from '../schemas/fields.cjs';
import type { CrawlScope } from './siteCrawl.cjs';

const notAPage =
	/\.(avi|css|dmg|exe|flv|gif|ico|inc|jpe?g|js|mp3|mp4|png|svg|tiff|ttf|wav|webp|woff2?|xml|zip)$/i;

/** How a crawl tells addresses apart: similar ones differ in scheme, `www.`, trailing slashes or index files. */
type Sameness = Pick<CrawlScope, 'ignoreQueryParameters' | 'deduplicateSimilarURLs'>;

/** What equal addresses have in common. The fragment never counts. */
export function addressKey(url: string, sameness: Sameness): string {
	const address = new URL(url);
	address.hash = '';
	if (sameness.ignoreQueryParameters) address.search = '';
	if (!sameness.deduplicateSimilarURLs) return address.href;
	const path = address.pathname.replace(/\/index\.(html?|php)$/i, '/').replace(/\/+$/, '');
	return bareHost(address) + path + address.search;
}

function bareHost({ hostname }: URL): string {
	return hostname.replace(/^www\./, '');
}

/** The registered name above all subdomains, by its last two labels. */
export function mainDomain(address: URL): string {
	return address.hostname.split('.').slice(-2).join('.');
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

/** The pages among a page's links, each once, in its order. */
export const pageLinks = (links: readonly string[], url: string): string[] => [
	...new Set(links.flatMap((link) => linkTarget(link, url) ?? [])),
];

type Patterns = Pick<CrawlScope, 'includePaths' | 'excludePaths' | 'regexOnFullURL'>;
type Reach = Pick<CrawlScope, 'crawlEntireDomain' | 'allowSubdomains' | 'allowExternalLinks'>;

/** `external`: visited, its links are not. */
export type Place = 'inside' | 'external' | 'outside';

/** Where an address lies, seen from the crawl's start page. */
export function placeOf(url: string, start: string, options: Patterns & Reach): Place {
	const address = new URL(url);
	const base = new URL(start);
	if (!matchesPaths(url, options)) return 'outside';
	if (bareHost(address) === bareHost(base)) {
		return options.crawlEntireDomain || isBelow(address, base) ? 'inside' : 'outside';
	}
	if (options.allowSubdomains && mainDomain(address) === mainDomain(base)) return 'inside';
	return options.allowExternalLinks ? 'external' : 'outside';
}

/** Whether the patterns let an address pass. The start page has to pass as well. */
export function matchesPaths(url: string, patterns: Patterns): boolean {
	const { includePaths, excludePaths, regexOnFullURL } = patterns;
	const text = regexOnFullURL ? url : new URL(url).pathname;
	const fits = (list: readonly string[]): boolean =>
		list.some((pattern) => new RegExp(pattern).test(text));
	return (includePaths.length === 0 || fits(includePaths)) && !fits(excludePaths);
}

function isBelow(address: URL, base: URL): boolean {
	const folder = base.pathname.replace(/\/+$/, '');
	return address.pathname === folder || address.pathname.startsWith(`${folder}/`);
}
