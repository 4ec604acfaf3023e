import type { Clock } from './clock.cjs';

/**
 * Runs `work` with a deadline on the clock; past it, throws what `late` makes. The work's signal is
 * then aborted: it must not charge any more.
 */
export async function withTimeout<T>(
	clock: Clock,
	ms: number,
	late: () => Error,
	work: (expired: AbortSignal) => Promise<T>,
): Promise<T> {
	if (ms <= 0) throw late();
	const done = new AbortController();
	const expired = new AbortController();
	const deadline = clock.wait(ms, done.signal).then(
		() => {
			expired.abort(late());
			throw expired.signal.reason;
		},
		() => new Promise<never>(() => undefined),
	);
	try {
		return await Promise.race([work(expired.signal), deadline]);
	} finally {
		done.abort();
	}
}
