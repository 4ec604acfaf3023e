import type { Failure } from '../nodes/runtime/errors/response';

/** A refusal: how long there is no room, and whether a window ends then. Milliseconds. */
interface Refused {
	wait: number;
	resets?: boolean;
}

/** Accepts the request of an item, or says why not. Times in milliseconds since the service's begin. */
export type SimulatedService = (now: number, item: number) => Refused | undefined;

const minute = 60_000;

/** Windows that begin with their first request, as the hosted service counts: of a minute each. */
export function windows(limit: number, length = minute): SimulatedService {
	let from = -Infinity;
	let count = 0;
	return (now) => {
		if (now >= from + length) [from, count] = [now, 0];
		if (count >= limit) return { wait: from + length - now, resets: true };
		count += 1;
		return undefined;
	};
}

/** A bucket that holds `most` requests and fills evenly. */
export function bucket(perMinute: number, most = perMinute): SimulatedService {
	const each = minute / perMinute;
	let tokens = most;
	let filledAt = 0;
	return (now) => {
		tokens = Math.min(most, tokens + (now - filledAt) / each);
		filledAt = now;
		if (tokens < 1) return { wait: (1 - tokens) * each };
		tokens -= 1;
		return undefined;
	};
}

/** Refuses each request with a probability, whatever the rate. */
export const atRandom =
	(probability: number, random: () => number): SimulatedService =>
	() =>
		random() < probability ? { wait: 1_000 } : undefined;

/** Refuses everything for the last `down` of every `every` milliseconds, `phase` of which are over at first. */
export const withOutages =
	(
		inner: SimulatedService,
		{ down, every, phase = 0 }: { down: number; every: number; phase?: number },
	): SimulatedService =>
	(now, item) => {
		const left = every - ((now + phase) % every);
		return left <= down ? { wait: Math.min(left, 1_000) } : inner(now, item);
	};

/** Accepts all but one item, which it refuses always. */
export const refusing =
	(refused: number): SimulatedService =>
	(_now, item) =>
		item === refused ? { wait: 1_000 } : undefined;

/** Accepts everything. */
export const unlimited: SimulatedService = () => undefined;

/** The time of the client that sends each of so many items at the first moment at which it is accepted. */
export function shortestTime(service: SimulatedService, items: number): number {
	let now = 0;
	for (let item = 0; item < items; item += 1) {
		while (service(now, item) !== undefined) now += 10;
	}
	return now;
}

/** How a refusal says when to come again. */
export type SimulatedHint = 'seconds' | 'date' | 'text' | 'nothing';

/** A refusal as it comes over the wire. */
export function refusalOf({ wait, resets }: Refused, hint: SimulatedHint): Failure {
	const seconds = Math.ceil(wait / 1000);
	const until = new Date(Math.ceil(Math.round(Date.now() + wait) / 1000) * 1000).toUTCString();
	// The hosted service rounds what it says in words.
	const named =
		hint === 'text' || resets ? ` or please retry after ${Math.round(wait / 1000)}s` : '';
	const error = `Rate limit exceeded${named}${resets ? `, resets at ${until}` : ''}`;
	const headers = {
		...(hint === 'seconds' && { 'retry-after': String(seconds) }),
		...(hint === 'date' && { 'retry-after': until }),
	};
	return { response: { status: 429, headers, body: { error } } };
}
