import { request, type Answered } from '../request.cjs';
import type { Document } from '../scrape/document.cjs';
import type { Service } from '../service.cjs';
import type { PageError } from './job.cjs';

/** Fields of the answers that the tests read. */
export interface Started {
	id: string;
	url: string;
	invalidURLs?: string[];
	warning?: string;
	promptGeneratedOptions?: Record<string, unknown>;
	finalCrawlerOptions?: Record<string, unknown>;
}

export interface Status {
	status: string;
	total: number;
	completed: number;
	creditsUsed: number;
	expiresAt: string;
	createdAt: string;
	completedAt?: string;
	duration?: number;
	next?: string;
	warning?: string;
	data: Document[];
}

export interface Errors {
	errors: PageError[];
	robotsBlocked: string[];
}

/** What tests do with batch or crawl jobs, as one team. */
export class JobClient {
	constructor(
		readonly service: Service,
		readonly path: '/v2/crawl' | '/v2/batch/scrape',
		readonly key: string = service.keys.full,
	) {}

	post(body: object, headers: Record<string, string> = {}): Promise<Answered<Started>> {
		return request<Started>(this.service, 'POST', this.path, body, this.key, headers);
	}

	/** Starts a job that must be accepted. */
	async start(body: object): Promise<Started> {
		const { status, body: started, text } = await this.post(body);
		if (status !== 200) throw new Error(`${status} ${text}`);
		return started;
	}

	/** Starts a job and answers how it stands at its end. */
	async run(body: object): Promise<Started & Status> {
		const started = await this.start(body);
		return { ...started, ...(await this.ended(started.id)) };
	}

	/** How a job stands at its end. */
	async ended(id: string): Promise<Status> {
		await this.service.context.pageJobs.ended(id);
		return (await this.status(id)).body;
	}

	status(id: string, query = ''): Promise<Answered<Status>> {
		return this.get<Status>(`/${id}${query}`);
	}

	async errors(id: string): Promise<Errors> {
		return (await this.get<Errors>(`/${id}/errors`)).body;
	}

	cancel(id: string): Promise<Answered<{ status?: string }>> {
		return request(this.service, 'DELETE', `${this.path}/${id}`, undefined, this.key);
	}

	get<T = object>(path: string): Promise<Answered<T>> {
		return request<T>(this.service, 'GET', this.path + path, undefined, this.key);
	}
}

/** The addresses that documents were asked for by, in their order. */
export function sourcesOf(documents: readonly Document[]): string[] {
	return documents.map(({ metadata }) => metadata.sourceURL);
}
