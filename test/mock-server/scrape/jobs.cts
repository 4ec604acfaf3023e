import type { Clock } from '../clock.cjs';
import type { ScrapeOptions } from '../schemas/scrapeOptions.cjs';
import type { Document } from './document.cjs';

const day = 86_400_000;

export interface ScrapeJob {
	teamId: string;
	/** Zero data retention: the document was not kept. */
	zdr: boolean;
	document?: Document;
	/** What a browser needs to open the page as the scrape did; not kept for files and under ZDR. */
	replay?: { url: string; options: ScrapeOptions };
	at: number;
}

/** Scrapes that can be read again by their id, for 24 hours. */
export class ScrapeJobs {
	private readonly jobs = new Map<string, ScrapeJob>();

	constructor(private readonly clock: Clock) {}

	add(id: string, job: Omit<ScrapeJob, 'at'>): void {
		this.jobs.set(id, { ...job, at: this.clock.now() });
	}

	get(id: string): ScrapeJob | undefined {
		const job = this.jobs.get(id);
		return job && this.clock.now() < job.at + day ? job : undefined;
	}

	clear(): void {
		this.jobs.clear();
	}
}
