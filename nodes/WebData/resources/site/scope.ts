import { canonical } from '../../documents/pageUrl';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { bareHost, barePath, pageKey } from './pageKey';

/** The fields of the request that define a site. */
export interface Scope {
	/** The start page. */
	url: string;
	allowSubdomains?: boolean;
	crawlEntireDomain?: boolean;
}

/** A visited page: the requested and the final URL, each with its key. */
export interface Visit {
	requestedUrl: string;
	requestedKey: string;
	url: string;
	key: string;
}

/** Characters processed in the time of one visit. */
export const workPerVisit = 100;

/** Creates a visit with its keys, which a large site needs often. */
export function visitOf(requestedUrl: string, url = requestedUrl): Visit {
	const key = pageKey(url);
	return {
		requestedUrl,
		requestedKey: requestedUrl === url ? key : pageKey(requestedUrl),
		url,
		key,
	};
}

/** The key of the start page. */
export const startKey = ({ url }: Scope): string => pageKey(canonical(url));

/** The domain of a host by its last two labels, as the service defines it. */
const domainOf = ({ hostname }: URL): string => hostname.split('.').slice(-2).join('.');

/** Returns a test for pages on the site's host, or on a subdomain if the site includes them. */
function hostTest({ url, allowSubdomains }: Scope): (page: URL) => boolean {
	const site = parseUrl(canonical(url));
	if (!site) return () => false;
	const [host, domain] = [bareHost(site), domainOf(site)];
	return (page) =>
		bareHost(page) === host || (allowSubdomains === true && domainOf(page) === domain);
}

/** Returns a test for URLs on the site's host, or on a subdomain if the site includes them. */
export function isOnSite(scope: Scope): (url: string) => boolean {
	const isOnHost = hostTest(scope);
	return (url) => {
		const page = parseUrl(url);
		return page !== undefined && isOnHost(page);
	};
}

/**
 * Returns a test for visits whose page belongs to the site. The service chooses requested URLs by
 * path, but a redirect may leave the host or the start page's path. If the start page itself
 * redirects, the site also includes the pages below its target.
 */
export function belongsTo(scope: Scope, visits: readonly Visit[]): (visit: Visit) => boolean {
	const isOnHost = hostTest(scope);
	const start = startKey(scope);
	const startVisit = visits.find(({ requestedKey }) => requestedKey === start);
	const paths = [scope.url, ...(startVisit ? [startVisit.url] : [])]
		.flatMap((base) => parseUrl(canonical(base)) ?? [])
		.map(barePath);
	const requested = new Set(visits.map(({ requestedKey }) => requestedKey));
	return ({ url, key }) => {
		const page = parseUrl(url);
		return (
			page !== undefined &&
			isOnHost(page) &&
			(scope.crawlEntireDomain === true ||
				requested.has(key) ||
				paths.some((path) => page.pathname.startsWith(path)))
		);
	};
}
