import { randomUUID } from 'node:crypto';

import type { SitePage } from '../../site/site.cjs';
import type { Context } from '../context.cjs';
import { siteTexts } from '../crawl/readText.cjs';
import { SiteCrawl } from '../crawl/siteCrawl.cjs';
import { ApiError } from '../errors.cjs';
import { crawlDefaults, optionsOfPrompt } from '../pageJobs/startCrawl.cjs';
import type { CrawlTarget, ScrapeTarget, SearchTarget } from '../schemas/monitor.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import { judgeChanges } from './judge.cjs';
import type { Check, CheckPage, KnownPage, Monitor, Target } from './monitor.cjs';
import { compare, comparisonOf, readingOptions } from './pageComparison.cjs';
import { judgeCredits } from './price.cjs';
import { judgeResult, searchPages, type SearchStatus } from './searchTarget.cjs';

/** Statuses of a page that is not there any more. */
const gone = new Set([404, 410]);

type Finding = Partial<CheckPage> & Pick<CheckPage, 'url' | 'status'>;
type Of<T> = T & { id: string };

/** One check at work: it visits every target and reports each page as it is done. */
export class CheckRun {
	credits = 0;
	/** As they were when the check began. */
	private readonly settings;

	constructor(
		private readonly context: Context,
		private readonly monitor: Monitor,
		private readonly check: Check,
		/** Whether the judge can be asked at present. */
		private readonly judgeReachable: boolean,
		private readonly report: (page: CheckPage) => void,
	) {
		this.settings = monitor.settings;
	}

	/** Visits the targets one after the other, until the monitor is deleted. */
	async visit(): Promise<void> {
		for (const target of this.settings.targets) {
			if (this.monitor.deleted.aborted) return;
			this.check.targetResults.push(await this.visitTarget(target));
		}
	}

	private visitTarget(target: Target): Promise<Record<string, unknown>> {
		switch (target.type) {
			case 'scrape':
				return this.visitPages(target);
			case 'crawl':
				return this.visitSite(target);
			case 'search':
				return this.visitResults(target);
		}
	}

	private async visitPages(target: Of<ScrapeTarget>): Promise<Record<string, unknown>> {
		const expectedJobs: string[] = [];
		for (const url of new Set(target.urls)) {
			const { currentScrapeId } = await this.visitPage(target, url);
			if (currentScrapeId) expectedJobs.push(currentScrapeId);
		}
		return { targetId: target.id, type: 'scrape', expectedJobs };
	}

	/** A page that is not found any more is removed, if nothing else can be the reason. */
	private async visitSite(target: Of<CrawlTarget>): Promise<Record<string, unknown>> {
		const { url, crawlOptions = {} } = target;
		const { prompt, ...asked } = crawlOptions;
		const scope = { ...crawlDefaults, ...optionsOfPrompt(prompt), ...asked, url };
		const crawl = new SiteCrawl(scope, siteTexts(this.context.site));
		const visited = new Set<string>();
		let errors = 0;
		await crawl.begin();
		for (let next = crawl.next(); next !== undefined; next = crawl.next()) {
			if (this.monitor.deleted.aborted) break;
			const address = next;
			visited.add(address);
			const { status, statusCode } = await this.visitPage(
				target,
				address,
				async ({ document, html }) => {
					const { statusCode, url: finalUrl } = document.metadata;
					if (statusCode < 400) return (await crawl.visited(address, finalUrl, html)) === 'keep';
					crawl.failed(address);
					return true;
				},
			);
			// A page that is gone has no links that a visit would have found.
			if (status === 'error' && !gone.has(statusCode ?? 0)) errors++;
		}
		const complete = errors === 0 && visited.size > 0 && visited.size < scope.limit;
		for (const page of complete ? [...this.monitor.known.values()] : []) {
			if (page.targetId !== target.id || visited.has(page.url)) continue;
			this.forget(page);
			this.add(target, { url: page.url, status: 'removed', previousScrapeId: page.scrapeId });
		}
		return { targetId: target.id, type: 'crawl' };
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
		let scraped: Scraped;
		try {
			scraped = await this.context.scraper.scrape({
				url,
				options: readingOptions(options),
				team,
				zdr: team.zdrForced,
				patient: true,
			});
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			this.credits += error.credits;
			const statusCode = error.status >= 400 ? error.status : null;
			return this.add(target, {
				url,
				status: 'error',
				previousScrapeId,
				statusCode,
				error: error.message,
			});
		}
		this.credits += scraped.credits;
		if (!(await keeps(scraped))) return { url, status: 'same' };
		return this.add(target, {
			...this.compared(target, url, known, scraped, options),
			previousScrapeId,
		});
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
		const snapshot = comparison === 'text' ? null : { json };
		if (!known) return { ...found, status: 'new', snapshot };
		const difference = compare(known, page, comparison);
		if (!difference) return { ...found, status: 'same', snapshot };
		const { diff, changes } = difference;
		const { goal, judgeEnabled } = this.settings;
		const judges = judgeEnabled && goal && this.judgeReachable;
		if (judges) this.credits += judgeCredits;
		const judgment = judges ? judgeChanges(goal, changes) : null;
		return { ...found, status: 'changed', snapshot, diff, judgment };
	}

	private async visitResults(target: Of<SearchTarget>): Promise<Record<string, unknown>> {
		const { pages, credits } = searchPages(this.context, target);
		const { goal, judgeEnabled } = this.settings;
		const judging = judgeEnabled && goal !== null;
		const degraded = judging && !this.judgeReachable;
		const before = this.credits;
		const statuses = pages.map((page) => this.visitResult(target, page, judging ? goal : null));
		const judged = this.credits - before;
		this.credits += credits;
		const matches = statuses.filter((status) => status === 'alert').length;
		return {
			targetId: target.id,
			type: 'search',
			searchCompleted: true,
			resultCount: pages.length,
			matches,
			summary: `${matches} of ${pages.length} results are new and fit.`,
			judgeDegraded: degraded,
			degradedReason: degraded ? 'The judge cannot be reached.' : null,
			searchCredits: credits,
			judgeCredits: judged,
			resultsJudged: judged / judgeCredits,
		};
	}

	/** Results under watch, or that could not be judged, are judged again when they come again. */
	private visitResult(target: Target, page: SitePage, goal: string | null): SearchStatus {
		const { url, title } = page;
		const note = (
			searchStatus: SearchStatus,
			status: Finding['status'],
			more: Partial<Finding> = {},
		): SearchStatus => {
			this.add(target, { url, status, metadata: { searchStatus, title }, ...more });
			return searchStatus;
		};
		const key = pageKey(target.id, url);
		if (this.monitor.known.has(key)) return note('already_seen', 'same');
		const seen = { targetId: target.id, url, scrapeId: null, markdown: '', json: undefined };
		if (goal === null) {
			this.monitor.known.set(key, seen);
			return note('alert', 'new');
		}
		if (!this.judgeReachable) {
			return note('skipped', 'error', { error: 'The judge cannot be reached.' });
		}
		this.credits += judgeCredits;
		const { status, judgment } = judgeResult(goal, page);
		if (status !== 'watching') this.monitor.known.set(key, seen);
		return note(status, status === 'alert' ? 'new' : 'same', { judgment });
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
