import { canonicalUrl } from '../../runtime/values/parseUrl';

/** An address as the service writes it, so that what was asked for is found in what came back. */
export const canonical = (url: unknown): string => canonicalUrl(String(url));

/** A fragment that is a route of a single-page app, and so another page; empty for a place in the page. */
export const routeIn = (fragment: string): string => (/^#!?\/./.test(fragment) ? fragment : '');

/** The page that an address leads to: a fragment is a place in it, unless it is a route. */
export function pageAt(url: unknown): string {
	const [page, ...fragments] = canonical(url).split('#');
	return page + routeIn(`#${fragments.join('#')}`);
}
