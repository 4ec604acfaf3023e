import type { Clock } from '../clock.cjs';
import { ApiError } from '../errors.cjs';
import type { Answer } from '../pipeline.cjs';

const keptMs = 7 * 86_400_000;

interface Run {
	/** The request's body, to tell a repetition from another request. */
	payload: string;
	/** Missing while the run is under way. */
	ended?: { answer: Answer; at: number };
}

/** Runs of tools by the `x-request-id` of their request: a repetition replays the answer for 7 days. */
export class ToolRuns {
	private readonly runs = new Map<string, Run>();

	constructor(private readonly clock: Clock) {}

	/**
	 * The answer of this request, by `work` unless the team has had it before. Throws 409 for the id of
	 * another request, and while the same one is under way. What `work` refuses is not kept: the same
	 * request may come again with the same id.
	 */
	async once(
		teamId: string,
		requestId: string | undefined,
		body: unknown,
		work: () => Promise<Answer>,
	): Promise<Answer> {
		if (requestId === undefined) return work();
		const id = `${teamId} ${requestId}`;
		const payload = JSON.stringify(body);
		const known = this.runs.get(id);
		if (known && !(known.ended && this.clock.now() >= known.ended.at + keptMs)) {
			return replay(known, payload);
		}
		const run: Run = { payload };
		this.runs.set(id, run);
		try {
			const answer = await work();
			run.ended = { answer, at: this.clock.now() };
			return answer;
		} catch (error) {
			if (this.runs.get(id) === run) this.runs.delete(id);
			throw error;
		}
	}

	clear(): void {
		this.runs.clear();
	}
}

function replay({ payload, ended }: Run, asked: string): Answer {
	if (payload !== asked) {
		const error = 'The x-request-id belongs to a different request.';
		throw new ApiError(409, { code: 'duplicate_request', error });
	}
	if (!ended) {
		const error = 'The request with this x-request-id is still under way.';
		throw new ApiError(409, { code: 'request_in_flight', error });
	}
	return ended.answer;
}
