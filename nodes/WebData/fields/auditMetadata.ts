import { required, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';

/** The user of the request for the service's audit log (docs/api-notes.md, Requests). */
export const auditMetadata = object(
	{
		displayName: 'Audit Metadata',
		placeholder: 'Add Entry',
		default: { username: '' },
		description: "Entries for Firecrawl's audit log; must be enabled for the team",
	},
	{
		username: required(
			string({
				displayName: 'Username',
				max: 1024,
				description: 'User that the request is made for, up to 1,024 characters',
			}),
		),
	},
);
