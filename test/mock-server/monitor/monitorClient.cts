import { request, type Answered } from '../request.cjs';
import type { Service } from '../service.cjs';
import type { CheckPage, CheckStatus, Summary } from './monitor.cjs';

/** A monitor as it is answered, with every field that the tests read. */
export interface MonitorBody {
	id: string;
	name: string;
	status: string;
	schedule: { cron: string; timezone: string };
	nextRunAt: string | null;
	lastRunAt: string | null;
	currentCheckId: string | null;
	targets: Array<{ id: string; type: string }>;
	goal: string | null;
	judgeEnabled: boolean;
	lastCheckSummary: Summary | null;
	estimatedCreditsPerMonth: number;
	updatedAt: string;
}

export interface CheckBody {
	id: string;
	status: CheckStatus;
	trigger: string;
	scheduledFor: string | null;
	startedAt: string | null;
	finishedAt: string | null;
	estimatedCredits: number;
	actualCredits: number | null;
	billingStatus: string;
	summary: Summary;
	targetResults: Array<Record<string, unknown>>;
	pages: CheckPage[];
	next?: string;
}

type Data<T> = Answered<{ data: T; id: string; next?: string }>;

/** Calls the monitor endpoints as a test does. */
export class MonitorClient {
	constructor(
		private readonly service: Service,
		private readonly key?: string,
	) {}

	send<T>(method: string, path: string, body?: unknown): Promise<Data<T>> {
		return request(this.service, method, `/v2/monitor${path}`, body, this.key);
	}

	create(body: unknown): Promise<Data<MonitorBody>> {
		return this.send('POST', '', body);
	}

	/** A new monitor that must be accepted. */
	async created(change: Record<string, unknown>): Promise<MonitorBody> {
		const { status, body } = await this.create({ ...example, ...change });
		if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
		return body.data;
	}

	async get(id: string): Promise<MonitorBody> {
		return (await this.send<MonitorBody>('GET', `/${id}`)).body.data;
	}

	/** Runs a check that must be accepted, and reads it with its pages when it has done its work. */
	async checked(id: string): Promise<CheckBody> {
		const { status, body } = await this.send<CheckBody>('POST', `/${id}/run`);
		if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
		await this.service.context.monitors.idle();
		return this.check(id, body.data.id);
	}

	async checks(id: string): Promise<CheckBody[]> {
		return (await this.send<CheckBody[]>('GET', `/${id}/checks`)).body.data;
	}

	async check(id: string, checkId: string): Promise<CheckBody> {
		return (await this.send<CheckBody>('GET', `/${id}/checks/${checkId}?limit=100`)).body.data;
	}
}

/** The least that a monitor needs. */
export const example = {
	name: 'Spring tides',
	schedule: { cron: '0 * * * *' },
	targets: [{ type: 'scrape', urls: ['https://tidewatch.example/guides/spring-tides'] }],
};
