import { cutLine } from '../../runtime/values/text';

/**
 * Most characters of a URL that each part of a page repeats: the maximum in a sitemap
 * (https://www.sitemaps.org/protocol.html).
 */
const longestUrl = 2_048;

/**
 * Most characters of a title that each part of a page repeats; search engines show fewer than 100.
 */
const longestTitle = 200;

/** Shortens a page's URL for its parts. */
export const repeatedUrl = (url: string): string => cutLine(url, longestUrl);

/** Shortens a page's title for its parts. */
export const repeatedTitle = (title: string): string => cutLine(title, longestTitle);
