import { cutLine } from '../../runtime/values/cutText';

/** Characters of a URL that is repeated with every part of a page: those that a sitemap may have (https://www.sitemaps.org/protocol.html). */
const longestUrl = 2_048;

/** Characters of a title that is repeated with every part of a page; search engines show fewer than 100. */
const longestTitle = 200;

/** A page's URL as its parts repeat it. */
export const repeatedUrl = (url: string): string => cutLine(url, longestUrl);

/** A page's title as its parts repeat it. */
export const repeatedTitle = (title: string): string => cutLine(title, longestTitle);
