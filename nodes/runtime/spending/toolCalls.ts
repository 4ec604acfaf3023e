import { mayHaveCost } from '../errors/webDataError';
import { pathOf, type Request } from '../http/client';
import { lengthOf } from '../values/json';
import { settle } from '../values/outcome';
import { fingerprint } from '../values/seenSet';
import { delay, monotonicNow } from '../values/time';
import type { Charged } from './budget';

/** Milliseconds for which an equal call gets a result again: longer than a turn of a model. */
const sameTurn = 60_000;

/** Milliseconds for which the service retains the results of a job. */
const longestJob = 86_400_000;

/** Most calls to remember, and most characters of their responses. */
const mostCalls = 1_000;
const mostCharacters = 20_000_000;

/** Characters of a key, 6 bits each. */
const keyLength = 22;

/** Identifies a request by account, endpoint and body. */
export const toolKey = (account: string, request: Request): string =>
	fingerprint(
		JSON.stringify([account, request.endpoint.method, pathOf(request), request.body]),
		keyLength,
	);

/** The calls by the key of their request, oldest first. */
const calls = new Map<string, ToolCall>();

/** A charged request of a tool in this process: an equal call, as models repeat them, gets its response or job. */
export class ToolCall {
	/** Whether a later call has got its response, too. */
	isFollowed = false;
	private returnedAt = Infinity;
	/** Characters of its response. */
	private size = 0;
	/** Time until which it is remembered. */
	private until = monotonicNow() + longestJob;

	private constructor(
		private readonly key: string | undefined,
		readonly sent: Promise<Charged>,
	) {
		if (key !== undefined) calls.set(key, this);
	}

	/**
	 * Sends a request, or finds the equal one that is in flight, has just succeeded, or has started a job.
	 * Without a key, nothing is equal.
	 * @throws as send; the error of the equal one if that may have been charged
	 */
	static async join(
		key: string | undefined,
		send: () => Promise<Charged>,
	): Promise<{ call: ToolCall; isFirst: boolean }> {
		for (;;) {
			ToolCall.forgetOld();
			const known = key === undefined ? undefined : calls.get(key);
			const call = known ?? new ToolCall(key, send());
			if (known) known.isFollowed = true;
			const sent = await settle(call.sent);
			if (sent.ok) {
				if (key !== undefined && !known) call.size = lengthOf(sent.value.response.body);
				return { call, isFirst: known === undefined };
			}
			call.forget();
			if (!known || mayHaveCost(sent.error)) throw sent.error;
		}
	}

	/** Whether its results were returned longer ago than a turn of the model. */
	get isOver(): boolean {
		return monotonicNow() - this.returnedAt > sameTurn;
	}

	/** Notes that the model has got what it asked for. */
	markReturned(): void {
		this.returnedAt = Math.min(this.returnedAt, monotonicNow());
	}

	/** Remembers it only for the rest of the model's turn, since its results are returned, or for as long. */
	keep(milliseconds = sameTurn): void {
		if (this.key === undefined) return;
		this.markReturned();
		this.until = Math.min(this.until, monotonicNow() + milliseconds);
		void delay(milliseconds + 1).then(ToolCall.forgetOld);
	}

	/** Forgets it, since its job is gone, or it may be meant to act again. */
	forget(): void {
		if (this.key !== undefined && calls.get(this.key) === this) calls.delete(this.key);
	}

	private static forgetOld(): void {
		const now = monotonicNow();
		let characters = 0;
		for (const [index, call] of [...calls.values()].reverse().entries()) {
			characters += call.size;
			if (call.until < now || index >= mostCalls || characters > mostCharacters) call.forget();
		}
	}
}
