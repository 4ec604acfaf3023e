import type { RateLimitSignal } from './rateLimiter';
import { hintsOf, isOverload, type Failure } from '../api/retry';

/** Longest pause in milliseconds that holds up all requests: services count by the minute. A longer one holds up its own request alone. */
const longestSharedPause = 120_000;

/** Longest pause for everybody when the service names none: the refused request alone waits for longer. Milliseconds. */
const unnamedPause = 1_000;

/** Whether the service refuses for the rate. */
export const isRateLimit = (failure: Failure) =>
	'response' in failure && failure.response.status === 429;

/** Whether everybody in the bucket pauses as a refused request does; a plan that is spent for long holds nobody up. */
export const isShared = (failure: Failure, pause: number, longest = Infinity) =>
	isRateLimit(failure) && pause <= Math.min(longest, longestSharedPause);

/** What a failure tells the rate limiter; `pause` is how long its own repeat waits where everybody pauses with it. */
export function signalOfFailure(failure: Failure, pause?: number): RateLimitSignal {
	if (pause === undefined) return isOverload(failure) ? 'overload' : 'none';
	const hints = hintsOf(failure);
	const shared = hints.isNamed ? pause : Math.min(pause, unnamedPause);
	return { pause: shared, refusal: failure, ...hints };
}
