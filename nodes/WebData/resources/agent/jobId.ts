import { jobId } from '../../fields/jobId';

/** The run of an operation. */
export const runId = jobId('ID of the run, returned by Run and Start; retained for 24 hours');
