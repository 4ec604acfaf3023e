import { randomUUID } from 'node:crypto';

import type { AgentJob } from './job.cjs';

const day = 86_400_000;

/** A conversation: runs one after the other, each taking over what its request leaves out. */
export class Thread {
	readonly id = randomUUID();
	/** Oldest turn first. */
	readonly runs: AgentJob[] = [];
	/** A person said not to ask again before paid calls. */
	alwaysApproved = false;
	/** Providers whose terms a person declined. */
	readonly barred = new Set<string>();

	constructor(
		readonly teamId: string,
		readonly createdAt: number,
	) {}

	get updatedAt(): number {
		const last = this.runs.at(-1);
		return last?.finishedAt ?? last?.about.createdAt ?? this.createdAt;
	}

	/** The run under way, if any. */
	get running(): AgentJob | undefined {
		return this.runs.find(({ finished }) => !finished);
	}

	/** Threads live as long as the results of their last run. */
	expired(now: number): boolean {
		return !this.running && now >= this.updatedAt + day;
	}
}
