import { fetch } from 'undici';
import type { checkView, monitorView } from './endpoints/monitor.cjs';
import type { CheckPage } from './monitor/monitor.cjs';
import type { Service } from './service.cjs';

/** A monitor as it is answered, with every field that the tests read. */
export type MonitorBody = ReturnType<typeof monitorView>;
export type CheckBody = ReturnType<typeof checkView> & { pages: CheckPage[]; next?: string };

const example = {
	name: 'Spring tides',
	schedule: { cron: '0 * * * *' },
	targets: [{ type: 'scrape', urls: ['https://tidewatch.example/guides/spring-tides'] }],
};

/** Calls the monitor endpoints as a test does. */
export class MonitorClient {
	constructor(
		private readonly service: Service,
		private readonly key?: string,
	) {}

	/** One request that must be accepted. */
	async send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const at = `/v2/monitor${path}`;
		const answer = await request<{ data: T }>(this.service, method, at, body, this.key);
		if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
		return answer.body.data;
	}

	created(change: Record<string, unknown>): Promise<MonitorBody> {
		return this.send('POST', '', { ...example, ...change });
	}

	get(id: string): Promise<MonitorBody> {
		return this.send('GET', `/${id}`);
	}

	/** Runs a check, and reads it with its pages when it has done its work. */
	async checked(id: string): Promise<CheckBody> {
		const check = await this.send<CheckBody>('POST', `/${id}/run`);
		await this.service.context.monitors.idle();
		return await this.send('GET', `/${id}/checks/${check.id}?limit=100`);
	}
}

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
