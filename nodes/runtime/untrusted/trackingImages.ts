/** Names of what is shown only to count who reads it, in the address of an image. */
const trackers =
	/(?:^|[/._-])(?:1x1|beacon|collect|pixel|spacer|track|tracker|tracking|transparent)(?:[/._?-]|$)/i;

/** Hosts and paths that serve nothing else. */
const knownTrackers = [
	'b.scorecardresearch.com',
	'bat.bing.com',
	'facebook.com/tr',
	'google-analytics.com',
	'googleads.g.doubleclick.net',
	'px.ads.linkedin.com',
	'stats.wp.com',
	't.co/i/adsct',
];

/** Characters of an address that are looked at. */
const maxScanned = 2_000;

/** Whether an image is shown to count who reads the page: a known counter, or one without a text in its place that is named so. */
export function isTracking(address: string, alternative: string): boolean {
	const scanned = address.slice(0, maxScanned);
	return (
		knownTrackers.some((tracker) => scanned.includes(tracker)) ||
		(alternative.trim() === '' && trackers.test(scanned))
	);
}

const isTiny = (size: string | undefined): boolean => /^\s*[01](?:px)?\s*$/.test(size ?? '');

/** Whether an element `img` is nothing to look at: embedded, of a pixel, or a counter. */
export function isNoImage(attributes: ReadonlyMap<string, string>): boolean {
	const address = (attributes.get('src') ?? '').trim();
	return (
		/^data:/i.test(address) ||
		(isTiny(attributes.get('width')) && isTiny(attributes.get('height'))) ||
		isTracking(address, attributes.get('alt') ?? '')
	);
}
