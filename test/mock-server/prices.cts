import { crawlDefaults } from './crawl/siteCrawl.cjs';
import { type MonitorSettings, runsPerMonth, type Target } from './monitor/monitor.cjs';
import { readingOptions } from './monitor/pageComparison.cjs';
import type { ScrapeOptions } from './schemas/scrapeOptions.cjs';
import type { SearchRequest } from './schemas/search.cjs';

const extraction = 4;
const priced = new Set('json deterministicJson question highlights query audio video'.split(' '));

/** What the options add to every scraped page. */
function optionCredits(options: ScrapeOptions): number {
	const { formats = [], redactPII } = options;
	const perFormat = formats.map((format) => (priced.has(format.type) ? extraction : 0));
	const extras = (redactPII ? extraction : 0) + (checksInjection(options) ? extraction : 0);
	return perFormat.reduce((sum, each) => sum + each, extras);
}

/** Whether the page is looked through, once for all formats: never a file that is only handed on. */
export function checksInjection({ formats = [], checkPromptInjection }: ScrapeOptions): boolean {
	if (formats.some(({ type }) => type === 'rawBase64')) return false;
	const byFormat = formats.some((format) => format.type === 'json' && format.checkPromptInjection);
	return checkPromptInjection === true || byFormat;
}

/** The price of a page: 1, or 1 per page of a PDF, 5 under lockdown; what the options add; 1 for zero data retention. */
export function pageCredits(
	options: ScrapeOptions & { zeroDataRetention?: boolean },
	pdfPages = 1,
): number {
	const base = options.lockdown ? 5 : Math.max(1, pdfPages);
	return base + optionCredits(options) + (options.zeroDataRetention ? 1 : 0);
}

/** What results of any kind cost: 2 credits per started ten; 10 under zero data retention. */
export const resultCredits = (results: number, zdr = false): number =>
	Math.ceil(results / 10) * (zdr ? 10 : 2);

/** The largest limit that the balance covers with full lists and pages of the usual price; 0 for none. */
export function affordableLimit(request: SearchRequest, balance: number): number {
	const isZdr = request.enterprise.includes('zdr');
	const lists = request.sources.filter(({ type }) => type !== 'alexandria');
	if (lists.length === 0) return request.limit;
	const scraped = lists.filter(({ type }) => type !== 'images').length;
	const perPage = request.scrapeOptions?.formats?.length
		? (request.scrapeOptions.lockdown ? 5 : 1) + optionCredits(request.scrapeOptions)
		: 0;
	const price = (limit: number): number =>
		resultCredits(limit * lists.length, isZdr) + limit * scraped * perPage;
	let limit = request.limit;
	while (limit > 0 && price(limit) > balance) limit--;
	return limit;
}

/** Judging one page or search result. The specification names no price. */
export const judgeCredits = 1;

/** The most that one check can cost: every page there is, each changed and judged. */
export function checkEstimate({ targets, goal, judgeEnabled }: MonitorSettings): number {
	const judging = judgeEnabled && goal ? judgeCredits : 0;
	return targets.reduce((sum, target) => sum + targetEstimate(target, judging), 0);
}

function targetEstimate(target: Target, judging: number): number {
	if (target.type === 'search') {
		const { queries, maxResults } = target;
		return queries.length * resultCredits(maxResults) + maxResults * judging;
	}
	const { limit } = { ...crawlDefaults, ...(target.type === 'crawl' && target.crawlOptions) };
	const pages = target.type === 'scrape' ? target.urls.length : limit;
	const perPage = pageCredits(readingOptions(target.scrapeOptions ?? {}), undefined);
	return pages * (perPage + judging);
}

/** The most that 30 days can cost. */
export function monthEstimate(settings: MonitorSettings, now: number): number {
	return checkEstimate(settings) * runsPerMonth(settings.schedule, now);
}
