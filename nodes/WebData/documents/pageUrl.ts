import { canonicalUrl } from '../../runtime/values/parseUrl';

/** Normalizes a URL as the service does, so that requested and returned URLs match. */
export const canonical = (url: unknown): string => canonicalUrl(String(url));

/** The route of a single-page app in a fragment; empty for an anchor within a page. */
export const routeIn = (fragment: string): string => (/^#!?\/./.test(fragment) ? fragment : '');

/** The URL of a page, without an anchor but with a route of a single-page app. */
export function pageUrlOf(url: unknown): string {
	const [page, ...fragments] = canonical(url).split('#');
	return page + routeIn(`#${fragments.join('#')}`);
}
