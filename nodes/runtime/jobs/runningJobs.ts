import type { NodeOperationError } from 'n8n-workflow';

/** A job that an execution waits for, or whose result it reads. */
export interface RunningJob {
	/** What the user calls it, such as "agent run". */
	noun: string;
	id: string;
	/** What becomes of it when the execution is stopped. */
	status: 'cancelled' | 'still running' | 'had ended';
}

/** The jobs of all items of an execution that are not done with. */
export class RunningJobs {
	private readonly jobs = new Set<RunningJob>();

	/** Notes a job for as long as the work on it goes on; when the execution is stopped meanwhile, it stays noted. */
	async during<Value>(
		job: RunningJob,
		signal: AbortSignal | undefined,
		work: () => Promise<Value>,
	): Promise<Value> {
		this.jobs.add(job);
		return await work().finally(() => {
			if (!signal?.aborted) this.jobs.delete(job);
		});
	}

	/** Notes a job that goes on whatever becomes of the execution. */
	leave({ noun, id }: Pick<RunningJob, 'noun' | 'id'>): void {
		this.jobs.add({ noun, id, status: 'still running' });
	}

	/** The error of a stopped execution with the jobs that it leaves, so that their results can be found. */
	namedIn(error: NodeOperationError): NodeOperationError {
		if (this.jobs.size === 0) return error;
		const jobs = [...this.jobs].map(({ noun, id, status }) => `${noun} ${id} (${status})`);
		error.description = `Unfinished jobs: ${jobs.join(', ')}. Results are retained for 24 hours; use 'Get' with the ID.`;
		return error;
	}
}
