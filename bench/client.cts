import type { Contender, Workload } from './contenders.cjs';
import { Remote } from './remote.cjs';

/** The cost of an execution, in milliseconds. */
export interface ClientReport {
	wall: number;
	/** Processor time of the process. */
	cpu: number;
}

/** A contender in a process of its own. */
export class Client {
	private readonly remote: Remote<Workload, ClientReport>;

	constructor(contender: Contender) {
		this.remote = new Remote('clientProcess.cjs', {
			env: { BENCH_CONTENDER: contender },
			execArgv: ['--expose-gc'],
		});
	}

	/** @throws if an item got no response */
	async run(workload: Workload): Promise<ClientReport> {
		return await this.remote.ask(workload);
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
