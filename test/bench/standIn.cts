import { Remote, type Start } from './remote.cjs';

/** How the stand-in service is to behave; it begins anew. */
export interface StandInOrder {
	begin?: {
		/** How long an agent run takes, in milliseconds. */
		agentMs?: number;
		/** Documents of a large site. */
		bulk?: { pages: number; bytes: number };
	};
}

/** An agent run as the service saw it. Times in Unix milliseconds of the measurement's clock. */
export interface AgentRun {
	prompt: string;
	startedAt: number;
	finishedAt?: number;
	/** How often its state was asked for. */
	polls: number;
}

export interface StandInReport {
	/** Base URL with its version. */
	url: string;
	key: string;
	runs: AgentRun[];
}

/** The stand-in service (test/service) in a process of its own. */
export class StandIn {
	private readonly remote: Remote<StandInOrder, StandInReport>;

	constructor(start?: Start) {
		this.remote = new Remote('standInProcess.cjs', start);
	}

	async begin(begin: NonNullable<StandInOrder['begin']> = {}): Promise<StandInReport> {
		return await this.remote.ask({ begin });
	}

	async report(): Promise<StandInReport> {
		return await this.remote.ask({});
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
