import type { INodeProperties } from 'n8n-workflow';
import { fields } from '../../../runtime/contract';
import type { Values } from '../../../runtime/operation';
import { uuid } from '../../fields/uuid';

/** The run that an operation is about. */
export const jobIdField: INodeProperties = {
	displayName: 'Job ID',
	name: 'jobId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
	description: 'ID of the run, as Run and Start return it; runs are kept for 24 hours',
};

export const jobIdContract = fields({ jobId: uuid() });

export const readJobId = ({ jobId }: Values) => ({ jobId });
