import { pathOf, type Request } from '../http/client';
import { mayHaveCost } from '../errors/webDataError';
import { lengthOf } from '../values/json';
import { settle } from '../values/outcome';
import { fingerprint } from '../values/seenSet';
import { delay, monotonicNow } from '../values/time';
import type { Charged } from './budget';

/**
 * The charged requests of tools in this process. Models make the same call twice in a turn, and
 * again after a timeout: it gets the response to the first, or continues its job, so that it is
 * charged once.
 */

/** Milliseconds for which the same call gets a result again: longer than a turn of a model. */
export const sameTurn = 60_000;

/** Milliseconds for which the service retains the results of a job. */
const longestJob = 86_400_000;

/** Most calls to remember, and most characters of their responses. */
const mostCalls = 1_000;
const mostCharacters = 20_000_000;

/** Characters of a key, 6 bits each. */
const keyLength = 22;

interface Call {
	sent: Promise<Charged>;
	/** Characters of the response once it has ended. */
	size: number;
	/** Time until which it is remembered. */
	until: number;
	isFollowed: boolean;
}

/** The calls by the key of their request, oldest first. */
const calls = new Map<string, Call>();

/** Identifies a request by account, endpoint and body. */
export const toolKey = (account: string, request: Request): string =>
	fingerprint(
		JSON.stringify([account, request.endpoint.method, pathOf(request), request.body]),
		keyLength,
	);

function forgetOld(): void {
	const now = monotonicNow();
	let characters = 0;
	for (const [index, [key, { until, size }]] of [...calls].reverse().entries()) {
		characters += size;
		if (until < now || index >= mostCalls || characters > mostCharacters) calls.delete(key);
	}
}

/** A call's response, which the next same call, if any can follow, gets until it is ended or forgotten. */
export interface ToolCall extends Charged {
	/** Whether it is the response to an earlier call. */
	isShared: boolean;
	/** Whether a later call has got it, too. */
	isFollowed?(): boolean;
	/** Remembers it only for the rest of the model's turn, since its results are returned, or for as long. */
	end?(milliseconds?: number): void;
	/** Forgets it, since its job is gone. */
	forget?(): void;
}

/**
 * Sends a request, or returns the response to the same one that is in flight, has just succeeded, or
 * has started a job. Without a key, nothing is the same.
 * @throws as send; the error of the same one if that may have been charged
 */
export async function callOnce(
	key: string | undefined,
	send: () => Promise<Charged>,
): Promise<ToolCall> {
	if (key === undefined) return { ...(await send()), isShared: false };
	for (;;) {
		forgetOld();
		const known = calls.get(key);
		const until = monotonicNow() + longestJob;
		const call = known ?? { sent: send(), size: 0, until, isFollowed: false };
		if (known) known.isFollowed = true;
		else calls.set(key, call);
		const sent = await settle(call.sent);
		const forget = () => {
			if (calls.get(key) === call) calls.delete(key);
		};
		if (!sent.ok) {
			forget();
			if (known && !mayHaveCost(sent.error)) continue;
			throw sent.error;
		}
		const end = (milliseconds = sameTurn) => {
			call.size = lengthOf(sent.value.response.body);
			call.until = Math.min(call.until, monotonicNow() + milliseconds);
			forgetOld();
			void delay(milliseconds + 1).then(forgetOld);
		};
		const isFollowed = () => call.isFollowed;
		return { ...sent.value, isShared: known !== undefined, isFollowed, end, forget };
	}
}
