import { fetch } from 'undici';
import type { checkView, monitorView } from './endpoints/monitor.cjs';
import type { CheckPage } from './monitors.cjs';
import type { Service } from './service.cjs';
import { demoKey } from './teams.cjs';

/** A monitor as it is answered, with every field that the tests read. */
export type MonitorBody = ReturnType<typeof monitorView>;
type CheckBody = ReturnType<typeof checkView> & { pages: CheckPage[]; next?: string };

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

	async send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const at = `/v2/monitor${path}`;
		return (await ask<{ data: T }>(this.service, method, at, body, this.key)).data;
	}

	created(change: Record<string, unknown>): Promise<MonitorBody> {
		return this.send('POST', '', { ...example, ...change });
	}

	get(id: string): Promise<MonitorBody> {
		return this.send('GET', `/${id}`);
	}

	/** Runs a check, and reads it with its pages. */
	async checked(id: string): Promise<CheckBody> {
		const check = await this.send<CheckBody>('POST', `/${id}/run`);
		return await this.send('GET', `/${id}/checks/${check.id}?limit=100`);
	}
}

/** Asks the service as a test does, by the key of an account. @throws Error that says what it answered, where that is no success */
export async function ask<T>(
	service: Service,
	method: string,
	path: string,
	body?: unknown,
	key = demoKey,
): Promise<T> {
	const response = await fetch(service.url + path, {
		method,
		headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return JSON.parse(text);
}
