import { delay } from '../host/delay';
import { monotonicNow } from '../values/clock';
import { settle } from '../values/settle';
import type { Permit, RateLimiter, Turn } from './rateLimiter';

/**
 * Waits until a request may be sent; undefined after the deadline (monotonic), unless it may be sent
 * at once. The permit must be released.
 * @throws as `acquire`
 */
export async function permitBefore(
	deadline: number,
	limiter: RateLimiter,
	turn: Turn,
): Promise<Permit | undefined> {
	if (deadline === Infinity) return await limiter.acquire(turn);
	const { signal } = turn;
	signal?.throwIfAborted();
	const waiting = new AbortController();
	const granted = new AbortController();
	const giveUp = () => waiting.abort();
	signal?.addEventListener('abort', giveUp, { once: true, signal: granted.signal });
	delay(Math.max(0, deadline - monotonicNow()), granted.signal).then(giveUp, () => undefined);
	const permit = await settle(limiter.acquire({ ...turn, signal: waiting.signal }));
	granted.abort();
	if (permit.ok) return permit.value;
	signal?.throwIfAborted();
	if (waiting.signal.aborted) return undefined;
	throw permit.error;
}
