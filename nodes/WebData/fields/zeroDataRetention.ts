import type { INodeProperties } from 'n8n-workflow';

/** Nothing of the request and its result is kept (addendum 4, 5 and 6). */
export const zeroDataRetentionField: INodeProperties = {
	displayName: 'Zero Data Retention',
	name: 'zeroDataRetention',
	type: 'boolean',
	default: true,
	description:
		'Whether the service keeps nothing of it, +1 credit per page; the team must have the feature',
};
