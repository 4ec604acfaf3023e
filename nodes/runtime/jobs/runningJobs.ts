import type { NodeOperationError } from 'n8n-workflow';

/** A job that an execution waits for, or whose result it reads. */
export interface RunningJob {
	/** What the user calls it, such as "agent run". */
	noun: string;
	id: string;
	/** What becomes of it when the execution is stopped. */
	status: 'told to stop' | 'goes on' | 'had ended';
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
		this.jobs.add({ noun, id, status: 'goes on' });
	}

	/** The error of a stopped execution with the jobs that it leaves, so that their results can be found. */
	namedIn(error: NodeOperationError): NodeOperationError {
		if (this.jobs.size === 0) return error;
		const jobs = [...this.jobs].map(({ noun, id, status }) => `${noun} ${id} (${status})`);
		error.description = `Not done with: ${jobs.join(', ')}. What a job has read by then is kept for 24 hours; 'Get' and its ID read it.`;
		return error;
	}
}
