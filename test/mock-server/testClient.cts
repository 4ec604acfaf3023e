import type { Document } from './scrape/document.cjs';
import type { PaperRecord } from './papers.cjs';
import type { ImageResult, NewsResult, WebResult } from './search/results.cjs';
import type { DiscoveredTool } from './tools.cjs';
import type { Service } from './service.cjs';

/** An answer of the service, with every field that the tests read. */
export interface Reply<T = unknown> {
	status: number;
	headers: Headers;
	body: {
		success: boolean;
		data: T;
		id: string;
		creditsUsed: number;
		error: string;
		code: string;
		details: Array<{ path: Array<string | number>; message: string; code: string }>;
		warning: string;
		warnings: string[];
		reason: string;
		retry_after_seconds: number;
	};
}

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

	async post<T = unknown>(path: string, body: unknown): Promise<Reply<T>> {
		return this.send(path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		});
	}

	get<T = unknown>(path: string): Promise<Reply<T>> {
		return this.send(path, { method: 'GET' });
	}

	search(body: Record<string, unknown>): Promise<Reply<SearchData>> {
		return this.post('/v2/search', body);
	}

	/** The web results of a search that must succeed. */
	async web(body: Record<string, unknown>): Promise<WebResult[]> {
		const { status, body: answer } = await this.search(body);
		if (status !== 200) throw new Error(`${status} ${JSON.stringify(answer)}`);
		return answer.data.web ?? [];
	}

	scrape(body: Record<string, unknown>): Promise<Reply<Document>> {
		return this.post('/v2/scrape', body);
	}

	async send<T>(path: string, init: RequestInit): Promise<Reply<T>> {
		const authorization: Record<string, string> =
			this.key === null ? {} : { authorization: `Bearer ${this.key}` };
		const response = await fetch(this.service.url + path, {
			redirect: 'manual',
			...init,
			headers: { ...authorization, ...(init.headers as Record<string, string> | undefined) },
		});
		const body = (await response.json()) as Reply<T>['body'];
		return { status: response.status, headers: response.headers, body };
	}
}
