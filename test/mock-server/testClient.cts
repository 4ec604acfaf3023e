import type { Document } from './scrape/document.cjs';
import type { PaperRecord } from './papers.cjs';
import { request, type Answered } from './request.cjs';
import type { ImageResult, NewsResult, WebResult } from './search/results.cjs';
import type { DiscoveredTool } from './tools.cjs';
import type { Service } from './service.cjs';

/** An answer of the service, with every field that the tests read. */
export type Reply<T = unknown> = Answered<{
	success: boolean;
	data: T;
	id: string;
	creditsUsed: number;
	error: string;
	details: Array<{ path: Array<string | number>; message: string; code: string }>;
	warning: string;
	warnings: string[];
	reason: string;
	retry_after_seconds: number;
}>;

export interface SearchData {
	web?: WebResult[];
	news?: NewsResult[];
	images?: ImageResult[];
	research?: PaperRecord[];
	tools?: DiscoveredTool[];
}

/** Calls the service with a key; `null` sends no Authorization header. */
export class TestClient {
	constructor(
		private readonly service: Service,
		private readonly key: string | null = service.keys.full,
	) {}

	post<T = unknown>(path: string, body: unknown, headers = {}): Promise<Reply<T>> {
		return request(this.service, 'POST', path, body, this.key, headers);
	}

	get<T = unknown>(path: string, headers = {}): Promise<Reply<T>> {
		return request(this.service, 'GET', path, undefined, this.key, headers);
	}

	search(body: Record<string, unknown>): Promise<Reply<SearchData>> {
		return this.post('/v2/search', body);
	}

	/** The web results of a search that must succeed. */
	async web(body: Record<string, unknown>): Promise<WebResult[]> {
		const { status, text, body: answer } = await this.search(body);
		if (status !== 200) throw new Error(`${status} ${text}`);
		return answer.data.web ?? [];
	}

	scrape(body: Record<string, unknown>): Promise<Reply<Document>> {
		return this.post('/v2/scrape', body);
	}
}
