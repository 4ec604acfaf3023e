import type { Contender, Workload } from './contenders.cjs';
import { Remote, type Start } from './remote.cjs';

/** What a contender is to do: the same workload in several executions at once. */
export interface ClientOrder extends Workload {
	executions?: number;
	/** Begins what it asks about, where several ask the same service. */
	name?: string;
}

/** What came of one execution. Times in Unix milliseconds of the measurement's clock. */
export interface ExecutionReport {
	/** Input items that something other than an error came of. */
	answered: number;
	/** Items that came out, errors included. */
	results: number;
	/** What it asked about: see `subjectOf`. */
	label: string;
	status: string;
	error?: string;
	startedAt: number;
	endedAt: number;
}

/** What all executions of an order took together. */
export interface ClientReport {
	executions: ExecutionReport[];
	/** Milliseconds of the measurement's clock. */
	wall: number;
	/** Processor time of the process, in milliseconds. */
	cpu: number;
	/** The longest time for which nothing else could run, in milliseconds. */
	longestPause: number;
	/** Resident memory before the run and after it, and the most there ever was. Bytes. */
	memoryBefore: number;
	memoryAfter: number;
	memoryPeak: number;
}

/** A contender in a process of its own. */
export class Client {
	private readonly remote: Remote<ClientOrder, ClientReport>;

	constructor(contender: Contender, { env, execArgv }: Start = {}) {
		this.remote = new Remote('clientProcess.cjs', {
			env: { ...env, BENCH_CONTENDER: contender },
			execArgv: ['--expose-gc', ...(execArgv ?? [])],
		});
	}

	async run(order: ClientOrder): Promise<ClientReport> {
		return await this.remote.ask(order);
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
