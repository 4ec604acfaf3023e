import type { INodeProperties } from 'n8n-workflow';
import { fields, flag, text } from '../../runtime/contract';
import { pathStep } from './pathId';

/** Browser storage kept between visits (api-v2, ScrapeOptions, `profile`). */
export const profileField: INodeProperties = {
	displayName: 'Profile',
	name: 'profile',
	type: 'collection',
	placeholder: 'Add Setting',
	default: { name: '' },
	description:
		'Cookies and storage shared by all visits under one name, for example to stay signed in',
	options: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. shop-login',
			description: 'Name of the profile, up to 128 bytes',
		},
		{
			displayName: 'Save Changes',
			name: 'saveChanges',
			type: 'boolean',
			default: true,
			description:
				'Whether the state is saved back when the session ends; only one session can save at a time',
		},
	],
};

const longestName = 128;

export const profile = () =>
	fields({ name: text({ maxBytes: longestName }), saveChanges: flag().optional() });

/** The name of a profile in a path. */
export const profileName = () =>
	text({ maxBytes: longestName, mend: (value) => pathStep(value, 'a name') });
