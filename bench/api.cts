import type { Plan } from './bucket.cjs';
import { Remote, type Start } from './remote.cjs';

/** How a refusal says when to come back: in a header, in its text alone, or not at all. */
export type Hint = 'header' | 'text' | 'nothing';

/** How the API is to behave from now on. */
export interface Behaviour {
	/** Time to each answer but refusals, in milliseconds. */
	latency?: number;
	/** Bytes of the markdown of a scraped page; 2,000 when left out. */
	pageBytes?: number;
	/** Without one, nothing is refused. */
	plan?: Plan;
	hint?: Hint;
}

export interface ApiOrder {
	begin?: Behaviour;
}

/** What has happened since the behaviour was set. */
export interface ApiReport {
	/** Base URL with its version. */
	url: string;
	received: number;
	refused: number;
	mostAtOnce: number;
	/** How often each query was answered, and so paid for; counted only with a plan. */
	answered: Record<string, number>;
}

/** A server of its own process that answers as the API does, as cheaply as can be: it must not be what is measured. */
export class Api {
	private readonly remote: Remote<ApiOrder, ApiReport>;

	constructor(start?: Start) {
		this.remote = new Remote('apiProcess.cjs', start);
	}

	/** Forgets what was and behaves so. */
	async begin(behaviour: Behaviour = {}): Promise<string> {
		return (await this.remote.ask({ begin: behaviour })).url;
	}

	async report(): Promise<ApiReport> {
		return await this.remote.ask({});
	}

	async end(): Promise<void> {
		await this.remote.end();
	}
}
