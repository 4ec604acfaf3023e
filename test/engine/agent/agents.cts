import { withoutMark } from '../jobKinds.cjs';
import type { INodeParameters } from 'n8n-workflow';
import type { EngineRun } from '../harness.cjs';
import { useDrivenTime, type DrivenTime } from '../drivenTime.cjs';
import { useTestBed, type Account, type SearchOptions, type TestBed } from '../testBed.cjs';

/** The agent's operations of the node, beside the service that answers them. */
class Agents {
	constructor(
		readonly testBed: TestBed,
		readonly time: DrivenTime,
	) {}

	/** Runs an operation to its end, time moving along whenever the work waits for it. */
	async run(
		operation: string,
		parameters: INodeParameters,
		options?: SearchOptions,
	): Promise<EngineRun> {
		return await this.time.drive(this.testBed.run('agent', operation, parameters, options));
	}

	/** Runs an agent to its end, and answers its job's id. */
	async completed(account: Account): Promise<string> {
		const run = await this.run('run', { prompt }, { account });
		if (run.status !== 'success') throw run.error;
		return String(run.output()[0].json.jobId);
	}

	/** Starts an agent without waiting for it, and answers its job's id. */
	async started(account: Account): Promise<string> {
		const run = await this.run('start', { prompt }, { account });
		return String(run.output()[0].json.jobId);
	}

	/** What the start requests received ask for. */
	get bodies(): unknown[] {
		return this.testBed.service.log.of('POST', '/v2/agent').map(({ body }) => withoutMark(body));
	}

	/** Method and path of every request received. */
	get requests(): string[] {
		return this.testBed.service.log.entries.map(({ method, path }) => `${method} ${path}`);
	}
}

/** What the runs of the tests look for on the small web. */
export const prompt = 'tidal lagoon energy storage';

/** The agent's operations for the tests of a file, on driven time. */
export function useAgents(): Agents {
	const testBed = useTestBed();
	return new Agents(
		testBed,
		useDrivenTime(() => testBed.service),
	);
}
