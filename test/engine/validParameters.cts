import type { INodeParameters } from 'n8n-workflow';

import type { Service } from '../mock/service.cjs';
import { ask } from '../mock/testClient.cjs';
import { inWords, type OperationName } from './operationNames.cjs';
import type { Account } from './testBed.cjs';

/** A page of the small web. */
const page = 'https://tidewatch.example/guides/spring-tides';

/** A page of a host that does not exist. */
export const nowhere = 'https://nowhere.example/page';

/** Text that tells an item's requests from those of others; an expression over the item. */
const tag = '{{ $json.tag }}';
const tagged = `=tide ${tag}`;
const taggedPage = `=${page}?tag=${tag}`;

const targets = { values: [{ type: 'scrape', urls: taggedPage }] };

type Parameters = (own: Fixtures) => INodeParameters | Promise<INodeParameters>;

const onJob =
	(kind: 'batch' | 'crawl' | 'agent' | 'failedBatch' | 'failedCrawl'): Parameters =>
	async (own) => ({ jobId: await own[kind]() });
const onMonitor = async (own: Fixtures): Promise<INodeParameters> => ({
	monitorId: { __rl: true, mode: 'id', value: await own.monitor() },
});
/** For a list: what it lists has been made. */
const after =
	(made: 'activeCrawl' | 'check' | 'monitor' | 'scrape' | 'session'): Parameters =>
	async (own) => {
		await own[made]();
		return {};
	};
const onSession = async (own: Fixtures): Promise<INodeParameters> => ({
	sessionId: await own.session(),
});

/** Parameters with which each operation does its work, by resource and operation. */
const sound: Record<string, Record<string, Parameters>> = {
	search: {
		query: () => ({ query: tagged, limit: 2 }),
		passages: () => ({ query: tagged, limit: 2 }),
	},
	page: {
		scrape: () => ({ url: taggedPage }),
		get: async (own) => ({ jobId: await own.scrape() }),
	},
	batch: {
		run: () => ({ urls: taggedPage }),
		start: () => ({ urls: taggedPage }),
		get: onJob('batch'),
		cancel: onJob('batch'),
		getErrors: onJob('failedBatch'),
	},
	crawl: {
		run: () => ({ url: taggedPage, limit: 2 }),
		start: () => ({ url: taggedPage, limit: 2 }),
		get: onJob('crawl'),
		cancel: onJob('crawl'),
		getErrors: onJob('failedCrawl'),
		getActive: after('activeCrawl'),
		previewParams: () => ({ url: page, prompt: tagged }),
	},
	map: { get: () => ({ url: taggedPage }) },
	file: { parse: () => ({ binaryPropertyName: 'data' }) },
	agent: {
		run: () => ({ prompt: tagged }),
		start: () => ({ prompt: tagged }),
		get: onJob('agent'),
		cancel: onJob('agent'),
		getTrace: async (own) => ({ jobId: await own.endedAgent() }),
		getSnapshot: async (own) => ({ jobId: await own.agent(), snapshotId: await own.snapshot() }),
	},
	session: {
		create: () => ({}),
		execute: async (own) => ({ ...(await onSession(own)), code: `=console.log('${tag}')` }),
		interact: async (own) => ({ jobId: await own.scrape(), taskType: 'prompt', prompt: tagged }),
		getAll: after('session'),
		delete: onSession,
		stop: async (own) => ({ jobId: await own.interaction() }),
	},
	monitor: {
		create: () => ({ name: `=Tides ${tag}`, targets, schedule: 'hourly' }),
		get: onMonitor,
		getAll: async (own) => ({ ...(await after('monitor')(own)), returnAll: true }),
		update: async (own) => ({ ...(await onMonitor(own)), additionalFields: { name: tagged } }),
		delete: onMonitor,
		run: onMonitor,
		getChecks: async (own) => ({ ...(await after('check')(own)), ...(await onMonitor(own)) }),
		getCheck: async (own) => ({ ...(await onMonitor(own)), checkId: await own.check() }),
	},
	paper: {
		search: () => ({ query: tagged, limit: 2 }),
		get: () => ({ id: 'doi:10.5555/tide.2024.001' }),
		read: () => ({ id: 'doi:10.5555/tide.2024.001', query: tagged }),
		getSimilar: () => ({ id: 'doi:10.5555/tide.2024.001', intent: tagged }),
	},
	tool: {
		execute: () => ({
			calls: `=[{"provider":"relayworks","capability":"template-search","options":{"query":"${tag}"}}]`,
		}),
	},
	account: {
		getCreditUsage: () => ({}),
		getCreditHistory: after('scrape'),
		getQueueStatus: after('scrape'),
	},
};

