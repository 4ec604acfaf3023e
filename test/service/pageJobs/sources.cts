import type { Site } from '../../site/site.cjs';
import { siteTexts } from '../crawl/readText.cjs';
import { SiteCrawl, type CrawlScope, type PageProblem, type Verdict } from '../crawl/siteCrawl.cjs';
import type { Scraped } from '../scrape/scraper.cjs';
import type { Page, PageJob, PageSource } from './job.cjs';

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

	failed(): void {}

	/** Pages that cannot be scraped are errors of theirs, not of the batch. */
	failure(): undefined {
		return undefined;
	}
}

/** The pages of a crawl as they are found. */
export class CrawlSource implements PageSource {
	private readonly crawl: SiteCrawl;

	constructor(
		private readonly scope: CrawlScope,
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

	/** A crawl without any page has failed if its start page was refused or could not be opened. */
	failure({ documents, errors }: PageJob): string | undefined {
		if (documents.length > 0) return undefined;
		const { url } = this.scope;
		if (this.robotsBlocked.includes(url)) return `${url} is blocked by robots.txt`;
		return errors.find((error) => error.url === url)?.error;
	}
}
