import type { Failure } from '../errors/response';
import { hintsOf, isOverload } from '../http/retry';

/**
 * A 429 response: milliseconds until the service accepts requests again, and whether a window of
 * the service ends then.
 */
export interface Rejection {
	pause: number;
	endsWindow: boolean;
	/** Whether it holds for all requests without further proof. */
	isTrusted?: boolean;
}

/** A response's effect on the service's limits. */
export type Outcome =
	| { kind: 'accepted'; bytes: number }
	| { kind: 'rejected'; rejection: Rejection; failure: Failure }
	| { kind: 'overloaded' | 'unrelated' };

/**
 * Longest pause of all requests in milliseconds, since services count by the minute. Also the pause
 * if none is named.
 */
export const longestSharedPause = 120_000;
const unnamedPause = 1_000;

/** Whether a failure is a rate limit. */
export const isRateLimit = (failure: Failure) =>
	'response' in failure && failure.response.status === 429;

/**
 * Whether all requests pause as long as the rejected one: not for a quota that is exhausted for
 * long.
 */
export const isShared = (failure: Failure, pause: number, longest = Infinity) =>
	isRateLimit(failure) && pause <= Math.min(longest, longestSharedPause);

/** The outcome of a failure. `pause` is the delay of its own retry, if the others pause with it. */
export function outcomeOfFailure(failure: Failure, pause?: number): Outcome {
	if (pause === undefined) return { kind: isOverload(failure) ? 'overloaded' : 'unrelated' };
	const { isNamed, endsWindow } = hintsOf(failure);
	const rejection = { pause: isNamed ? pause : Math.min(pause, unnamedPause), endsWindow };
	return { kind: 'rejected', rejection, failure };
}
