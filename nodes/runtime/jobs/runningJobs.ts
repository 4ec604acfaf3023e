import type { NodeOperationError } from 'n8n-workflow';

/** A job that an execution waits for, or whose result it fetches. */
export interface RunningJob {
	/** Its name for the user, such as "agent run". */
	noun: string;
	id: string;
	/** Its state after the execution is stopped. */
	status: 'cancelled' | 'still running' | 'had ended';
}

/** The unfinished jobs of all items of an execution. */
export class RunningJobs {
	private readonly jobs = new Set<RunningJob>();

	/** Tracks a job during `work`. It stays tracked if the execution is stopped meanwhile. */
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

	/**
	 * Adds the unfinished jobs to the error of a stopped execution, so that their results can be
	 * found.
	 */
	namedIn(error: NodeOperationError): NodeOperationError {
		if (this.jobs.size === 0) return error;
		const jobs = [...this.jobs].map(({ noun, id, status }) => `${noun} ${id} (${status})`);
		error.description = `Unfinished jobs: ${jobs.join(', ')}. Results are retained for 24 hours; use 'Get' with the ID.`;
		return error;
	}
}
