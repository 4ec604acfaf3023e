import type { Site } from '../../site/site.cjs';
import { siteTexts } from '../crawl/readText.cjs';
import { SiteCrawl, type CrawlScope, type PageProblem, type Verdict } from '../crawl/siteCrawl.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import type { Page, PageSource } from './job.cjs';

/** The pages of a batch, in the order of the request; more may be added later. */
export class BatchSource implements PageSource {
	readonly robotsBlocked = [];
	total = 0;
	private readonly queue: Page[] = [];

	add(pages: readonly Page[]): void {
		this.total += pages.length;
		this.queue.push(...pages);
	}

	async begin(): Promise<void> {}

	takeProblems(): PageProblem[] {
		return [];
	}

	next(): Page | undefined {
		return this.queue.shift();
	}

	async visited(): Promise<Verdict> {
		return 'keep';
	}

	failed(): void {
		this.total--;
	}
}

/** The pages of a crawl as they are found. */
export class CrawlSource implements PageSource {
	private readonly crawl: SiteCrawl;

	constructor(
		scope: CrawlScope,
		private readonly options: Page['options'],
		site: Site,
	) {
		this.crawl = new SiteCrawl(scope, siteTexts(site));
	}

	get total(): number {
		return this.crawl.total;
	}

	get robotsBlocked(): readonly string[] {
		return this.crawl.robotsBlocked;
	}

	takeProblems(): PageProblem[] {
		return this.crawl.takeProblems();
	}

	begin(): Promise<void> {
		return this.crawl.begin();
	}

	next(): Page | undefined {
		const url = this.crawl.next();
		return url === undefined ? undefined : { url, options: this.options };
	}

	visited({ url }: Page, { document, html }: Scraped): Promise<Verdict> {
		return this.crawl.visited(url, document.metadata.url, html);
	}

	failed({ url }: Page): void {
		this.crawl.failed(url);
	}
}
