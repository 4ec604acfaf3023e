import { randomUUID } from 'node:crypto';

import type { SitePage } from '../site/site.cjs';
import type { Context } from '../context.cjs';
import { crawlDefaults, SiteCrawl } from '../crawl/siteCrawl.cjs';
import { ApiError } from '../errors.cjs';
import { errorPageCredits, judgeCredits, resultCredits } from '../prices.cjs';
import type { CrawlTarget, ScrapeTarget, SearchTarget } from '../schemas/monitor.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import type { Check, CheckPage, Monitor, Target } from './monitor.cjs';
import { compare, comparisonOf, judge, type Judgment, readingOptions } from './pageComparison.cjs';

const gone = new Set([404, 410]);

const hour = 3_600_000;
const windows: Record<SearchTarget['searchWindow'], number> = {
	...{ '5m': hour / 12, '15m': hour / 4, '1h': hour },
	...{ '6h': 6 * hour, '24h': 24 * hour, '7d': 7 * 24 * hour },
};

type Finding = Partial<CheckPage> & Pick<CheckPage, 'url' | 'status'>;
type Of<T> = T & { id: string };

/** One check at work: it visits every target and reports each page as it is done. */
export class CheckRun {
	credits = 0;

	constructor(
		private readonly context: Context,
		private readonly monitor: Monitor,
		private readonly check: Check,
		private readonly report: (page: CheckPage) => void,
	) {}

	/** Visits the targets one after the other, until the monitor is deleted. */
	async visit(): Promise<void> {
		for (const target of this.monitor.settings.targets) {
			if (this.monitor.deleted.aborted) return;
			if (target.type === 'search') this.visitResults(target);
			else if (target.type === 'crawl') await this.visitSite(target);
			else for (const url of new Set(target.urls)) await this.visitPage(target, url);
			this.check.targetResults.push({ targetId: target.id, type: target.type });
		}
	}

	/** A page that is not found any more is removed, if nothing else can be the reason. */
	private async visitSite(target: Of<CrawlTarget>): Promise<void> {
		const scope = { ...crawlDefaults, ...target.crawlOptions, url: target.url };
		const crawl = new SiteCrawl(scope, this.context.site);
		const visited = new Set<string>();
		let errors = 0;
		crawl.begin();
		for (let next = crawl.next(); next !== undefined; next = crawl.next()) {
			if (this.monitor.deleted.aborted) break;
			const { url } = next;
			visited.add(url);
			const found = await this.visitPage(target, url, ({ document, links }) => {
				const { statusCode, url: finalUrl } = document.metadata;
				if (statusCode < 400) return crawl.visited(url, finalUrl, links) === 'keep';
				crawl.failed();
				return true;
			});
			if (found.status === 'error' && !gone.has(found.statusCode ?? 0)) errors++;
		}
		const complete = errors === 0 && visited.size > 0 && visited.size < scope.limit;
		for (const [key, page] of complete ? [...this.monitor.known] : []) {
			if (page.targetId !== target.id || visited.has(page.url)) continue;
			this.monitor.known.delete(key);
			this.add(target, { url: page.url, status: 'removed', previousScrapeId: page.scrapeId });
		}
	}

	/** `keeps`: whether a scraped page counts at all; asked before anything is noted. */
	private async visitPage(
		target: Of<ScrapeTarget> | Of<CrawlTarget>,
		url: string,
		keeps: (scraped: Scraped) => boolean = () => true,
	): Promise<Finding> {
		const options = readingOptions(target.scrapeOptions ?? {});
		const team = this.context.teams.get(this.monitor.teamId);
		const known = this.monitor.known.get(pageKey(target, url));
		const previousScrapeId = known?.scrapeId ?? null;
		let scraped: Scraped;
		try {
			scraped = await this.context.scraper.scrape({ url, options, team, patient: true });
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			const { status, message } = error;
			this.credits += errorPageCredits;
			const statusCode = status >= 400 ? status : null;
			const finding = { url, status: 'error', previousScrapeId, statusCode } as const;
			return this.add(target, { ...finding, error: message });
		}
		if (!keeps(scraped)) {
			this.credits += scraped.credits;
			return { url, status: 'same' };
		}
		const finding = this.compared(target, url, scraped);
		if (finding.status === 'error') this.credits += errorPageCredits;
		else if (finding.status !== 'removed') this.credits += scraped.credits;
		return this.add(target, { ...finding, previousScrapeId });
	}

