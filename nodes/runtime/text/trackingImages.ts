import { parseUrl } from '../values/parseUrl';

/** Usual file names of tracking images. */
const counter =
	/\/(?:1x1|beacon|blank|collect|open|pixel|spacer|track|tracker|tracking|transparent)(?:\.(?:aspx?|gif|php))?$/i;

/** Hosts and paths that serve only tracking images. */
const knownCounters = [
	'b.scorecardresearch.com/',
	'bat.bing.com/',
	'facebook.com/tr',
	'google-analytics.com/',
	'googleads.g.doubleclick.net/',
	'px.ads.linkedin.com/',
	'stats.wp.com/',
	't.co/i/adsct',
];

/** Characters of a URL that are checked. */
const maxScanned = 2_000;

/**
 * Whether an image is a tracking pixel: of a known host, or without alternative text and named like
 * one.
 */
export function isTracking(url: string, alternative: string): boolean {
	const parsed = parseUrl(url.slice(0, maxScanned), 'https://page.invalid');
	if (!parsed) return false;
	const host = parsed.hostname.replace(/^www\./, '');
	const path = parsed.pathname.replace(/\/$/, '');
	const isKnown = knownCounters.some((known) =>
		known.endsWith('/') ? `${host}/` === known : host + path === known,
	);
	return isKnown || (alternative.trim() === '' && counter.test(path));
}
