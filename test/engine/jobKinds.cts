import type { INodeParameters } from 'n8n-workflow';
import type { AgentJob } from '../mock/agents.cjs';
import type { JobFacts, PageJob } from '../mock/pageJobs/job.cjs';
import type { WebhookConfig } from '../mock/schemas/body.cjs';
import type { LogEntry } from '../mock/requestLog.cjs';
import type { Service } from '../mock/service.cjs';

export interface Job {
	id: string;
	about: { webhook?: WebhookConfig };
}

/** Work that the service does after its answer: what the node and the tests ask of every kind of it. */
export interface JobKind<J extends Job = Job> {
	resource: 'agent' | 'batch' | 'crawl';
	noun: string;
	path: string;
	/** What the service's list calls its kind; also before the point in the names of its events. */
	endpoint: string;
	/** A small request. */
	parameters: INodeParameters;
	/** The same target, and another request. */
	near: INodeParameters;
	/** The body of the small request. */
	body: object;
	/** Where the node looks up the job of a lost start. */
	list: string;
	/** Whether this list tells for certain which request has started a job. */
	isTold: boolean;
	/** While it runs. */
	state: string;
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
	near: { prompt, additionalFields: { maxCredits: 7 } },
	body: { prompt },
	list: '/v2/agent',
	isTold: true,
	state: 'processing',
	underWay: ({ context }, team) =>
		context.agents.jobs
			.filter(({ about, state }) => about.teamId === team && state !== 'finished')
			.sort((one, other) => one.about.task.prompt.localeCompare(other.about.task.prompt)),
	isStopped: ({ state }) => state === 'cancelling',
};

const pages = (resource: JobFacts['kind']) => ({
	resource,
	noun: resource,
	isTold: false,
	state: 'scraping',
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

/** The header by which the tests know the requests of another client. */
const clientHeader = 'x-client';

/** Starts a job as another client of the same account does, such as a second n8n or somebody's script. @returns its ID */
export async function startElsewhere(
	service: Service,
	key: string,
	path: string,
	body: object,
): Promise<string> {
	const response = await fetch(`${service.url}${path}`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${key}`,
			'content-type': 'application/json',
			[clientHeader]: 'another',
		},
		body: JSON.stringify(body),
	});
	const { id }: { id?: unknown } = Object(await response.json());
	if (typeof id !== 'string') throw new Error(`Nothing was started: ${response.status}`);
	return id;
}

/** Whether a request is that of another client. */
export const isFromElsewhere = ({ headers }: LogEntry) => clientHeader in headers;

/** Makes every job that begins from now on last for so long, of a page each. */
export function slowDown({ context }: Service, ms: number): void {
	context.pageJobs.paces.set({ pageMs: ms });
	context.agents.script.set({ durationMs: ms });
}
