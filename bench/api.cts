import { Remote } from './remote.cjs';

/** The time to each response, in milliseconds. */
export interface ApiOrder {
	latency: number;
}

/** A server in a process of its own that responds as the API does, as cheaply as can be: it must not be what is measured. */
export class Api {
	/** Gets the base URL with its version. */
	private readonly remote = new Remote<ApiOrder, string>('apiProcess.cjs');

	/** Responds after so many milliseconds from now on. Resolves with the base URL. */
	async begin(latency = 0): Promise<string> {
		return await this.remote.ask({ latency });
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
