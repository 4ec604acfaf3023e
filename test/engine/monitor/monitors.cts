import { LoadOptionsContext } from 'n8n-core';
import type {
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';

import { type CheckBody, type MonitorBody, MonitorClient } from '../../mock/testClient.cjs';
import { type EngineRun, NODE_UNDER_TEST } from '../harness.cjs';
import { LoadedNodeTypes } from '../nodeTypes.cjs';
import { type Account, type SearchOptions, type TestBed, useTestBed } from '../testBed.cjs';

/** The monitors' operations of the node, beside the service that answers them. */
class Monitors {
	constructor(readonly testBed: TestBed) {}

	/** Runs an operation to its end. */
	async run(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<EngineRun> {
		return await this.testBed.run('monitor', operation, parameters, options);
	}

	/** Runs an operation to its end, and answers its items. @throws the run's error */
	async items(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<INodeExecutionData[]> {
		const run = await this.run(operation, parameters, options);
		if (run.error) throw run.error;
		return run.output();
	}

	/** Makes a monitor without the node, and forgets the requests for it. */
	async made(account: Account, change: Record<string, unknown> = {}): Promise<MonitorBody> {
		const monitor = await this.client(account).created(change);
		this.testBed.service.log.clear();
		return monitor;
	}

	/** Makes many monitors that are alike. */
	async multiplied(account: Account, count: number): Promise<void> {
		await this.made(account);
		const [{ settings }] = this.of(account);
		const { monitors } = this.testBed.service.context;
		for (let made = 1; made < count; made++) monitors.create(account.team.id, settings);
	}

	/** Runs a check without the node, up to the end of its work, and forgets the requests for it. */
	async checked(account: Account, monitorId: string): Promise<CheckBody> {
		const check = await this.client(account).checked(monitorId);
		this.testBed.service.log.clear();
		return check;
	}

	/** Calls the service without the node. */
	client({ key }: Account): MonitorClient {
		return new MonitorClient(this.testBed.service, key);
	}

	/** The account's monitors that there are, newest first. */
	of({ team }: Account) {
		return this.testBed.service.context.monitors.of(team.id);
	}

	/** Method, path, query and body of every request received. */
	get requests() {
		return this.testBed.requests;
	}

	/** The node as the editor knows it. */
	get description(): INodeTypeDescription {
		return this.nodeType.description;
	}

	/** What the editor's list of monitors shows. */
	async listed(account: Account, filter?: string): Promise<INodeListSearchResult> {
		const { engine } = this.testBed;
		const workflow = engine.workflow(
			{
				nodes: [
					{
						id: 'node',
						name: NODE_UNDER_TEST,
						type: engine.typeName('webData'),
						typeVersion: 1,
						position: [0, 0],
						parameters: { resource: 'monitor', operation: 'get' },
					},
				],
				connections: {},
			},
			account.credentials,
		);
		const node = workflow.getNode(NODE_UNDER_TEST);
		const search = this.nodeType.methods?.listSearch?.searchMonitors;
		if (!node || !search) throw new Error('The node has no list of monitors');
		const additionalData = engine.additionalData(account.credentials);
		const context: ILoadOptionsFunctions = new LoadOptionsContext(
			workflow,
			node,
			additionalData,
			'monitorId',
		);
		return await search.call(context, filter);
	}

	private get nodeType() {
		const { loader } = this.testBed.engine;
		const type = this.testBed.engine.typeName('webData');
		return new LoadedNodeTypes(loader).getByNameAndVersion(type);
	}
}

/** A picked monitor as the editor stores it. */
export const picked = (value: string, mode: 'list' | 'id' = 'id'): INodeParameters => ({
	__rl: true,
	mode,
	value,
});

/** Pages of the small web. */
const host = 'https://tidewatch.example';
export const guides = `${host}/guides`;
export const tides = `${guides}/spring-tides`;
export const storms = `${guides}/storm-surges`;

/** A well-formed id that nothing has. */
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** What a new monitor needs, as the editor stores it, and as the API takes it. */
export const least = {
	name: 'Spring tides',
	targets: { values: [{ type: 'scrape', urls: tides }] },
	schedule: 'hourly',
} satisfies INodeParameters;
export const leastSent = {
	name: 'Spring tides',
	targets: [{ type: 'scrape', urls: [tides] }],
	schedule: { text: 'hourly' },
};

/** The monitors' operations for the tests of a file, on a clock of the service that stands still. */
export function useMonitors(): Monitors {
	const testBed = useTestBed();
	beforeEach(() => testBed.service.clock.hold(Date.parse('2026-11-21T12:10:00Z')));
	return new Monitors(testBed);
}
