import { setNewest } from '../values/setNewest';
import { settle } from '../values/settle';

/** Most jobs polled at once, after the first polled one had ended. */
const pollsAtOnce = 8;

/**
 * The state of the jobs that a suspended execution waits for, as this process knows it. A webhook
 * event that resumes nothing stores nothing, and other processes may have received earlier events.
 * So one running job is tracked: until its event arrives, no other job is polled. Then the next
 * running job is found.
 */
export class AwaitedJobs {
	private readonly ended = new Set<string>();
	private running?: string;
	private isOver = false;
	private turn: Promise<unknown> = Promise.resolve();

	constructor(private readonly ids: string[]) {}

	/**
	 * Records that a job has ended. Concurrent webhook events poll the other jobs one after the
	 * other. `hasEnded` polls a job while there is time. The last job is always polled, since the
	 * resumed execution needs its result.
	 * @returns whether it was the last job; true only once
	 * @throws the error of a failed poll; Error if the last job has not ended
	 */
	async end(
		id: string,
		hasEnded: (id: string) => Promise<boolean>,
		hasTime: () => boolean,
	): Promise<boolean> {
		this.ended.add(id);
		const judged = this.turn.then(async () => await this.isLast(id, hasEnded, hasTime));
		this.turn = settle(judged);
		return await judged;
	}

	private async isLast(
		id: string,
		hasEnded: (id: string) => Promise<boolean>,
		hasTime: () => boolean,
	): Promise<boolean> {
		if (this.isOver) return false;
		for (let atOnce = 1; ; atOnce = pollsAtOnce) {
			if (this.running !== undefined && this.ended.has(this.running)) this.running = undefined;
			if (this.running !== undefined) return false;
			const open = this.ids.filter((id) => !this.ended.has(id));
			if (open.length === 0) {
				if (!(await hasEnded(id))) throw new Error(`The job ${id} has not ended`);
				this.isOver = true;
				return true;
			}
			if (!hasTime()) throw new Error('There was not enough time to poll the other jobs');
			const some = open.slice(-atOnce);
			const polls = await Promise.all(some.map(async (id) => await settle(hasEnded(id))));
			some.forEach((id, index) => {
				const poll = polls[index];
				if (poll.ok && poll.value) this.ended.add(id);
				if (poll.ok && !poll.value) this.running = id;
			});
			const failed = polls.find((poll) => !poll.ok);
			if (this.running === undefined && failed && !failed.ok) throw failed.error;
		}
	}
}

/** Most executions in memory. The jobs of a dropped one are polled again. */
const mostExecutions = 1_000;

const known = new Map<string, AwaitedJobs>();

/** The jobs of a suspended execution by their IDs, of which there is at least one. */
export function awaitedJobs(ids: string[]): AwaitedJobs {
	const [name] = ids;
	const jobs = known.get(name) ?? new AwaitedJobs(ids);
	setNewest(known, name, jobs, mostExecutions);
	return jobs;
}
