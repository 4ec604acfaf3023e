import type { Failure } from '../nodes/runtime/errors/response';

/** A refusal: how long there is no room, and whether a window ends then. Milliseconds. */
export interface Refused {
	wait: number;
	resets?: boolean;
}

/** What a simulated service does with requests. Times in milliseconds since its begin. */
export interface SimulatedService {
	/** Accepts the request of an item, or says why not. */
	take(now: number, item: number): Refused | undefined;
}

/** Numbers in [0, 1), the same for the same seed. */
export function drawn(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Windows of a minute that begin with their first request, as the hosted service counts. */
export function windows(limit: number): SimulatedService {
	let from = -Infinity;
	let count = 0;
	return {
		take(now) {
			if (now >= from + 60_000) [from, count] = [now, 0];
			if (count >= limit) return { wait: from + 60_000 - now, resets: true };
			count += 1;
			return undefined;
		},
	};
}

/** A bucket that holds `most` requests and fills evenly. */
export function bucket(perMinute: number, most = perMinute): SimulatedService {
	const each = 60_000 / perMinute;
	let tokens = most;
	let filledAt = 0;
	return {
		take(now) {
			tokens = Math.min(most, tokens + (now - filledAt) / each);
			filledAt = now;
			if (tokens < 1) return { wait: (1 - tokens) * each };
			tokens -= 1;
			return undefined;
		},
	};
}

/** Refuses each request with a probability, whatever the rate. */
export const atRandom = (probability: number, random: () => number): SimulatedService => ({
	take: () => (random() < probability ? { wait: 1_000 } : undefined),
});

/** Refuses everything for the last `down` of every `every` milliseconds, `phase` of which are over at first. */
export const withOutages = (
	inner: SimulatedService,
	{ down = 2_000, every = 20_000, phase = 0 } = {},
): SimulatedService => ({
	...inner,
	take(now, item) {
		const left = every - ((now + phase) % every);
		return left <= down ? { wait: Math.min(left, 1_000) } : inner.take(now, item);
	},
});

/** Refuses one item always, and hands the others on. */
export const refusing = (refused: number, inner: SimulatedService): SimulatedService => ({
	...inner,
	take: (now, item) => (item === refused ? { wait: 1_000 } : inner.take(now, item)),
});

/** The time of the client that sends each of so many items at the first moment at which it is accepted. */
export function shortestTime(service: SimulatedService, items: number): number {
	let now = 0;
	for (let item = 0; item < items; item += 1) {
		while (service.take(now, item) !== undefined) now += 10;
	}
	return now;
}

/** Neither limits nor lines. */
export const unlimited = (): SimulatedService => ({ take: () => undefined });

/** How a refusal says when to come again. */
export type SimulatedHint = 'seconds' | 'date' | 'text' | 'nothing';

/** A refusal as it comes over the wire. */
export function refusalOf({ wait, resets }: Refused, hint: SimulatedHint): Failure {
	const seconds = Math.ceil(wait / 1000);
	const until = new Date(Math.ceil(Math.round(Date.now() + wait) / 1000) * 1000).toUTCString();
	const named = hint === 'text' || resets ? ` or please retry after ${seconds}s` : '';
	const error = `Rate limit exceeded${named}${resets ? `, resets at ${until}` : ''}`;
	const headers = { ...(hint === 'seconds' && { 'retry-after': String(seconds) }) };
	const dated = { ...(hint === 'date' && { 'retry-after': until }) };
	return { response: { status: 429, headers: { ...headers, ...dated }, body: { error } } };
}
