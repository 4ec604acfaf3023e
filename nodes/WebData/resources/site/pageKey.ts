import { keyHash } from '../../../runtime/values/seenSet';
import { parseUrl } from '../../../runtime/values/parseUrl';
import { withoutSlashes } from '../../../runtime/values/trimEnd';
import { routeIn } from '../../documents/pageUrl';

export const bareHost = ({ host }: URL): string => host.replace(/^www\./, '');

/** A URL's path without what does not change the page: slashes at its end, an index file. */
export const barePath = ({ pathname }: URL): string =>
	withoutSlashes(pathname.replace(/\/index\.(?:html?|php)$/i, '/'));

/** Page identity: the URL without the parts that do not change the page, by which the service tells pages apart in a crawl, too. */
export function pageKey(url: string): string {
	const parsed = parseUrl(url);
	if (!parsed) return url;
	return bareHost(parsed) + barePath(parsed) + parsed.search + routeIn(parsed.hash);
}

/** The fingerprint of a page by itself, whichever site it belongs to. */
export const pageMark = (url: string): string => keyHash(pageKey(url));
