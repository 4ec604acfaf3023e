import { jobId } from '../../fields/jobId';

/** The run that an operation is about. */
export const runId = jobId('ID of the run, as Run and Start return it; runs are kept for 24 hours');
