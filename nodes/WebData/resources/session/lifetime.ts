import type { INodeProperties } from 'n8n-workflow';
import { wholeNumber } from '../../../runtime/contract';

/** How long a browser session lives (addendum 9: `ttl`, `activityTtl`, both in seconds). */
export const ttlField: INodeProperties = {
	displayName: 'Time to Live',
	name: 'ttl',
	type: 'number',
	typeOptions: { minValue: 30, maxValue: 3600 },
	default: 600,
	description: 'Seconds after which the session ends in any case, 30 to 3,600',
};

export const activityTtlField: INodeProperties = {
	displayName: 'Idle Time',
	name: 'activityTtl',
	type: 'number',
	typeOptions: { minValue: 10, maxValue: 3600 },
	default: 300,
	description: 'Seconds without use after which the session ends, 10 to 3,600',
};

/** Whether what this execution opened is closed with it. */
export const closeSessionField: INodeProperties = {
	displayName: 'Close Session at End',
	name: 'closeSession',
	type: 'boolean',
	default: true,
	description:
		'Whether to close the session when the execution ends or is stopped. An open session is charged by the minute; turn this off to use it from another execution. An execution that goes to sleep leaves it open until its idle time is over.',
};

export const ttl = () => wholeNumber({ min: 30, max: 3600, unit: 'seconds' });
export const activityTtl = () => wholeNumber({ min: 10, max: 3600, unit: 'seconds' });
