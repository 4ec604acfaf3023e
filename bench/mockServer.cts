import { Remote } from './remote.cjs';

/** The pages of the large site with which the mock server begins anew. */
export interface MockServerOrder {
	bulk?: { pages: number; bytes: number };
}

export interface MockServerReport {
	/** Base URL with its version. */
	url: string;
	key: string;
	/** The credits charged since it began anew. */
	credits: number;
}

/** The mock server (test/mock) in a process of its own. */
export class MockServer {
	private readonly remote = new Remote<MockServerOrder, MockServerReport>('mockServerProcess.cjs');

	async begin(bulk: NonNullable<MockServerOrder['bulk']>): Promise<MockServerReport> {
		return await this.remote.ask({ bulk });
	}

	async report(): Promise<MockServerReport> {
		return await this.remote.ask({});
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
