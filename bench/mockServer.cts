import { Remote, type Start } from './remote.cjs';

/** How the mock server is to behave; it begins anew. */
export interface MockServerOrder {
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

export interface MockServerReport {
	/** Base URL with its version. */
	url: string;
	key: string;
	/** The credits charged since it began anew. */
	credits: number;
	runs: AgentRun[];
}

/** The mock server (test/mock) in a process of its own. */
export class MockServer {
	private readonly remote: Remote<MockServerOrder, MockServerReport>;

	constructor(start?: Start) {
		this.remote = new Remote('mockServerProcess.cjs', start);
	}

	async begin(begin: NonNullable<MockServerOrder['begin']> = {}): Promise<MockServerReport> {
		return await this.remote.ask({ begin });
	}

	async report(): Promise<MockServerReport> {
		return await this.remote.ask({});
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
