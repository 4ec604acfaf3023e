import type { Failure } from '../errors/response';
import {
	hintsOf,
	isProcessing,
	isRepeatedOnce,
	pauseAfter,
	reasonToStop,
	type Progress,
	type RetryPolicy,
	type RetrySafety,
	type Stop,
} from './retry';
import { isRateLimit } from '../limits/outcome';
import { monotonicNow } from '../values/clock';
import { jitter } from '../values/numbers';

/** Counts attempts and the time since the first one. */
class AttemptCounter {
	private attemptCount = 0;
	private since?: number;

	/** Counts a request. A response that only requests a wait is no failed attempt. */
	add(sentAt: number, isAttempt = true): Progress {
		if (isAttempt) this.attemptCount += 1;
		this.since ??= sentAt;
		return this.progress;
	}

	get progress(): Progress {
		const now = monotonicNow();
		return { attemptCount: this.attemptCount, elapsed: now - (this.since ?? now) };
	}

	/** Omits the time until another request was accepted, while no attempt has failed by itself. */
	forgetUntil(moment: number): void {
		if (this.attemptCount === 0 && this.since !== undefined)
			this.since = Math.max(this.since, moment);
	}
}

/**
 * Whether the service only requests a wait. That counts toward the time for retries, but is no
 * failed attempt.
 */
const hasRequestedWait = (failure: Failure) => isRateLimit(failure) && hintsOf(failure).isNamed;

/** Longest delay in milliseconds of a request that the service rejects while it accepts others. */
const longestAlone = 60_000;

/**
 * The delay before the next attempt in milliseconds, of all requests as the service requests it and
 * of this one, or the reason for none.
 */
export interface NextAttempt {
	pause: number;
	ownPause: number;
	stop?: Stop;
}

/** The attempts of one request. */
export class AttemptLog {
	readonly failures: Failure[] = [];
	/** Time of the last rejection, and number of those since whose predecessor others were accepted. */
	private rejectedAt = Infinity;
	private rejectedAlone = 0;
	private readonly all = new AttemptCounter();
	private failing = new AttemptCounter();
	private readonly processing = new AttemptCounter();

	constructor(
		private readonly retrySafety: RetrySafety,
		private readonly policy: RetryPolicy,
	) {}

	/** All attempts so far. */
	get progress(): Progress {
		return this.all.progress;
	}

	/**
	 * Milliseconds since the first failed attempt, without the time before another request was
	 * accepted.
	 */
	failingFor(acceptedAt = -Infinity): number {
		this.failing.forgetUntil(acceptedAt);
		return this.failing.progress.elapsed;
	}

	onSent(sentAt: number): void {
		this.all.add(sentAt);
	}

	onFailed(failure: Failure): void {
		this.failures.push(failure);
	}

	/**
	 * Decides by the last failure whether and when to attempt again.
	 * @param since when the failed attempt was ready to be sent
	 * @param isOfAll whether all requests are rate limited, so that this is no failed attempt of the
	 * request
	 * @param acceptedAt when the service last accepted another request
	 */
	next(since: number, isOfAll: boolean, acceptedAt = -Infinity): NextAttempt {
		const failure = this.failures[this.failures.length - 1];
		const goesOn = isProcessing(failure);
		// The service responds again: earlier failures and their time no longer count.
		if (goesOn) this.failing = new AttemptCounter();
		this.failing.forgetUntil(acceptedAt);
		const counter = goesOn ? this.processing : this.failing;
		const progress = {
			...counter.add(since, !hasRequestedWait(failure) && !isOfAll),
			repeatedOnce: this.failures.filter(isRepeatedOnce).length,
		};
		const pause = pauseAfter(failure, progress, this.policy, Date.now(), jitter());
		const ownPause = Math.max(pause, this.pauseAlone(failure, acceptedAt));
		const stop = reasonToStop(failure, this.retrySafety, this.policy, progress, ownPause);
		return { pause, ownPause, stop };
	}

	/** The delay of a request that is rejected again while others are accepted: it doubles. */
	private pauseAlone(failure: Failure, acceptedAt: number): number {
		if (!isRateLimit(failure)) return 0;
		if (acceptedAt > this.rejectedAt) this.rejectedAlone += 1;
		this.rejectedAt = monotonicNow();
		return this.rejectedAlone === 0 ? 0 : Math.min(longestAlone, 1000 * 2 ** this.rejectedAlone);
	}
}
