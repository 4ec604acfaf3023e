import { boolean, integer, withDefault } from '../../../runtime/form/field';

/** The lifetime of a browser session. */
export const ttl = integer({
	displayName: 'Time to Live',
	min: 30,
	max: 3600,
	unit: 'seconds',
	default: 600,
	description: 'Max duration of the session in seconds, 30 to 3,600',
});

export const activityTtl = integer({
	displayName: 'Idle Timeout',
	min: 10,
	max: 3600,
	unit: 'seconds',
	default: 300,
	description: 'Max idle time before the session ends, in seconds, 10 to 3,600',
});

/**
 * Whether to close sessions of this execution at its end; `exception` describes those that stay
 * open.
 */
export const closeSession = (exception = '') =>
	withDefault(
		boolean({
			displayName: 'Close Session at End',
			default: true,
			description: `Whether to close the session when the execution ends or is stopped${exception}. An open session is charged per minute; disable this to use it in another execution. A suspended execution leaves it open until its idle timeout.`,
		}),
		true,
	);
