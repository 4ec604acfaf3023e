import type { INodeProperties } from 'n8n-workflow';
import { field, required } from '../../runtime/field';
import { propertiesOf } from '../../runtime/form';
import { uuid } from './uuid';

/** The job that an operation is about. */
export const jobId = (description: string, displayName = 'Job ID') =>
	required(
		field(
			{
				displayName,
				type: 'string',
				default: '',
				placeholder: 'e.g. 0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b',
				description,
			},
			uuid(),
		),
	);

/** Its property in the editor. */
export const jobIdField = (description: string, displayName?: string): INodeProperties => {
	const [property] = propertiesOf({ jobId: jobId(description, displayName) });
	return property;
};
