import { delay, monotonicNow } from '../values/time';
import { pathOf, type Request } from '../http/client';
import type { ApiResponse } from '../errors/response';
import { lengthOf } from '../values/json';
import { fingerprint } from '../values/seenSet';
import { settle } from '../values/outcome';

/**
 * The charged requests of tools in this process. Models make the same call twice in a turn, and
 * again after a timeout: it gets the response to the first, or continues its job, so that it is
 * charged once.
 */

/** Milliseconds for which the same call gets a result again: longer than a turn of a model. */
const sameTurn = 60_000;

/** Milliseconds for which the service retains the results of a job. */
const longestJob = 86_400_000;

/** Most calls to remember, and most characters of their responses. */
const mostCalls = 1_000;
const mostCharacters = 20_000_000;

/** Characters of a key, 6 bits each. */
const keyLength = 22;

/** A request of a tool, and its response once it has come. */
export interface ToolCall {
	response: Promise<ApiResponse>;
	/** Characters of the response. */
	size: number;
	/** Time until which it is remembered. */
	until: number;
}

/** The calls by the key of their request, oldest first. */
const calls = new Map<string, ToolCall>();

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

/** Finds an equal call. */
export function findCall(key: string): ToolCall | undefined {
	forgetOld();
	return calls.get(key);
}

/** Remembers a call while it is in flight, and as the start of a job until its results are returned. */
export function rememberCall(key: string, response: Promise<ApiResponse>): ToolCall {
	const call: ToolCall = { response, size: 0, until: monotonicNow() + longestJob };
	calls.delete(key);
	calls.set(key, call);
	return call;
}

/** Forgets a call that failed or whose job is gone. */
export function forgetCall(key: string, call: ToolCall): void {
	if (calls.get(key) === call) calls.delete(key);
}

/** Remembers a call for the rest of the model's turn. */
export function endCall(call: ToolCall, size = 0): void {
	call.size = size;
	call.until = Math.min(call.until, monotonicNow() + sameTurn);
	forgetOld();
	void delay(sameTurn + 1).then(forgetOld);
}

/**
 * Sends a request, or returns the response to an equal one that is in flight or has just succeeded.
 * `onShared` is called then.
 */
export async function sendOnce(
	key: string,
	send: () => Promise<ApiResponse>,
	onShared: () => void,
): Promise<ApiResponse> {
	for (let known = findCall(key); known; known = findCall(key)) {
		const outcome = await settle(known.response);
		if (outcome.ok) {
			onShared();
			return structuredClone(outcome.value);
		}
		forgetCall(key, known);
	}
	const call = rememberCall(key, send());
	const outcome = await settle(call.response);
	if (!outcome.ok) {
		forgetCall(key, call);
		throw outcome.error;
	}
	endCall(call, lengthOf(outcome.value.body));
	return outcome.value;
}
