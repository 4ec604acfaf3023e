import type { INodeProperties } from 'n8n-workflow';
import { fields, text } from '../../runtime/contract';

/** Who the request is made for, kept in the service's audit log (addendum 4). */
export const auditMetadataField: INodeProperties = {
	displayName: 'Audit Metadata',
	name: 'auditMetadata',
	type: 'collection',
	placeholder: 'Add Entry',
	default: { username: '' },
	description: "Note for the service's audit log; the team must have the feature",
	options: [
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			description: 'Who the request is made for, up to 1,024 characters',
		},
	],
};

export const auditMetadata = () => fields({ username: text({ max: 1024 }) });
