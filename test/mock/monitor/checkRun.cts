import { randomUUID } from 'node:crypto';

import type { SitePage } from '../site/site.cjs';
import type { Context } from '../context.cjs';
import { crawlDefaults, SiteCrawl } from '../crawl/siteCrawl.cjs';
import { ApiError } from '../errors.cjs';
import { errorPageCredits, judgeCredits, resultCredits } from '../prices.cjs';
import type { CrawlTarget, ScrapeTarget, SearchTarget } from '../schemas/monitor.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import type { Check, CheckPage, KnownPage, Monitor, Target } from './monitor.cjs';
import { compare, comparisonOf, judge, readingOptions } from './pageComparison.cjs';

const gone = new Set([404, 410]);

const hour = 3_600_000;
const windows: Record<SearchTarget['searchWindow'], number> = {
	'5m': hour / 12,
	'15m': hour / 4,
	'1h': hour,
	'6h': 6 * hour,
	'24h': 24 * hour,
	'7d': 7 * 24 * hour,
};

type Finding = Partial<CheckPage> & Pick<CheckPage, 'url' | 'status'>;
type Of<T> = T & { id: string };

/** One check at work: it visits every target and reports each page as it is done. */
export class CheckRun {
	credits = 0;
	private readonly settings;
	private readonly goal: string | null;

	constructor(
		private readonly context: Context,
		private readonly monitor: Monitor,
		private readonly check: Check,
		private readonly report: (page: CheckPage) => void,
	) {
		this.settings = monitor.settings;
		this.goal = this.settings.judgeEnabled ? this.settings.goal : null;
	}

	/** Visits the targets one after the other, until the monitor is deleted. */
	async visit(): Promise<void> {
		for (const target of this.settings.targets) {
			if (this.monitor.deleted.aborted) return;
			const { id: targetId, type } = target;
			this.check.targetResults.push({ targetId, type, ...(await this.visitTarget(target)) });
		}
	}

	private visitTarget(target: Target): Promise<object> | object {
		if (target.type === 'search') return this.visitResults(target);
		return target.type === 'scrape' ? this.visitPages(target) : this.visitSite(target);
	}

	private async visitPages(target: Of<ScrapeTarget>): Promise<object> {
		const expectedJobs: string[] = [];
		for (const url of new Set(target.urls)) {
			const { currentScrapeId } = await this.visitPage(target, url);
			if (currentScrapeId) expectedJobs.push(currentScrapeId);
		}
		return { expectedJobs };
	}

	/** A page that is not found any more is removed, if nothing else can be the reason. */
	private async visitSite(target: Of<CrawlTarget>): Promise<object> {
		const { url, crawlOptions = {} } = target;
		const scope = { ...crawlDefaults, ...crawlOptions, url };
		const crawl = new SiteCrawl(scope, this.context.site);
		const visited = new Set<string>();
		let errors = 0;
		await crawl.begin();
		for (let next = crawl.next(); next !== undefined; next = crawl.next()) {
			if (this.monitor.deleted.aborted) break;
			const { url: address } = next;
			visited.add(address);
			const found = await this.visitPage(target, address, async ({ document, links }) => {
				const { statusCode, url: finalUrl } = document.metadata;
				if (statusCode < 400) return (await crawl.visited(address, finalUrl, links)) === 'keep';
				crawl.failed();
				return true;
			});
			if (found.status === 'error' && !gone.has(found.statusCode ?? 0)) errors++;
		}
		const complete = errors === 0 && visited.size > 0 && visited.size < scope.limit;
		for (const page of complete ? [...this.monitor.known.values()] : []) {
			if (page.targetId !== target.id || visited.has(page.url)) continue;
			this.forget(page);
			this.add(target, { url: page.url, status: 'removed', previousScrapeId: page.scrapeId });
		}
		return {};
	}

	/** `keeps`: whether a scraped page counts at all; asked before anything is noted. */
	private async visitPage(
		target: Of<ScrapeTarget> | Of<CrawlTarget>,
		url: string,
		keeps: (scraped: Scraped) => Promise<boolean> = () => Promise.resolve(true),
	): Promise<Finding> {
		const options = target.scrapeOptions ?? {};
		const team = this.context.teams.get(this.monitor.teamId);
		const known = this.monitor.known.get(pageKey(target.id, url));
		const previousScrapeId = known?.scrapeId ?? null;
		const task = { url, options: readingOptions(options), team, patient: true };
		let scraped: Scraped;
		try {
			scraped = await this.context.scraper.scrape(task);
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { status, message, credits } = error;
			this.credits += errorPageCredits + credits;
			const statusCode = status >= 400 ? status : null;
			const finding = { url, status: 'error', previousScrapeId, statusCode } as const;
			return this.add(target, { ...finding, error: message });
		}
		if (!(await keeps(scraped))) {
			this.credits += scraped.credits;
			return { url, status: 'same' };
		}
		const finding = this.compared(target, url, known, scraped, options);
		if (finding.status === 'error') this.credits += errorPageCredits;
		else if (finding.status !== 'removed') this.credits += scraped.credits;
		return this.add(target, { ...finding, previousScrapeId });
	}

