import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { Delivery } from '../mock-server/webhooks.cjs';
import type { EngineRun, NodeRunOptions } from './harness.cjs';
import type { Job, JobKind } from './jobKinds.cjs';
import { WaitingExecutions } from './waiting.cjs';
import { useTestBed, type TestBed } from './testBed.cjs';
import { signed } from './trigger/triggers.cjs';

export const teamSecret = 'whsec-of-the-team';

/**
 * Executions that sleep until the service says that their jobs have ended. The service's clock moves when
 * told to; nothing else does.
 */
export class SleepingJobs<J extends Job> {
	executions!: WaitingExecutions;
	credentials!: { webDataApi: Record<string, string> };
	private team = '';

	constructor(
		readonly testBed: TestBed,
		readonly kind: JobKind<J>,
	) {}

	/** A new account, and an n8n that can be called. Without a secret the service does not sign. */
	async open(webhookSecret = teamSecret): Promise<void> {
		const account = this.testBed.account({ webhookSecret: webhookSecret || undefined });
		this.team = account.team.id;
		this.credentials = { webDataApi: { ...account.credentials.webDataApi, webhookSecret } };
		this.executions = new WaitingExecutions(this.testBed.engine, this.credentials);
		await this.executions.open();
	}

	/** Starts a run of the node. */
	start(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
		return this.executions.startNode({
			...options,
			parameters: {
				resource: this.kind.resource,
				operation: 'run',
				wait: 'suspend',
				...parameters,
			},
		});
	}

	/** Starts a run and waits until it sleeps. @throws the run's error */
	async asleep(parameters: INodeParameters, options?: Partial<NodeRunOptions>) {
		const { id, done } = this.start(parameters, options);
		const run = await done;
		if (run.error) throw run.error;
		if (run.status !== 'waiting') throw new Error(`The execution does not sleep: ${run.status}`);
		const jobs = this.underWay;
		const [job] = jobs;
		if (!job) throw new Error('The execution sleeps, and no job is under way');
		return { id, run, job, jobs };
	}

	/** The jobs that have not ended, in the order of their items. */
	get underWay(): J[] {
		return this.kind.underWay(this.testBed.service, this.team);
	}

	/** Lets jobs come to their end, and their events be delivered. */
	async finish(...jobs: J[]): Promise<void> {
		const { clock, context } = this.testBed.service;
		while (jobs.some((job) => this.underWay.includes(job))) await clock.advance(1000);
		await context.webhooks.idle();
	}

	/** The execution's end, once its jobs have come to theirs. */
	async ended(id: string, ...jobs: J[]): Promise<EngineRun> {
		const ended = this.executions.ended(id);
		await this.finish(...jobs);
		return await ended;
	}

	/** `waiting`, `success`, … as n8n stores it. */
	status(id: string): string {
		return this.executions.get(id).status;
	}

	/** The start requests received. */
	get starts() {
		return this.testBed.service.log.of('POST', this.kind.path);
	}

	/** Method and path of every request received. */
	get requests(): string[] {
		return this.testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);
	}

	/** How often a job was polled. */
	polls({ id }: J): number {
		return this.testBed.service.log.of('GET', `${this.kind.path}/${id}`).length;
	}

	/** The deliveries of an event. */
	deliveries(event: string): Delivery[] {
		const type = `${this.kind.endpoint}.${event}`;
		return this.testBed.service.context.webhooks.deliveries.filter((each) => each.type === type);
	}

	/** The statuses that each delivery of an event was answered with. */
	answers(event: string): unknown[] {
		return this.deliveries(event).map(({ attempts }) => attempts.map(({ status }) => status));
	}

	/** A call of a job's own address by anybody, signed with a key or not; about that job's end unless told otherwise. */
	async call(job: J, key?: string, change: object = {}): Promise<number> {
		const about = { success: true, type: `${this.kind.endpoint}.completed`, id: job.id };
		const text = JSON.stringify({ ...about, webhookId: randomUUID(), data: [], ...change });
		return await this.send(job, text, key === undefined ? {} : signed(text, key));
	}

	/** A call of a job's own address with any body. */
	async send({ about }: J, body: string, headers: Record<string, string>): Promise<number> {
		const response = await fetch(about.webhook?.url ?? '', {
			method: 'POST',
			body,
			// A later call may meet another process at this port.
			headers: { 'content-type': 'application/json', connection: 'close', ...headers },
		});
		await response.arrayBuffer();
		return response.status;
	}
}

/** Sleeping executions of one kind of job for the tests of a file. */
export function useSleepingJobs<J extends Job>(kind: JobKind<J>): SleepingJobs<J> {
	const sleeping = new SleepingJobs(useTestBed(), kind);
	beforeEach(async () => {
		sleeping.testBed.service.clock.hold();
		await sleeping.open();
	});
	afterEach(async () => await sleeping.executions.close());
	return sleeping;
}
