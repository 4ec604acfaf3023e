import { bareHost, mainDomain } from './address.cjs';

/** Which addresses belong to a crawl. */
export interface ScopeOptions {
	includePaths: readonly string[];
	excludePaths: readonly string[];
	/** The patterns are matched against the whole address in place of its path. */
	regexOnFullURL: boolean;
	crawlEntireDomain: boolean;
	allowSubdomains: boolean;
	allowExternalLinks: boolean;
}

/** `external`: visited, its links are not. `external homepage`: not visited but reported. */
export type Place = 'inside' | 'external' | 'external homepage' | 'outside';

/** Where an address lies, seen from the crawl's start page. */
export function placeOf(url: string, start: string, options: ScopeOptions): Place {
	const address = new URL(url);
	const base = new URL(start);
	if (!matchesPaths(url, options)) return 'outside';
	if (bareHost(address) === bareHost(base)) {
		return options.crawlEntireDomain || isBelow(address, base) ? 'inside' : 'outside';
	}
	if (options.allowSubdomains && mainDomain(address) === mainDomain(base)) return 'inside';
	if (!options.allowExternalLinks) return 'outside';
	return address.pathname === '/' && !address.search ? 'external homepage' : 'external';
}

/** Whether the patterns let an address pass. The start page has to pass as well. */
export function matchesPaths(
	url: string,
	{
		includePaths,
		excludePaths,
		regexOnFullURL,
	}: Pick<ScopeOptions, 'includePaths' | 'excludePaths' | 'regexOnFullURL'>,
): boolean {
	const text = regexOnFullURL ? url : new URL(url).pathname;
	const fits = (patterns: readonly string[]): boolean =>
		patterns.some((pattern) => new RegExp(pattern).test(text));
	return (includePaths.length === 0 || fits(includePaths)) && !fits(excludePaths);
}

/** Whether a page is the other one or lies below its path. */
function isBelow(address: URL, base: URL): boolean {
	const folder = base.pathname.replace(/\/+$/, '');
	return address.pathname === folder || address.pathname.startsWith(`${folder}/`);
}
