import {
	hintsOf,
	isProcessing,
	isRepeatedOnce,
	mayHaveRun,
	pauseAfter,
	reasonToStop,
	type Failure,
	type Progress,
	type RetryPolicy,
	type RetrySafety,
	type Stop,
} from '../api/retry';
import { isRateLimit } from '../limits/outcome';
import { monotonicNow } from '../values/clock';
import { jitter } from '../values/jitter';

/** Counts attempts and the time since the first of them began. */
class AttemptCounter {
	private tries = 0;
	private since?: number;

	/** Counts a request; not as an attempt where the service only named a wait. */
	add(sentAt: number, isAttempt = true): Progress {
		if (isAttempt) this.tries += 1;
		this.since ??= sentAt;
		return this.progress;
	}

	get progress(): Progress {
		const now = monotonicNow();
		return { tries: this.tries, elapsed: now - (this.since ?? now) };
	}

	/** Omits the time up to a moment at which another request was accepted, while no attempt has failed by itself. */
	forgetUntil(moment: number): void {
		if (this.tries === 0 && this.since !== undefined) this.since = Math.max(this.since, moment);
	}
}

/** Whether the service only names a wait: that counts against the time for retries, and not as an attempt. */
const isToldToWait = (failure: Failure) => isRateLimit(failure) && hintsOf(failure).isNamed;

/** The pause before the next attempt, in milliseconds, and the reason why there is none. */
export interface NextAttempt {
	pause: number;
	stop?: Stop;
}

/** The attempts of one request, from the first to the last. */
export class AttemptLog {
	readonly failures: Failure[] = [];
	/** When the first attempt was sent that may have been carried out. */
	riskedSince?: number;
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

	/** Milliseconds since attempts fail, without the time before another request was accepted. */
	failingFor(acceptedAt = -Infinity): number {
		this.failing.forgetUntil(acceptedAt);
		return this.failing.progress.elapsed;
	}

	onSent(sentAt: number): void {
		this.all.add(sentAt);
	}

	onFailed(failure: Failure, sentAt: number): void {
		this.failures.push(failure);
		if (mayHaveRun(failure)) this.riskedSince ??= sentAt;
	}

	/**
	 * Decides by the last failure whether there is another attempt, and when.
	 * @param since when the failed attempt was ready to be sent
	 * @param isOfAll whether all requests are rejected for their rate, so that it is no failed attempt of this one
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
			...counter.add(since, !isToldToWait(failure) && !isOfAll),
			repeatedOnce: this.failures.filter(isRepeatedOnce).length,
		};
		const pause = pauseAfter(failure, progress, this.policy, Date.now(), jitter());
		return { pause, stop: reasonToStop(failure, this.retrySafety, this.policy, progress, pause) };
	}
}
