/** How a batch or crawl job goes. What it finds is computed. Times are milliseconds on the service's clock. */
export interface Pace {
	/**
	 * What a page takes on average beside its own delays: between a half and one and a half of it, always
	 * the same for an address.
	 */
	pageMs: number;
	/** How long the job's status is 404 after its start, as where a store lags behind. */
	unknownMs?: number;
	/** The status while the job runs, in the place of `scraping`. */
	runningStatus?: string;
	/** The job fails after so many pages. */
	failure?: { afterPages: number; error?: string };
}

/** What a page takes: pages of one average come in another order than they were asked for. */
export function pageTime(url: string, { pageMs }: Pace): number {
	let hash = 0;
	for (const letter of url) hash = (hash * 31 + letter.charCodeAt(0)) % 1009;
	return Math.round(pageMs * (0.5 + hash / 1009));
}
