import { parseUrl } from '../values/parseUrl';

/** What the last step of a path is called where an image is shown only to count who reads it. */
const counter =
	/\/(?:1x1|beacon|blank|collect|open|pixel|spacer|track|tracker|tracking|transparent)(?:\.(?:aspx?|gif|php))?$/i;

/** Hosts and paths that serve nothing else. */
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

/** Characters of a URL that are looked at. */
const maxScanned = 2_000;

/** Whether an image is shown to count who reads the page: by a known counter, or one without words in its place that is named so. */
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
