/**
 * Which requests the service counts together (docs/api-notes.md, Rate limits): a limit that one of them
 * has met holds for all of its bucket, and for no other. Where a server counts otherwise, its limit is
 * met once for each of these.
 */
const buckets: ReadonlyArray<[endpoint: RegExp, bucket: string]> = [
	[/^POST \/(scrape|parse|parse\/upload-url|batch\/scrape)$/, 'scrape'],
	[/^POST \/search$/, 'search'],
	[/^POST \/map$/, 'map'],
	[/^POST \/crawl(\/params-preview)?$/, 'crawl'],
	[/^POST \/monitor(\/[^/]+\/run)?$/, 'crawl'],
	[/^PATCH \/monitor\/[^/]+$/, 'crawl'],
	[/^POST \/agent$/, 'agent'],
	[/^(GET|DELETE) \/agent\b/, 'agentStatus'],
	[/^\w+ \/scrape\/[^/]+\/interact\b/, 'browserExecute'],
	[/^\w+ \/interact\/[^/]+\/replay\b/, 'browserReplay'],
	[/^POST \/interact$/, 'browser'],
	[/^\w+ \/interact\b/, 'browserExecute'],
	[/^(GET|DELETE) \/(crawl|batch|scrape|monitor|concurrency-check)\b/, 'crawlStatus'],
	[/^\w+ \/search\/research\b/, 'research'],
	[/^\w+ \/search\/(developer|gov)\b/, 'developer'],
	[/^\w+ \/(team|feedback|search|exchange)\b/, 'account'],
];

/** The bucket of a request to an endpoint, such as `POST /search`; one for all that is not known. */
export const bucketOf = (endpoint: string): string => {
	const [path] = endpoint.split('?', 1);
	return buckets.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
};