	private compared(
		target: Of<ScrapeTarget> | Of<CrawlTarget>,
		url: string,
		{ document: { metadata, markdown, json } }: Scraped,
	): Finding {
		const { statusCode, scrapeId = null, error = null } = metadata;
		const found = { url, statusCode, currentScrapeId: scrapeId };
		const { known: pages } = this.monitor;
		const key = pageKey(target, url);
		const known = pages.get(key);
		if (known && gone.has(statusCode)) {
			pages.delete(key);
			return { ...found, status: 'removed' };
		}
		if (statusCode >= 400) return { ...found, status: 'error', error };
		const page = { targetId: target.id, url, scrapeId, markdown: markdown ?? '', json };
		pages.set(key, page);
		const comparison = comparisonOf(target.scrapeOptions ?? {});
		const snapshot = comparison.byFields ? { json } : null;
		const change = known && compare(known, page, comparison);
		if (!change) return { ...found, status: known ? 'same' : 'new', snapshot };
		const judgment = this.judged(change.before, change.after);
		return { ...found, status: 'changed', snapshot, diff: change.diff, judgment };
	}

	/** Results that fit and were not seen before are new. */
	private visitResults(target: Of<SearchTarget>): void {
		const { queries, searchWindow, includeDomains, excludeDomains, maxResults } = target;
		const { search, clock } = this.context;
		const since = clock.now() - windows[searchWindow];
		const accepts = ({ published }: SitePage): boolean => Date.parse(published) >= since;
		const narrowing = { includeDomains, excludeDomains, accepts };
		const lists = queries.map((query) => search.findPages(query, narrowing).slice(0, maxResults));
		const found = new Set(lists.flatMap((list) => list.map(({ item }) => item)));
		this.credits += resultCredits(lists.reduce((sum, list) => sum + list.length, 0));
		for (const { url, title, description } of [...found].slice(0, maxResults)) {
			const key = pageKey(target, url);
			const isSeen = this.monitor.known.has(key);
			const judgment = isSeen ? null : this.judged('', `${title} ${description}`);
			const isNew = !isSeen && judgment?.meaningful !== false;
			const seen = { targetId: target.id, url, scrapeId: null, markdown: '', json: undefined };
			this.monitor.known.set(key, seen);
			const searchStatus = isSeen ? 'already_seen' : isNew ? 'alert' : 'ignored';
			const metadata = { searchStatus, title };
			this.add(target, { url, status: isNew ? 'new' : 'same', metadata, judgment });
		}
	}

	/** What the judge says of a change, which it is paid for; null without a goal. */
	private judged(before: string, after: string): Judgment | null {
		const { judgeEnabled, goal } = this.monitor.settings;
		if (!judgeEnabled || goal === null) return null;
		this.credits += judgeCredits;
		return judge(goal, before, after);
	}

	private add({ id: targetId }: Target, finding: Finding): Finding {
		const page: CheckPage = {
			...{ id: randomUUID(), targetId, previousScrapeId: null, currentScrapeId: null },
			...{ statusCode: null, error: null, metadata: null, judgment: null },
			...{ diff: null, snapshot: null },
			createdAt: new Date(this.context.clock.now()).toISOString(),
			...finding,
		};
		if (this.monitor.deleted.aborted) return page;
		this.check.pages.push(page);
		this.report(page);
		return page;
	}
}

const pageKey = ({ id }: Target, url: string): string => JSON.stringify([id, url]);
