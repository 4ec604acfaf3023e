import { Api, type Behaviour } from './api.cjs';
import { countTo } from './bench.cjs';
import type { Plan } from './bucket.cjs';
import { Client } from './client.cjs';
import type { Contender } from './contenders.cjs';

/** How much faster than the world's the clock runs: five minutes are three seconds and a bit. */
const speed = 90;

/** What one run against a plan came to. Times in milliseconds on the measurement's clock. */
export interface PlannedRun {
	/** How long each workflow took. */
	times: number[];
	/** Input items of all workflows that something came of. */
	cameOut: number;
	sent: number;
	refused: number;
	/** Queries that were answered, and so charged, more than once. */
	paidTwice: number;
}

/** What a contender does against a plan. */
export interface PlannedWorkload {
	contender: Contender;
	items: number;
	/** Workflows that run at once on the same credential; one when left out. */
	workflows?: number;
	plan: Plan;
	hint?: Behaviour['hint'];
	repeats: number;
}

/** Milliseconds that the service takes for an answer. */
const latency = 500;

/** As many requests in flight as the node has by itself. */
const width = 5;

/** Runs contenders against plans, on an accelerated clock. */
export class Planned {
	private readonly env = { BENCH_SPEED: String(speed), BENCH_EPOCH: String(Date.now()) };
	private readonly api = new Api({ env: this.env });
	private readonly clients = new Map<Contender, Client>();
	private runs = 0;

	/** Each run has a credential of its own, whose pace nobody knows yet. */
	async run(workload: PlannedWorkload): Promise<PlannedRun[]> {
		const { contender, items, workflows = 1, plan, hint, repeats } = workload;
		const client = await this.clientOf(contender);
		const results: PlannedRun[] = [];
		for (const _ of countTo(repeats)) {
			const url = await this.api.begin({ latency, plan, hint });
			this.runs += 1;
			const { executions } = await client.run({
				task: { kind: 'search' },
				url,
				key: `key ${this.runs}`,
				items,
				width,
				goOn: true,
				executions: workflows,
			});
			const { received, refused, answered } = await this.api.report();
			const counts = Object.values(answered);
			results.push({
				times: executions.map(({ startedAt, endedAt }) => endedAt - startedAt),
				cameOut: executions.reduce((sum, execution) => sum + execution.answered, 0),
				sent: received,
				refused,
				paidTwice: counts.filter((count) => count > 1).length,
			});
		}
		return results;
	}

	async end(): Promise<void> {
		await Promise.all([this.api, ...this.clients.values()].map(async (each) => await each.end()));
	}

	/** A contender that is warm: what is loaded once would take seconds of this clock. */
	private async clientOf(contender: Contender): Promise<Client> {
		const known = this.clients.get(contender);
		if (known) return known;
		const client = new Client(contender, { env: this.env });
		this.clients.set(contender, client);
		const url = await this.api.begin();
		await client.run({ task: { kind: 'search' }, url, key: 'warm', items: 200, width });
		return client;
	}
}
