import type { Resource } from '../../../runtime/operation/operation';
import { cancelJob, getJob, getJobErrors } from '../../documents/jobOperations';
import { batchKind } from '../../documents/batchKind';
import { run } from './run';
import { start } from './start';

export const batch: Resource = {
	name: 'Batch',
	value: 'batch',
	operations: [run, start, getJob(batchKind), cancelJob(batchKind), getJobErrors(batchKind)],
};
