import { pageCredits } from '../scrape/price.cjs';
import type { MonitorSettings, Target } from './monitor.cjs';
import { readingOptions } from './pageComparison.cjs';
import { runsPerMonth } from './schedule.cjs';

/** Judging one page or search result. The specification names no price. */
export const judgeCredits = 1;

/** Pages of a crawl without a limit of its own. */
const crawlLimit = 10_000;

/** What a search costs by its results. */
export const searchPrice = (results: number): number => Math.ceil(results / 10) * 2;

/** The most that one check can cost: every page there is, each changed and judged. */
export function checkEstimate({ targets, goal, judgeEnabled }: MonitorSettings): number {
	const judging = judgeEnabled && goal ? judgeCredits : 0;
	return targets.reduce((sum, target) => sum + targetEstimate(target, judging), 0);
}

function targetEstimate(target: Target, judging: number): number {
	if (target.type === 'search') {
		const { queries, maxResults } = target;
		return queries.length * searchPrice(maxResults) + maxResults * judging;
	}
	const pages =
		target.type === 'scrape' ? target.urls.length : (target.crawlOptions?.limit ?? crawlLimit);
	const perPage = pageCredits(readingOptions(target.scrapeOptions ?? {}), undefined);
	return pages * (perPage + judging);
}

/** The most that 30 days can cost. */
export function monthEstimate(settings: MonitorSettings, now: number): number {
	return checkEstimate(settings) * runsPerMonth(settings.schedule, now);
}
