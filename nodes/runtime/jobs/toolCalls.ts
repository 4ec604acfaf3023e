import { monotonicNow } from '../values/clock';
import { setNewest } from '../values/setNewest';
import { settle } from '../values/settle';
import type { ApiResponse } from '../api/retry';

/** Milliseconds for which the same call of a tool gets a result again: longer than a turn of a model. */
const sameTurn = 60_000;

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

interface ToolJob {
	id: string;
	startedAt: number;
	/** Time after its results were returned until which the same call gets them again. */
	until?: number;
}

/** Milliseconds for which the service retains results, and most jobs to remember. */
const longest = 86_400_000;
const mostJobs = 1_000;

/**
 * The jobs that tools of this process have started, by the key of their request, oldest first.
 * Models call again after a timeout, and twice in a turn: the same call continues the job of the
 * first, so that it is charged once.
 */
const jobs = new Map<string, ToolJob>();

const isOver = ({ startedAt, until = startedAt + longest }: ToolJob) => monotonicNow() > until;

/** Finds the job of a request. */
export function findToolJob(key: string): ToolJob | undefined {
	for (const [each, job] of jobs) if (isOver(job)) jobs.delete(each);
	return jobs.get(key);
}

/** Records the job that a request has started. */
export function noteToolJob(key: string, id: string): void {
	setNewest(jobs, key, { id, startedAt: monotonicNow() }, mostJobs);
}

/** Records that the results of a job were returned. */
export function noteToolResults(id: string): void {
	for (const job of jobs.values()) if (job.id === id) job.until ??= monotonicNow() + sameTurn;
}
