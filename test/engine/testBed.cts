import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import type { LogEntry } from '../mock/requestLog.cjs';
import type { Team } from '../mock/teams.cjs';
import type { CredentialsByType } from './runCredentials.cjs';
import { startService, type Service } from '../mock/service.cjs';
import {
	createEngine,
	type Engine,
	type EngineRun,
	type Execution,
	type NodeRunOptions,
} from './harness.cjs';

/** A team of the mock server with its one key, and the credential that a user would make of it. */
export interface Account {
	team: Team;
	key: string;
	credentials: { webDataApi: { baseUrl: string; apiKey: string } };
}

export type SearchOptions = Omit<NodeRunOptions, 'parameters' | 'credentials'> & {
	/** Whose credential the node uses: a new account's when left out. */
	account?: { credentials: CredentialsByType };
};

/** The built node in n8n's engine beside the service that it talks to. */
export class TestBed {
	private parts?: { engine: Engine; service: Service };

	get engine(): Engine {
		return this.opened.engine;
	}

	get service(): Service {
		return this.opened.service;
	}

	/** The bodies of the search requests received, in order of arrival. */
	get sent(): unknown[] {
		return this.service.log.of('POST', '/v2/search').map(({ body }) => body);
	}

	/** Method, path, query and body of every request received. */
	get requests(): Array<Pick<LogEntry, 'method' | 'path' | 'query' | 'body'>> {
		return this.service.log.entries.map(({ method, path, query, body }) => ({
			method,
			path,
			query,
			body,
		}));
	}

	async open(): Promise<void> {
		const service = await startService();
		// A service that nobody closes would keep the process of the tests alive.
		const engine = await createEngine().catch(async (error: unknown) => {
			await service.close();
			throw error;
		});
		this.parts = { service, engine };
	}

	async close(): Promise<void> {
		this.parts?.engine.close();
		await this.parts?.service.close();
	}

	/** An account of its own: what one test does to its pace or its credits reaches no other test. */
	account(change: Partial<Team> = {}): Account {
		const id = randomUUID();
		const key = `fc-${id.replaceAll('-', '')}`;
		const team = this.service.teams.add({ ...change, id }, key);
		return { team, key, credentials: { webDataApi: { baseUrl: this.service.url, apiKey: key } } };
	}

	/** Starts an operation of the node, with the parameters as the editor stores them. */
	begin(
		resource: string,
		operation: string,
		parameters: INodeParameters,
		options: SearchOptions = {},
	): Execution {
		const { account = this.account(), ...rest } = options;
		return this.engine.startNode({
			...rest,
			credentials: { ...account.credentials },
			parameters: { resource, operation, ...parameters },
		});
	}

	/** Runs an operation of the node to its end. */
	async run(...of: Parameters<TestBed['begin']>): Promise<EngineRun> {
		return await this.begin(...of).done;
	}

	/** Starts a search by the node, with the parameters as the editor stores them. */
	start(parameters: INodeParameters, options?: SearchOptions): Execution {
		return this.begin('search', 'query', parameters, options);
	}

	/** Runs a search by the node to its end. */
	async search(parameters: INodeParameters, options?: SearchOptions): Promise<EngineRun> {
		return await this.start(parameters, options).done;
	}

	private get opened(): { engine: Engine; service: Service } {
		if (!this.parts) throw new Error('The test bed is not open');
		return this.parts;
	}
}

/** A test bed for the tests of a file; each test finds the service as after its start. */
export function useTestBed(): TestBed {
	const testBed = new TestBed();
	beforeAll(async () => await testBed.open());
	beforeEach(() => {
		testBed.service.reset();
	});
	afterAll(async () => await testBed.close());
	return testBed;
}
