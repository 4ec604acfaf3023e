import { monotonicNow } from '../values/clock';
import { setNewest } from '../values/setNewest';
import { settle } from '../values/settle';
import { sameTurn } from './toolJobs';
import type { ApiResponse } from '../api/retry';

/**
 * The charged responses to tools of this process. Models make the same call twice in a turn, and
 * again after a timeout: an equal request gets the response of the first, so that it is charged
 * once.
 */

interface ToolResponse {
	response: Promise<ApiResponse>;
	/** Time until which it is returned again; undefined while it is in flight. */
	until?: number;
}

/** Most responses to retain. */
const mostResponses = 10;

/** The responses by the key of their request, oldest first. */
const responses = new Map<string, ToolResponse>();

function find(key: string): ToolResponse | undefined {
	const now = monotonicNow();
	for (const [each, { until = Infinity }] of responses) if (until < now) responses.delete(each);
	return responses.get(key);
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
	for (let known = find(key); known; known = find(key)) {
		const outcome = await settle(known.response);
		if (outcome.ok) {
			onShared();
			return structuredClone(outcome.value);
		}
		if (responses.get(key) === known) responses.delete(key);
	}
	const sent: ToolResponse = { response: send() };
	setNewest(responses, key, sent, mostResponses);
	const outcome = await settle(sent.response);
	sent.until = monotonicNow() + sameTurn;
	if (outcome.ok) return outcome.value;
	if (responses.get(key) === sent) responses.delete(key);
	throw outcome.error;
}
