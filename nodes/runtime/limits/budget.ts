import { NodeApiError, type NodeOperationError } from 'n8n-workflow';
import { pluralize } from '../values/text';
import { sum } from '../values/numbers';
import { errorCodes } from '../api/serviceError';
import { operationError, stoppedError, type ErrorSource } from '../api/errors';
import { settle } from '../values/settle';
import { fieldOf } from '../values/record';
import { fact, forCaller, forUser } from '../api/sentence';

const amount = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The cost in a response, in credits. Each endpoint has its own field for it. */
export function creditsIn(body: unknown): number | undefined {
	const data = fieldOf(body, 'data');
	return (
		amount(fieldOf(body, 'creditsUsed')) ??
		amount(fieldOf(body, 'creditsBilled')) ??
		amount(fieldOf(data, 'creditsUsed')) ??
		amount(fieldOf(data, 'creditsCost')) ??
		amount(fieldOf(fieldOf(data, 'metadata'), 'creditsUsed'))
	);
}

/** Credits reserved for a running request. */
export interface Reservation {
	/** Reserved credits. */
	credits: number;
	/** Replaces them by the actual cost in credits. */
	settle(credits: number): void;
}

/** An account of spent credits. */
export interface Account {
	spent: number;
}

/** Credits spent on an account, and those reserved for running requests. */
export class Spending {
	private reserved = 0;
	private waiting: Array<() => void> = [];

	constructor(private readonly account: Account = { spent: 0 }) {}

	/**
	 * Reserves credits. If they exceed the limit only by other reservations, waits for the actual
	 * cost of these. A request that may cost more than its reservation waits for all others, and
	 * reserves the rest. Free requests never wait.
	 * @returns the reservation, or the spent credits if the limit is reached
	 * @throws the reason of `signal` while it waits
	 */
	async reserve(
		price: number,
		limit: number,
		mayCostMore = false,
		signal?: AbortSignal,
	): Promise<Reservation | number> {
		const { account } = this;
		const takesRest = mayCostMore && limit !== Infinity;
		while (
			price > 0 &&
			(account.spent + this.reserved + price > limit || (takesRest && this.reserved > 0))
		) {
			if (this.reserved === 0 || account.spent + price > limit) return account.spent;
			await this.change(signal);
		}
		const credits = takesRest && price > 0 ? limit - account.spent : price;
		this.reserved += credits;
		let open = true;
		return {
			credits,
			settle: (cost) => {
				if (!open) return;
				open = false;
				this.reserved -= credits;
				account.spent += cost;
				const waiting = this.waiting;
				this.waiting = [];
				for (const resolve of waiting) resolve();
			},
		};
	}

	/** Waits until the cost of another request is known. */
	private async change(signal?: AbortSignal): Promise<void> {
		const stop = new AbortController();
		await new Promise<void>((resolve, reject) => {
			this.waiting.push(resolve);
			const { signal: over } = stop;
			const onAbort = () => reject(signal?.reason);
			signal?.addEventListener('abort', onAbort, { once: true, signal: over });
			if (signal?.aborted) onAbort();
		}).finally(() => stop.abort());
	}
}

const spendings = new WeakMap<object, Map<string, Spending>>();

/**
 * The spending of a node in an execution, identified by its stop signal: the same for each run of
 * the node.
 */
export function spendingOf(execution: object | undefined, node: string): Spending {
	if (execution === undefined) return new Spending();
	const byNode = spendings.get(execution) ?? new Map<string, Spending>();
	spendings.set(execution, byNode);
	const spending = byNode.get(node) ?? new Spending();
	byNode.set(node, spending);
	return spending;
}

/** A limit of credits. */
export interface Budget {
	spending: Spending;
	/** Most credits; unlimited if omitted. */
	limit?: number;
	/** The limit's name in the editor. */
	name: string;
	/** End of the limit as text; the end of the execution if omitted. */
	until?: string;
}

function overLimit(
	spent: number,
	price: number,
	{ limit = Infinity, name, until }: Budget,
	errorSource: ErrorSource,
): NodeOperationError {
	const requestLess = forCaller('Request less.');
	const [left, remedies] =
		until === undefined
			? [`${spent} are spent`, [requestLess, forUser('Raise the limit.')]]
			: [
					`${Math.max(0, limit - spent)} are left until ${until}`,
					[forUser('Wait until then, or raise the limit.'), requestLess],
				];
	return operationError(
		`Not sent: it may cost ${pluralize(price, 'credit')}; of the ${limit} of '${name}' ${left}`,
		[fact('Nothing was charged for it.'), ...remedies],
		errorSource,
	);
}

/**
 * The cost of a failed request: its price if it may have been carried out, otherwise that of its
 * errors, mostly nothing.
 */
function costOfFailure(error: unknown, price: number, costOfError: Guard['costOfError']): number {
	if (!(error instanceof NodeApiError)) return 0;
	const codes = errorCodes(error);
	return codes ? sum(codes.map((code) => costOfError?.(code) ?? 0)) : price;
}

/** The budgets that limit a request. */
export interface Guard {
	/** Budgets that must all allow it. */
	budgets: Budget[];
	/** Whether it may cost more than its price, which only the response shows. */
	mayCostMore?: boolean;
	/** The price of an error code: 0 if omitted. */
	costOfError?(code: string): number;
	errorSource: ErrorSource;
	/** Aborts the wait for others. */
	signal?: AbortSignal;
}

/** Credits reserved on every budget for running work. */
export class Charge {
	/** The cost so far in credits. While it is unknown, the reservation counts. */
	known?: number;

	constructor(
		private readonly reservations: readonly Reservation[],
		private readonly costOfError: Guard['costOfError'],
	) {}

	/** Replaces the reservation by the actual cost. `error` is the failure, if any. */
	settle(error?: unknown): void {
		for (const reservation of this.reservations) {
			const { credits } = reservation;
			const unknown =
				error === undefined ? credits : costOfFailure(error, credits, this.costOfError);
			reservation.settle(this.known ?? unknown);
		}
	}
}

/**
 * Reserves the maximum cost in credits on every budget.
 * @throws NodeOperationError if a limit is reached, or if stopped
 */
export async function reserve(price: number, guard: Guard): Promise<Charge> {
	const { budgets, mayCostMore, costOfError, errorSource, signal } = guard;
	const reservations: Reservation[] = [];
	const release = () => reservations.forEach((reservation) => reservation.settle(0));
	for (const budget of budgets) {
		const { spending, limit } = budget;
		const reserved = await settle(spending.reserve(price, limit ?? Infinity, mayCostMore, signal));
		if (!reserved.ok) {
			release();
			throw stoppedError(errorSource);
		}
		if (typeof reserved.value === 'number') {
			release();
			throw overLimit(reserved.value, price, budget, errorSource);
		}
		reservations.push(reserved.value);
	}
	return new Charge(reservations, costOfError);
}
