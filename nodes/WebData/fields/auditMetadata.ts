import { required, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';

/** Who the request is made for, kept in the service's audit log (docs/api-notes.md, Requests). */
export const auditMetadata = object(
	{
		displayName: 'Audit Metadata',
		placeholder: 'Add Entry',
		default: { username: '' },
		description: "Note for the service's audit log; the team must have the feature",
	},
	{
		username: required(
			string({
				displayName: 'Username',
				max: 1024,
				description: 'Who the request is made for, up to 1,024 characters',
			}),
		),
	},
);
