import type { INodeParameters } from 'n8n-workflow';
import type { AgentJob } from '../mock/agents.cjs';
import type { PageJob } from '../mock/pageJobs.cjs';
import type { WebhookConfig } from '../mock/schemas/fields.cjs';
import type { Service } from '../mock/service.cjs';
import type { DrivenTime } from './drivenTime.cjs';
import type { Execution } from './harness.cjs';
import { Operations, useOperations } from './operations.cjs';
import type { Account, SearchOptions, TestBed } from './testBed.cjs';

export interface Job {
	id: string;
	about: { webhook?: WebhookConfig };
}

/** Work that the service does after its answer: what the node and the tests ask of every kind of it. */
export interface JobKind<J extends Job = Job> {
	resource: 'agent' | 'batch' | 'crawl';
	noun: string;
	path: string;
	/** What stands before the point in the names of its events. */
	endpoint: string;
	/** A small request. */
	parameters: INodeParameters;
	/** The same target, and another request. */
	near: INodeParameters;
	/** The body of the small request. */
	body: object;
	/** Where the node looks up the job of a lost start. */
	list: string;
	/** Whether this list tells for certain which request has started a job, by the node's mark. */
	isMarked: boolean;
	/** While it runs. */
	state: string;
	/** Every job that has begun. */
	begun(service: Service): J[];
	/** The jobs of a team that have not ended, in the order of their items. */
	underWay(service: Service, team: string): J[];
	/** Whether it was told to stop. */
	isStopped(job: J): boolean;
}

const page = 'https://tidewatch.example/guides/spring-tides';
const surges = 'https://tidewatch.example/guides/storm-surges';
const urls = `${page}, ${surges}`;
const prompt = 'tidal lagoon energy storage';

export const agents: JobKind<AgentJob> = {
	resource: 'agent',
	noun: 'agent run',
	path: '/v2/agent',
	endpoint: 'agent',
	parameters: { prompt },
	near: { prompt, additionalFields: { effort: 'low' } },
	body: { prompt },
	list: '/v2/agent',
	isMarked: true,
	state: 'processing',
	begun: ({ context }) => context.agents.jobs,
	underWay: ({ context }, team) =>
		context.agents
			.active(team)
			.sort((one, other) => one.about.task.prompt.localeCompare(other.about.task.prompt)),
	isStopped: ({ outcome }) => outcome === 'cancelled',
};

const pages = (resource: 'batch' | 'crawl') => ({
	resource,
	noun: resource,
	isMarked: false,
	state: 'scraping',
	begun: ({ context }: Service) =>
		context.pageJobs.jobs.filter(({ about }) => about.kind === resource),
	underWay: ({ context }: Service, team: string) => context.pageJobs.active(team, resource),
	isStopped: ({ status }: PageJob) => status === 'cancelled',
});

const batches: JobKind<PageJob> = {
	...pages('batch'),
	path: '/v2/batch/scrape',
	endpoint: 'batch_scrape',
	parameters: { urls },
	near: { urls, additionalFields: { maxConcurrency: 1 } },
	body: { urls: [page, surges] },
	list: '/v2/team/activity',
};

const crawls: JobKind<PageJob> = {
	...pages('crawl'),
	path: '/v2/crawl',
	endpoint: 'crawl',
	parameters: { url: page, limit: 2 },
	near: { url: page, limit: 2, additionalFields: { maxDiscoveryDepth: 1 } },
	body: { url: page, limit: 2 },
	list: '/v2/crawl/active',
};

export const jobKinds: JobKind[] = [batches, crawls, agents];

/** What a request asks for, without the mark by which the node knows the job of an agent's start again. */
export function withoutMark(body: unknown): unknown {
	if (typeof body !== 'object' || body === null) return body;
	const asked = Object.entries(body).filter(
		([name, value]) => name !== 'origin' || !String(value).startsWith('n8n-web-data-'),
	);
	return Object.fromEntries(asked);
}

/** Makes every job that begins from now on last for so long, of a page each. */
export function slowDown({ context }: Service, ms: number): void {
	context.pageJobs.set({ pageMs: ms });
	context.agents.set({ durationMs: ms });
}

/** The node's operations on jobs of a kind. */
class JobRuns extends Operations {
	/** Whose jobs they are: new for each test. */
	account!: Account;

	constructor(
		testBed: TestBed,
		time: DrivenTime,
		private readonly kind: JobKind,
		private readonly type: string,
	) {
		super(testBed, time, kind.resource);
	}

	override begin(operation: string, set: INodeParameters = {}, options?: SearchOptions): Execution {
		const node = { type: this.testBed.engine.typeName(this.type) };
		const given = { account: this.account, node, ...options };
		return super.begin(operation, { ...this.kind.parameters, ...set }, given);
	}

	/** The start requests received. */
	get starts() {
		return this.testBed.service.log.of('POST', this.kind.path);
	}

	/** The paths that were told to stop. */
	get deletes(): string[] {
		const { entries } = this.testBed.service.log;
		return entries.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
	}

	/** The account's jobs that have not ended. */
	get underWay(): Job[] {
		return this.kind.underWay(this.testBed.service, this.account.team.id);
	}
}

/** The operations on a kind of job for the tests of a file. */
export function useJobs(kind: JobKind, type = 'webData'): JobRuns {
	const { testBed, time } = useOperations(kind.resource);
	const jobs = new JobRuns(testBed, time, kind, type);
	beforeEach(() => {
		jobs.account = testBed.account();
	});
	return jobs;
}