	private compared(
		target: Target,
		url: string,
		known: KnownPage | undefined,
		{ document }: Scraped,
		options: ScrapeOptions,
	): Finding {
		const { statusCode, scrapeId = null, error = null } = document.metadata;
		const found = { url, statusCode, currentScrapeId: scrapeId };
		if (known && gone.has(statusCode)) {
			this.forget(known);
			return { ...found, status: 'removed' };
		}
		if (statusCode >= 400) return { ...found, status: 'error', error };
		const { markdown, json } = document;
		const page = { targetId: target.id, url, scrapeId, markdown: markdown ?? '', json };
		const comparison = comparisonOf(options);
		this.monitor.known.set(pageKey(target.id, url), page);
		const snapshot = comparison.byFields ? { json } : null;
		if (!known) return { ...found, status: 'new', snapshot };
		const difference = compare(known, page, comparison);
		if (!difference) return { ...found, status: 'same', snapshot };
		const { diff, changes } = difference;
		if (this.goal !== null) this.credits += judgeCredits;
		const judgment = this.goal === null ? null : judge(this.goal, changes);
		return { ...found, status: 'changed', snapshot, diff, judgment };
	}

	private visitResults(target: Of<SearchTarget>): object {
		const { queries, searchWindow, includeDomains, excludeDomains, maxResults } = target;
		const { search, clock } = this.context;
		const since = clock.now() - windows[searchWindow];
		const accepts = ({ published }: SitePage): boolean => Date.parse(published) >= since;
		const narrowing = { includeDomains, excludeDomains, accepts };
		const lists = queries.map((query) => search.findPages(query, narrowing).slice(0, maxResults));
		const found = new Set(lists.flatMap((list) => list.map(({ item }) => item)));
		const pages = [...found].slice(0, maxResults);
		const searchCredits = resultCredits(lists.reduce((sum, list) => sum + list.length, 0));
		const matches = pages.filter((page) => this.visitResult(target, page) === 'alert').length;
		const summary = `${matches} of ${pages.length} results are new and fit.`;
		this.credits += searchCredits;
		return { searchCompleted: true, resultCount: pages.length, matches, summary };
	}

	/** Reports a result and says where it stands: only an alert is told as new. */
	private visitResult(target: Target, { url, title, description }: SitePage): string {
		const note = (
			searchStatus: string,
			status: Finding['status'],
			more: Partial<Finding> = {},
		): string => {
			this.add(target, { url, status, metadata: { searchStatus, title }, ...more });
			return searchStatus;
		};
		const key = pageKey(target.id, url);
		if (this.monitor.known.has(key)) return note('already_seen', 'same');
		const seen = { targetId: target.id, url, scrapeId: null, markdown: '', json: undefined };
		this.monitor.known.set(key, seen);
		if (this.goal === null) return note('alert', 'new');
		this.credits += judgeCredits;
		const text = `${title} ${description}`;
		const judgment = judge(this.goal, [{ type: 'added', before: null, after: text }]);
		if (judgment.meaningful) return note('alert', 'new', { judgment });
		return note('ignored', 'same', { judgment });
	}

	private add({ id: targetId }: Target, finding: Finding): Finding {
		const page: CheckPage = {
			id: randomUUID(),
			targetId,
			previousScrapeId: null,
			currentScrapeId: null,
			statusCode: null,
			error: null,
			metadata: null,
			judgment: null,
			diff: null,
			snapshot: null,
			createdAt: new Date(this.context.clock.now()).toISOString(),
			...finding,
		};
		if (this.monitor.deleted.aborted) return page;
		this.check.pages.push(page);
		this.report(page);
		return page;
	}

	private forget(page: KnownPage): void {
		this.monitor.known.delete(pageKey(page.targetId, page.url));
	}
}

function pageKey(targetId: string, url: string): string {
	return JSON.stringify([targetId, url]);
}
