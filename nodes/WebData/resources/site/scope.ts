import { canonical } from '../../documents/pageUrl';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { bareHost, barePath, pageKey } from './pageKey';

/** What belongs to a site, as the request says. */
export interface Scope {
	/** The start page. */
	url: string;
	allowSubdomains?: boolean;
	crawlEntireDomain?: boolean;
}

/** A page that was visited: the URL that was requested, and the one that responded, each with its key. */
export interface Visit {
	asked: string;
	askedKey: string;
	url: string;
	key: string;
}

/** How many characters are worked on in the time that a visit takes by itself. */
export const workPerVisit = 100;

/** A visit, whose keys are found once: a site has many pages, and each is looked up again and again. */
export function visitOf(asked: string, url = asked): Visit {
	const key = pageKey(url);
	return { asked, askedKey: asked === url ? key : pageKey(asked), url, key };
}

/** The key of the start page. */
export const startKey = ({ url }: Scope): string => pageKey(canonical(url));

/** The domain above all subdomains by its last two labels, as the service has it. */
const domainOf = ({ hostname }: URL): string => hostname.split('.').slice(-2).join('.');

/** Returns whether a page is on the site's host, or on a subdomain where these belong to the site. */
function hostTest({ url, allowSubdomains }: Scope): (page: URL) => boolean {
	const site = parseUrl(canonical(url));
	if (!site) return () => false;
	const [host, domain] = [bareHost(site), domainOf(site)];
	return (page) =>
		bareHost(page) === host || (allowSubdomains === true && domainOf(page) === domain);
}

/** Returns whether a URL is on the site's host, or on a subdomain where these belong to the site. */
export function isOnSite(scope: Scope): (url: string) => boolean {
	const isOnHost = hostTest(scope);
	return (url) => {
		const page = parseUrl(url);
		return page !== undefined && isOnHost(page);
	};
}

/**
 * Returns whether the page of a visit belongs to the site. What is requested the service has chosen by path;
 * a redirect may lead out of the host, or out of the start page's path. Where the start page itself leads
 * on, the site is also what lies below that.
 */
export function belongsTo(scope: Scope, visits: readonly Visit[]): (visit: Visit) => boolean {
	const isOnHost = hostTest(scope);
	const start = startKey(scope);
	const startVisit = visits.find(({ askedKey }) => askedKey === start);
	const paths = [scope.url, ...(startVisit ? [startVisit.url] : [])]
		.flatMap((base) => parseUrl(canonical(base)) ?? [])
		.map(barePath);
	const requested = new Set(visits.map(({ askedKey }) => askedKey));
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
