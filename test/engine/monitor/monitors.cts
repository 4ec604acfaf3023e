import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { type CheckBody, type MonitorBody, MonitorClient } from '../../mock/testClient.cjs';
import { type Account, type SearchOptions, type TestBed, useTestBed } from '../testBed.cjs';

/** The monitors' operations of the node, beside the service that answers them. */
class Monitors {
	constructor(readonly testBed: TestBed) {}

	/** Runs an operation to its end. */
	readonly run = async (operation: string, parameters: INodeParameters, options?: SearchOptions) =>
		await this.testBed.run('monitor', operation, parameters, options);

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
}

/** A picked monitor as the editor stores it. */
export const picked = (value: string, mode: 'list' | 'id' = 'id'): INodeParameters => ({
	__rl: true,
	mode,
	value,
});

/** Pages of the small web. */
export const tides = 'https://tidewatch.example/guides/spring-tides';
export const storms = 'https://tidewatch.example/guides/storm-surges';

/** The monitors' operations for the tests of a file, on a clock of the service that stands still. */
export function useMonitors(): Monitors {
	const testBed = useTestBed();
	beforeEach(() => testBed.service.clock.hold(Date.parse('2026-11-21T12:10:00Z')));
	return new Monitors(testBed);
}
