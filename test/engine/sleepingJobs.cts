import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { JobFacts, PageJob } from '../mock-server/pageJobs/job.cjs';
import type { Delivery } from '../mock-server/webhooks.cjs';
import type { EngineRun, NodeRunOptions } from './harness.cjs';
import { WaitingExecutions } from './waiting.cjs';
import { useTestBed, type TestBed } from './testBed.cjs';
import { signed } from './trigger/triggers.cjs';

const paths = { batch: '/v2/batch/scrape', crawl: '/v2/crawl' } as const;

export const teamSecret = 'whsec-of-the-team';

/**
 * Executions that sleep until the service says that their batch or crawl has ended. The service's clock
 * moves when told to; nothing else does.
 */
export class SleepingJobs {
	executions!: WaitingExecutions;
	credentials!: { webDataApi: Record<string, string> };
	private team = '';

	constructor(
		readonly testBed: TestBed,
		readonly kind: JobFacts['kind'],
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
			parameters: { resource: this.kind, operation: 'run', wait: 'suspend', ...parameters },
		});
	}

	/** Starts a run and waits until it sleeps. @throws the run's error */
	async asleep(parameters: INodeParameters, options?: Partial<NodeRunOptions>) {
		const { id, done } = this.start(parameters, options);
		const run = await done;
		if (run.error) throw run.error;
		if (run.status !== 'waiting') throw new Error(`The execution does not sleep: ${run.status}`);
		const [job, ...more] = this.underWay;
		if (!job || more.length > 0) throw new Error('The execution waits for one job under way');
		return { id, run, job };
	}

	/** The jobs that have not ended. */
	get underWay(): PageJob[] {
		return this.testBed.service.context.pageJobs.active(this.team, this.kind);
	}

	/** Lets a job come to its end, and its events be delivered. */
	async finish(job: PageJob): Promise<void> {
		const { clock, context } = this.testBed.service;
		while (job.status === 'scraping') await clock.advance(1000);
		await context.webhooks.idle();
	}

	/** The execution's end, once its job has come to its own. */
	async ended(id: string, job: PageJob): Promise<EngineRun> {
		const ended = this.executions.ended(id);
		await this.finish(job);
		return await ended;
	}

	/** The start requests received. */
	get starts() {
		return this.testBed.service.log.of('POST', paths[this.kind]);
	}

	/** Method and path of every request received. */
	get requests(): string[] {
		return this.testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);
	}

	deliveries(type: string): Delivery[] {
		return this.testBed.service.context.webhooks.deliveries.filter((each) => each.type === type);
	}

	/** The statuses that each delivery of a type was answered with. */
	answers(type: string): unknown[] {
		return this.deliveries(type).map(({ attempts }) => attempts.map(({ status }) => status));
	}

	/** A call of a job's own address by anybody, signed with a key or not; about that job unless told otherwise. */
	async call(job: PageJob, type: string, key?: string, id: string = job.id): Promise<number> {
		const event = { success: true, type, id, webhookId: randomUUID(), data: [] };
		const text = JSON.stringify(event);
		const response = await fetch(job.about.webhook?.url ?? '', {
			method: 'POST',
			body: text,
			headers: {
				'content-type': 'application/json',
				...(key !== undefined && signed(text, key)),
			},
		});
		await response.arrayBuffer();
		return response.status;
	}
}

/** Sleeping executions of batches or crawls for the tests of a file. */
export function useSleepingJobs(kind: JobFacts['kind']): SleepingJobs {
	const sleeping = new SleepingJobs(useTestBed(), kind);
	beforeEach(async () => {
		sleeping.testBed.service.clock.hold();
		await sleeping.open();
	});
	afterEach(async () => await sleeping.executions.close());
	return sleeping;
}
