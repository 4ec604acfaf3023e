import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';

const longestPause = 600;

/** Documents that are read on when their request's time is over; the same request again collects the result. */
export class LargeDocuments {
	private readonly due = new Map<string, number>();

	constructor(private readonly clock: Clock) {}

	/** Whether a request of this key has begun to read a document. */
	isRead(key: string): boolean {
		return this.due.has(key);
	}

	/** How long the document still takes; throws the 408 that says when to ask again, where the request cannot wait so long. */
	async timeLeft(
		key: string,
		neededMs: number,
		patienceMs: number,
		pageCount: () => Promise<number>,
	): Promise<number> {
		const now = this.clock.now();
		const due = this.due.get(key) ?? now + neededMs;
		const left = Math.max(0, due - now);
		if (left <= Math.max(0, patienceMs)) {
			this.due.delete(key);
			return left;
		}
		this.due.set(key, due);
		throw stillProcessing(left, await pageCount());
	}

	clear(): void {
		this.due.clear();
	}
}

function stillProcessing(leftMs: number, documentPages: number): ApiError {
	const estimatedRemainingSeconds = Math.max(1, Math.ceil(leftMs / 1000));
	const retryAfterSeconds = Math.min(longestPause, estimatedRemainingSeconds);
	const error =
		'The document is still being processed. Send the same request again to collect the result.';
	const state = { state: 'processing_continues', jobStatus: 'running', documentPages };
	const details = { ...state, estimatedRemainingSeconds, retryAfterSeconds };
	const headers = { 'retry-after': String(retryAfterSeconds) };
	return new ApiError(408, { code: 'SCRAPE_TIMEOUT', error, details }, headers);
}
