import { stringSchema } from '../../runtime/form/schema';
import { boolean, required, string } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import { pathStep } from './ids';

const longestName = 128;

/** Browser storage that persists between visits (https://docs.firecrawl.dev/features/scrape). */
export const profile = object(
	{
		displayName: 'Profile',
		placeholder: 'Add Setting',
		default: { name: '' },
		description: 'Persistent cookies and storage, for example to stay signed in',
	},
	{
		name: required(
			string({
				displayName: 'Name',
				maxBytes: longestName,
				placeholder: 'e.g. shop-login',
				description: 'Name of the profile, up to 128 bytes',
			}),
		),
		saveChanges: boolean({
			displayName: 'Save Changes',
			default: true,
			description:
				'Whether to save changes when the session ends; only one session can save at a time',
		}),
	},
);

/** The name of a profile in a path. */
export const profileName = () =>
	stringSchema({ maxBytes: longestName, normalize: (value) => pathStep(value, 'a name') });
