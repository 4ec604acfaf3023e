import { hintsOf, isOverload, type Failure } from '../api/retry';

/** A 429 response: for how long nothing more is accepted, in milliseconds, and whether a window of the service ends then. */
export interface Rejection {
	pause: number;
	endsWindow: boolean;
	/** Whether it holds for all requests without further proof. */
	isTrusted?: boolean;
}

/** What the response to a request says about the service's limits. */
export type Outcome =
	| { kind: 'accepted'; bytes: number }
	| { kind: 'rejected'; rejection: Rejection; failure: Failure }
	| { kind: 'overloaded' | 'unrelated' };

/** Longest pause of all requests, since services count by the minute, and the one if none is named, in milliseconds. */
export const longestSharedPause = 120_000;
const unnamedPause = 1_000;

/** Whether the service rejects for the rate. */
export const isRateLimit = (failure: Failure) =>
	'response' in failure && failure.response.status === 429;

/** Whether all requests pause as long as the rejected one: not for a plan that is spent for long. */
export const isShared = (failure: Failure, pause: number, longest = Infinity) =>
	isRateLimit(failure) && pause <= Math.min(longest, longestSharedPause);

/** The outcome of a failure; `pause` is how long its own repeat waits, if the others pause with it. */
export function outcomeOfFailure(failure: Failure, pause?: number): Outcome {
	if (pause === undefined) return { kind: isOverload(failure) ? 'overloaded' : 'unrelated' };
	const { isNamed, endsWindow } = hintsOf(failure);
	const rejection = { pause: isNamed ? pause : Math.min(pause, unnamedPause), endsWindow };
	return { kind: 'rejected', rejection, failure };
}
