import { operationError, stoppedError } from '../errors/webDataError';
import type { ApiResponse } from '../errors/response';
import type { Request } from '../http/client';
import type { RequestContext } from '../http/send';
import { settle } from '../values/outcome';
import { delay } from '../values/time';
import { pluralize } from '../values/text';

/** Credits that a node has spent in an execution, and those reserved for running requests. */
export class Spending {
	spent = 0;
	/** The errors of starts that may have begun something, which another attempt by n8n's Retry On Fail gets, too. */
	readonly lostStarts = new Map<string, Error>();
	private reserved = 0;
	private waiting: Array<() => void> = [];

	/**
	 * Reserves `most` credits, or what is left of the limit if that is at least `least`. If only
	 * running requests keep these credits, waits for their actual cost.
	 * @returns the reserved credits; undefined if the limit is reached
	 * @throws the reason of `signal` while it waits
	 */
	async reserve(
		least: number,
		most: number,
		limit: number,
		signal?: AbortSignal,
	): Promise<number | undefined> {
		const leaves = (left: number) => left > 0 && left >= least;
		while (!leaves(limit - this.spent - this.reserved)) {
			if (this.reserved === 0 || !leaves(limit - this.spent)) return undefined;
			await this.change(signal);
		}
		const credits = Math.min(most, Math.floor(limit - this.spent - this.reserved));
		this.reserved += credits;
		return credits;
	}

	/** Replaces reserved credits by the actual cost. */
	settle(reserved: number, cost: number): void {
		this.reserved -= reserved;
		this.spent += cost;
		for (const resolve of this.waiting.splice(0)) resolve();
	}

	/** Waits until the cost of another request is known. */
	private async change(signal?: AbortSignal): Promise<void> {
		const over = new AbortController();
		await new Promise<void>((resolve, reject) => {
			this.waiting.push(resolve);
			const onAbort = () => reject(signal?.reason);
			signal?.addEventListener('abort', onAbort, { once: true, signal: over.signal });
			if (signal?.aborted) onAbort();
		}).finally(() => over.abort());
		// By the next turn, a failure that ends the run is known.
		await delay(0);
	}
}

const spendings = new WeakMap<object, Map<string, Spending>>();

/** The spending of a node in an execution, by the stop signal that all runs of the node share. */
export function spendingOf(execution: object | undefined, node: string): Spending {
	if (execution === undefined) return new Spending();
	const byNode = spendings.get(execution) ?? new Map<string, Spending>();
	spendings.set(execution, byNode);
	const spending = byNode.get(node) ?? new Spending();
	byNode.set(node, spending);
	return spending;
}

/** Credits reserved for a paid request, or for the job that it starts. */
export class Charge {
	/** The cost so far in credits. While it is unknown, the reservation counts. */
	known?: number;

	constructor(
		private readonly spending: Spending,
		private readonly reserved: number,
	) {}

	/** Replaces the reservation by the actual cost, once. */
	settle(): void {
		this.spending.settle(this.reserved, this.known ?? this.reserved);
	}
}

/** The response to a paid request, whose charge the caller settles. */
export interface Charged {
	response: ApiResponse;
	charge: Charge;
	/** Its time on the monotonic clock. */
	at: number;
}

/**
 * Reserves the credits of a request within the `limit` of 'Max Credits per Execution'. A job that a
 * field of its body limits gets what is left.
 * @throws WebDataError if the limit is reached, or if stopped
 */
export async function reserve(
	request: Request,
	spending: Spending,
	limit = Infinity,
	{ signal, errorSource, notice }: Pick<RequestContext, 'signal' | 'errorSource' | 'notice'>,
): Promise<{ charge: Charge; affordable: Request }> {
	const { price, limitedBy, body } = request;
	if (price === undefined) return { charge: new Charge(spending, 0), affordable: request };
	const least = limitedBy === undefined ? price : Math.min(1, price);
	const reserved = await settle(spending.reserve(least, price, limit, signal));
	if (!reserved.ok) throw stoppedError(errorSource);
	const { value: credits } = reserved;
	if (credits === undefined)
		throw operationError(
			`Not sent: it may cost ${pluralize(Math.max(1, price), 'credit')}; of the ${limit} of 'Max Credits per Execution' ${spending.spent} are spent`,
			'Nothing was charged for it. Request less, or raise the limit.',
			errorSource,
		);
	const charge = new Charge(spending, credits);
	if (limitedBy === undefined || credits === price) return { charge, affordable: request };
	notice?.(
		`${pluralize(credits, 'credit')} are left of 'Max Credits per Execution': '${limitedBy}' is ${credits} instead of ${price}.`,
	);
	return { charge, affordable: { ...request, body: { ...body, [limitedBy]: credits } } };
}
