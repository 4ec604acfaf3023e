import type { checkView, monitorView } from './endpoints/monitor.cjs';
import type { errorsView, statusView } from './endpoints/pageJobs.cjs';
import type { CheckPage } from './monitor/monitor.cjs';
import type { Document } from './scrape/formats.cjs';
import type { Results, WebResult } from './search/results.cjs';
import type { Service } from './service.cjs';
import type { DiscoveredTool } from './tools.cjs';

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
	next?: string;
}>;

export type SearchData = Results['data'] & { tools?: DiscoveredTool[] };

/** Calls the service with a key; `null` sends no Authorization header. */
export class TestClient {
	constructor(
		readonly service: Service,
		private readonly key: string | null = service.keys.full,
	) {}

	send<T = unknown>(method: string, path: string, body?: unknown, headers = {}): Promise<Reply<T>> {
		return request(this.service, method, path, body, this.key, headers);
	}

	post<T = unknown>(path: string, body: unknown, headers = {}): Promise<Reply<T>> {
		return this.send('POST', path, body, headers);
	}

	get<T = unknown>(path: string, headers = {}): Promise<Reply<T>> {
		return this.send('GET', path, undefined, headers);
	}

	search(body: Record<string, unknown>): Promise<Reply<SearchData>> {
		return this.post('/v2/search', body);
	}

	async web(body: Record<string, unknown>): Promise<WebResult[]> {
		return accepted(await this.search(body)).data.web ?? [];
	}

	scrape(body: Record<string, unknown>): Promise<Reply<Document>> {
		return this.post('/v2/scrape', body);
	}
}

function accepted<T>({ status, text, body }: Answered<T>): Answered<T>['body'] {
	if (status !== 200) throw new Error(`${status} ${text}`);
	return body;
}

/** Fields of the answers that the tests read. */
export interface Started {
	id: string;
	url: string;
	invalidURLs?: string[];
	warning?: string;
	promptGeneratedOptions?: Record<string, unknown>;
	finalCrawlerOptions?: Record<string, unknown>;
}

export type Status = ReturnType<typeof statusView> & { warning?: string };
export type Errors = ReturnType<typeof errorsView>;

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

	async start(body: object): Promise<Started> {
		return accepted(await this.post(body));
	}

	async run(body: object): Promise<Started & Status> {
		const started = await this.start(body);
		return { ...started, ...(await this.ended(started.id)) };
	}

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

export const sourcesOf = (documents: readonly Document[]): string[] =>
	documents.map(({ metadata }) => metadata.sourceURL);

/** A monitor as it is answered, with every field that the tests read. */
export type MonitorBody = ReturnType<typeof monitorView>;
export type CheckBody = ReturnType<typeof checkView> & { pages: CheckPage[]; next?: string };

/** Calls the monitor endpoints as a test does. */
export class MonitorClient {
	private readonly client: TestClient;

	constructor(service: Service, key?: string) {
		this.client = new TestClient(service, key);
	}

	send<T>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
		return this.client.send(method, `/v2/monitor${path}`, body);
	}

	create(body: unknown): Promise<Reply<MonitorBody>> {
		return this.send('POST', '', body);
	}

	async created(change: Record<string, unknown>): Promise<MonitorBody> {
		return accepted(await this.create({ ...example, ...change })).data;
	}

	async get(id: string): Promise<MonitorBody> {
		return (await this.send<MonitorBody>('GET', `/${id}`)).body.data;
	}

	/** Runs a check that must be accepted, and reads it with its pages when it has done its work. */
	async checked(id: string): Promise<CheckBody> {
		const { data } = accepted(await this.send<CheckBody>('POST', `/${id}/run`));
		await this.client.service.context.monitors.idle();
		return this.check(id, data.id);
	}

	async checks(id: string): Promise<CheckBody[]> {
		return (await this.send<CheckBody[]>('GET', `/${id}/checks`)).body.data;
	}

	async check(id: string, checkId: string): Promise<CheckBody> {
		return (await this.send<CheckBody>('GET', `/${id}/checks/${checkId}?limit=100`)).body.data;
	}
}

export const example = {
	name: 'Spring tides',
	schedule: { cron: '0 * * * *' },
	targets: [{ type: 'scrape', urls: ['https://tidewatch.example/guides/spring-tides'] }],
};

/** A body with the fields that every family's errors share. */
export interface Body {
	success?: boolean;
	error?: string;
	code?: string;
	details?: Array<{ path: Array<string | number>; message: string }>;
}

export interface Answered<T> {
	status: number;
	headers: Headers;
	text: string;
	body: T & Body;
}

/** One request of a test. `key: null` sends no Authorization header. */
export async function request<T = object>(
	service: Service,
	method: string,
	path: string,
	body?: unknown,
	key: string | null = service.keys.full,
	headers: Record<string, string> = {},
): Promise<Answered<T>> {
	const response = await fetch(service.url + path, {
		method,
		headers: {
			...(key !== null && { authorization: `Bearer ${key}` }),
			...(body !== undefined && { 'content-type': 'application/json' }),
			...headers,
		},
		redirect: 'manual',
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json') === true;
	const parsed = JSON.parse(isJson ? text : '{}') as T & Body;
	return { status: response.status, headers: response.headers, text, body: parsed };
}