/** Makes something when it is first asked for. */
function once(make: () => Promise<string>): () => Promise<string> {
	let made: Promise<string> | undefined;
	return async () => await (made ??= make());
}

/** What the service has of an account, made when it is first asked for. Each answers an id. */
export class Fixtures {
	constructor(
		private readonly service: Service,
		private readonly account: Account,
	) {}

	scrape = once(
		async () => await this.ask('/scrape', { url: page }, 'data', 'metadata', 'scrapeId'),
	);
	batch = once(async () => await this.ask('/batch/scrape', { urls: [page] }, 'id'));
	crawl = once(async () => await this.ask('/crawl', { url: page, limit: 2 }, 'id'));
	activeCrawl = once(
		async () => await this.ask('/crawl', { url: 'https://tidewatch.example', delay: 60 }, 'id'),
	);
	failedBatch = once(async () => await this.ended('/batch/scrape', { urls: [nowhere] }));
	failedCrawl = once(async () => await this.ended('/crawl', { url: nowhere }));
	agent = once(async () => await this.ask('/agent', { prompt: 'tidal lagoon' }, 'id'));
	session = once(async () => await this.ask('/interact', {}, 'id'));
	monitor = once(async () => {
		const targets = [{ type: 'scrape', urls: [page] }];
		const schedule = { text: 'hourly' };
		return await this.ask('/monitor', { name: 'Tides', schedule, targets }, 'data', 'id');
	});
	check = once(
		async () => await this.ask(`/monitor/${await this.monitor()}/run`, {}, 'data', 'id'),
	);
	/** A scrape with whose page somebody interacts: its ID. */
	interaction = once(async () => {
		const id = await this.scrape();
		const body = { prompt: 'Read the opening hours' };
		await ask(this.service, 'POST', `/v2/scrape/${id}/interact`, body, this.account.key);
		return id;
	});
	/** The agent run once it has ended: no event follows. */
	endedAgent = async () => {
		const jobId = await this.agent();
		await this.service.clock.advance(60_000);
		return jobId;
	};
	/** A snapshot that the agent run has taken. */
	snapshot = once(async () => {
		const jobId = await this.agent();
		await this.service.clock.advance(4_000);
		const run = this.service.context.agents.jobs.find(({ id: own }) => own === jobId);
		const [id] = run?.snapshots.keys() ?? [];
		if (id === undefined) throw new Error('The agent run has no snapshot');
		return id;
	});

	/** A job that has ended. */
	private async ended(path: string, body: object): Promise<string> {
		const id = await this.ask(path, body, 'id');
		await this.service.clock.advance(60_000);
		return id;
	}

	/** Asks the service without the node. @throws when the answer has no text there */
	private async ask(path: string, body: object, ...idAt: string[]): Promise<string> {
		const { key } = this.account;
		const answer = await ask<unknown>(this.service, 'POST', `/v2${path}`, body, key);
		const id = idAt.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), answer);
		if (typeof id !== 'string') throw new Error(`Not made: ${path}`);
		return id;
	}
}

/** Parameters with which an operation does its work, for items whose `tag` tells them apart. @throws when it has none */
export async function validParameters(
	name: OperationName,
	own: Fixtures,
): Promise<INodeParameters> {
	const parameters = sound[name.resource]?.[name.operation];
	if (!parameters) {
		throw new Error(
			`No parameters for ${inWords(name)}: add a line to 'sound' in test/engine/validParameters.cts`,
		);
	}
	return await parameters(own);
}
