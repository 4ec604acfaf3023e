import { parseUrl } from '../parseUrl.cjs';

/** Files that no crawl opens as pages. */
const notAPage =
	/\.(avi|css|dmg|exe|flv|gif|ico|inc|jpe?g|js|mp3|mp4|png|svg|tiff|ttf|wav|webp|woff2?|xml|zip)$/i;

/** How a crawl tells addresses apart. */
export interface Sameness {
	ignoreQueryParameters: boolean;
	/** Scheme, `www.`, trailing slashes and index files make no difference. */
	deduplicateSimilarURLs: boolean;
}

/** What equal addresses have in common. The fragment never counts. */
export function addressKey(url: string, sameness: Sameness): string {
	const address = new URL(url);
	address.hash = '';
	if (sameness.ignoreQueryParameters) address.search = '';
	if (!sameness.deduplicateSimilarURLs) return address.href;
	const path = address.pathname.replace(/\/index\.(html?|php)$/i, '/').replace(/\/+$/, '');
	return bareHost(address) + path + address.search;
}

/** The host without `www.`. */
export function bareHost({ hostname }: URL): string {
	return hostname.replace(/^www\./, '');
}

/** The registered name above all subdomains, by its last two labels. */
export function mainDomain(address: URL): string {
	return address.hostname.split('.').slice(-2).join('.');
}

/** A link's absolute address without fragment; undefined for what is no page of the web. */
export function linkTarget(href: string, base: string): string | undefined {
	const address = parseUrl(href, base);
	if (!address || !/^https?:$/.test(address.protocol) || notAPage.test(address.pathname)) {
		return undefined;
	}
	address.hash = '';
	return address.href;
}
