import { required } from '../../runtime/form/field';
import { exampleId, id } from './uuid';

/** The job of an operation. */
export const jobId = (description: string, displayName = 'Job ID') =>
	required(id({ displayName, placeholder: exampleId, description }));
