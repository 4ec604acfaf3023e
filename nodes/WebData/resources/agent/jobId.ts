import { jobId } from '../../fields/jobId';

/** The run that an operation is about. */
export const runId = jobId('ID of the run, returned by Run and Start; retained for 24 hours');
