import { keyHash } from '../../../runtime/values/seenSet';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { withoutSlashes } from '../../../runtime/values/text';
import { routeIn } from '../../documents/pageUrl';

export const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');

/** A URL's path without parts that do not change the page: trailing slashes and index files. */
export const barePath = ({ pathname }: URL): string =>
	withoutSlashes(pathname.replace(/\/index\.(?:html?|php)$/i, '/'));

/**
 * Page identity: the URL without the parts that do not change the page, as in the service's crawls.
 */
export function pageKey(url: string): string {
	const parsed = parseUrl(url);
	if (!parsed) return url;
	return bareHost(parsed) + barePath(parsed) + parsed.search + routeIn(parsed.hash);
}

/** The hash of a page, independent of its site. */
export const pageMark = (url: string): string => keyHash(pageKey(url));
