import { request, type Answered } from '../request.cjs';
import type { Service } from '../service.cjs';
import type { ExchangeSummary, PendingApproval } from './exchange.cjs';
import type { TraceEvent } from './trace.cjs';

/** Fields of the agent's answers that the tests read. */
export interface Started {
	id: string;
	threadId: string;
	threadTurn: number;
	runId?: string;
}

export interface Status {
	status: string;
	data?: unknown;
	creditsUsed?: number;
	expiresAt: string;
	model: string;
	message?: string;
	suggestions?: Array<{ label: string; prompt: string }>;
	partial?: unknown;
	partialSchemaValid?: boolean;
	stopReason?: string;
	threadTurn?: number;
	pendingApproval?: PendingApproval;
	exchange?: ExchangeSummary;
}

export interface TraceBody {
	id: string;
	events: TraceEvent[];
	creditsUsed: number;
	activeBrowserSessions?: Array<{ id: string; liveViewUrl: string }>;
}

/** What tests do with agent runs, as one team. */
export class AgentClient {
	constructor(
		readonly service: Service,
		readonly key: string = service.keys.full,
	) {}

	post(body: object): Promise<Answered<Started>> {
		return request<Started>(this.service, 'POST', '/v2/agent', body, this.key);
	}

	/** Starts a run that must be accepted. */
	async start(body: object = {}): Promise<Started> {
		const {
			status,
			body: answer,
			text,
		} = await this.post({ prompt: 'tidal lagoon energy storage', ...body });
		if (status !== 200) throw new Error(`${status} ${text}`);
		return answer;
	}

	/** Starts a run and lets the clock go to its end. */
	async run(body: object = {}): Promise<Started & Status> {
		const started = await this.start(body);
		await this.service.clock.advance(3000);
		return { ...started, ...(await this.status(started.id)).body };
	}

	status(id: string): Promise<Answered<Status>> {
		return this.get<Status>(`/${id}`);
	}

	cancel(id: string): Promise<Answered<object>> {
		return request(this.service, 'DELETE', `/v2/agent/${id}`, undefined, this.key);
	}

	async events(id: string): Promise<TraceEvent[]> {
		return (await this.get<TraceBody>(`/${id}/trace`)).body.events;
	}

	get<T = object>(path: string): Promise<Answered<T>> {
		return request<T>(this.service, 'GET', `/v2/agent${path}`, undefined, this.key);
	}

	control(name: string, body: object): Promise<Answered<{ ids: string[] }>> {
		return request(this.service, 'POST', `/_control/agent/${name}`, body);
	}
}
