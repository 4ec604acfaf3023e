import { boolean, integer, withDefault } from '../../../runtime/form/field';

/** How long a browser session lives. */
export const ttl = integer({
	displayName: 'Time to Live',
	min: 30,
	max: 3600,
	unit: 'seconds',
	default: 600,
	description: 'Seconds after which the session ends in any case, 30 to 3,600',
});

export const activityTtl = integer({
	displayName: 'Idle Time',
	min: 10,
	max: 3600,
	unit: 'seconds',
	default: 300,
	description: 'Seconds without use after which the session ends, 10 to 3,600',
});

/** Whether what this execution opened is closed with it; `exception` is what stays open. */
export const closeSession = (exception = '') =>
	withDefault(
		boolean({
			displayName: 'Close Session at End',
			default: true,
			description: `Whether to close the session when the execution ends or is stopped${exception}. An open session is charged by the minute; turn this off to use it from another execution. An execution that goes to sleep leaves it open until its idle time is over.`,
		}),
		true,
	);
