import { canonical } from '../../documents/address';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { bareHost, barePath, pageKey } from './pageKey';

/** What belongs to a site, as the request says. */
export interface Scope {
	/** The start page. */
	url: string;
	allowSubdomains?: boolean;
	crawlEntireDomain?: boolean;
}

/** A page that was visited: the URL that was requested, and the one that responded. */
export interface Visit {
	asked: string;
	url: string;
}

/** The domain above all subdomains by its last two labels, as the service has it. */
const domainOf = ({ hostname }: URL): string => hostname.split('.').slice(-2).join('.');

/** Whether a URL is on the site's host, or on a subdomain where these belong to the site. */
export function isOnSite(url: string, { url: start, allowSubdomains }: Scope): boolean {
	const page = parseUrl(url);
	const site = parseUrl(canonical(start));
	if (!page || !site) return false;
	if (bareHost(page) === bareHost(site)) return true;
	return allowSubdomains === true && domainOf(page) === domainOf(site);
}

/** Whether a URL lies below one of these pages. */
function isBelow(url: string, bases: readonly string[]): boolean {
	const page = parseUrl(url);
	return (
		page !== undefined &&
		bases
			.flatMap((base) => parseUrl(canonical(base)) ?? [])
			.some((base) => page.pathname.startsWith(barePath(base)))
	);
}

export const isStart = (url: string, { url: start }: Scope): boolean =>
	pageKey(url) === pageKey(canonical(start));

/**
 * Returns whether the page of a visit belongs to the site. What is requested the service has chosen by path;
 * a redirect may lead out of the host, or out of the start page's path. Where the start page itself leads
 * on, the site is also what lies below that.
 */
export function belongsTo(scope: Scope, visits: readonly Visit[]): (visit: Visit) => boolean {
	const bases = [
		scope.url,
		...visits.filter(({ asked }) => isStart(asked, scope)).map(({ url }) => url),
	];
	const requested = new Set(visits.map(({ asked }) => pageKey(asked)));
	return ({ url }) =>
		isOnSite(url, scope) &&
		(scope.crawlEntireDomain === true || requested.has(pageKey(url)) || isBelow(url, bases));
}
