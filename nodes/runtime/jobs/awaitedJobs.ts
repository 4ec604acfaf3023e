import { settle } from '../values/settle';

/** How many jobs are polled at once, when the first poll found one that had ended. */
const pollsAtOnce = 8;

/**
 * What this process knows of the jobs that a sleeping execution waits for. A call that leaves it asleep
 * stores nothing, and other processes may have had earlier calls. So one job is kept that is known to run:
 * it will call, and until then no other is polled. Once it has called, another running job is searched.
 */
export class AwaitedJobs {
	private readonly ended = new Set<string>();
	private running?: string;
	private isOver = false;
	private turn: Promise<unknown> = Promise.resolve();

	constructor(private readonly ids: string[]) {}

	/**
	 * Notes that a job has ended. Calls that come at once poll the others one after the other.
	 * `hasEnded` polls a job, for as long as there is time; the last one is polled in any case, for
	 * what wakes the execution has to be there.
	 * @returns whether it was the last one, which is told once
	 * @throws what a poll throws, and where the last one has not ended
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

/** Executions that are remembered; one that is forgotten has its jobs polled anew. */
const mostExecutions = 1_000;

const known = new Map<string, AwaitedJobs>();

/** What this process knows of the jobs of a sleeping execution, by their IDs, of which there is one at least. */
export function awaitedJobs(ids: string[]): AwaitedJobs {
	const [name] = ids;
	const jobs = known.get(name) ?? new AwaitedJobs(ids);
	known.delete(name);
	known.set(name, jobs);
	const [oldest] = known.keys();
	if (known.size > mostExecutions) known.delete(oldest);
	return jobs;
}
