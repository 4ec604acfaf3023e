import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { AgentJob } from '../../mock-server/agent/job.cjs';
import { WaitingExecutions } from '../waiting.cjs';
import type { NodeRunOptions } from '../harness.cjs';
import { useTestBed, type TestBed } from '../testBed.cjs';
import { signed } from '../trigger/triggers.cjs';

export const teamSecret = 'whsec-of-the-team';

/**
 * Executions that sleep until the runs of several items have ended. The service's clock moves when told
 * to, and calls come when the test makes them.
 */
class SleepingAgents {
	executions!: WaitingExecutions;
	credentials!: { webDataApi: Record<string, string> };

	constructor(readonly testBed: TestBed) {}

	/** A new account, and an n8n that can be called; the service's own calls are lost. */
	async open(webhookSecret = teamSecret): Promise<void> {
		const account = this.testBed.account({ webhookSecret: webhookSecret || undefined });
		this.credentials = { webDataApi: { ...account.credentials.webDataApi, webhookSecret } };
		this.executions = new WaitingExecutions(this.testBed.engine, this.credentials);
		await this.executions.open();
		this.testBed.service.context.webhooks.held = true;
	}

	/** Starts one run for each topic. */
	start(topics: string[], set: INodeParameters = {}, options: Partial<NodeRunOptions> = {}) {
		return this.executions.startNode({
			input: topics.map((topic) => ({ topic })),
			...options,
			parameters: {
				resource: 'agent',
				operation: 'run',
				prompt: '={{ $json.topic }}',
				wait: 'suspend',
				...set,
			},
		});
	}

	/** Starts one run for each topic and waits until the execution sleeps. @throws the run's error */
	async asleep(topics: string[], set?: INodeParameters, options?: Partial<NodeRunOptions>) {
		const { id, done } = this.start(topics, set, options);
		const run = await done;
		if (run.error) throw run.error;
		return { id, run };
	}

	/** The jobs in the order of the items. */
	get jobs(): AgentJob[] {
		const all = [...this.testBed.service.context.agents.jobs];
		return all.sort((one, other) => one.about.task.prompt.localeCompare(other.about.task.prompt));
	}

	get starts() {
		return this.testBed.service.log.of('POST', '/v2/agent');
	}

	/** How often a job was looked at. */
	looks(job: AgentJob): number {
		return this.testBed.service.log.of('GET', `/v2/agent/${job.id}`).length;
	}

	/** A call about a job by anybody, signed with a key or not. */
	async call(job: AgentJob, key?: string, change: object = {}): Promise<number> {
		const text = JSON.stringify({
			success: true,
			type: 'agent.completed',
			id: job.id,
			webhookId: randomUUID(),
			data: [],
			metadata: {},
			...change,
		});
		const response = await fetch(job.about.webhook?.url ?? '', {
			method: 'POST',
			body: text,
			headers: {
				'content-type': 'application/json',
				// A later call may meet another process at this port.
				connection: 'close',
				...(key !== undefined && signed(text, key)),
			},
		});
		await response.arrayBuffer();
		return response.status;
	}

	/** Lets all jobs that are under way come to their end. */
	async finishAll(): Promise<void> {
		await this.testBed.service.clock.advance(3000);
	}
}

/** Sleeping executions of agent runs for the tests of a file. */
export function useSleepingAgents(): SleepingAgents {
	const sleeping = new SleepingAgents(useTestBed());
	beforeEach(async () => {
		sleeping.testBed.service.clock.hold();
		await sleeping.open();
	});
	afterEach(async () => await sleeping.executions.close());
	return sleeping;
}
