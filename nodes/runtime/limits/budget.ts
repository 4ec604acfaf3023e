import { NodeApiError, type NodeOperationError } from 'n8n-workflow';
import { pluralize } from '../values/pluralize';
import { sum } from '../values/sum';
import { errorCodes, operationError, stoppedError, type ErrorSource } from '../api/errors';
import { settle } from '../values/settle';
import { fieldOf } from '../values/record';

const amount = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** What an answer says it cost, in credits; each endpoint has a place of its own for it. */
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

/** What is set aside for a request under way. */
export interface Reservation {
	/** What is set aside, in credits. */
	credits: number;
	/** Puts what it cost, in credits, in its place. */
	settle(credits: number): void;
}

/** Where it stands what was spent, in credits. */
export interface Account {
	spent: number;
}

/** The credits that were spent on an account, and those set aside for what is under way. */
export class Spending {
	private reserved = 0;
	private waiting: Array<() => void> = [];

	constructor(private readonly account: Account = { spent: 0 }) {}

	/**
	 * Sets credits aside. Where they would pass the limit only if all that is under way costs what is set
	 * aside for it, it waits for that to be known. What may cost more than it asks for waits for all that
	 * is under way, and gets all that is left. What is free passes in any case.
	 * @returns the reservation, or what is spent when the limit does not allow it
	 * @throws what `signal` was aborted with, where it waits
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

	/** Waits until something that was under way has its cost. */
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

/** The spending of a node in an execution, which its stop signal stands for: the same at every run of the node in it. */
export function spendingOf(execution: object | undefined, node: string): Spending {
	if (execution === undefined) return new Spending();
	const byNode = spendings.get(execution) ?? new Map<string, Spending>();
	spendings.set(execution, byNode);
	const spending = byNode.get(node) ?? new Spending();
	byNode.set(node, spending);
	return spending;
}

/** A limit of what may be spent. */
export interface Budget {
	spending: Spending;
	/** Most credits; none when left out. */
	limit?: number;
	/** What the editor calls the limit. */
	name: string;
	/** Until when it holds, in words; it holds for the execution when left out. */
	until?: string;
}

function overLimit(
	spent: number,
	price: number,
	{ limit = Infinity, name, until }: Budget,
	errorSource: ErrorSource,
): NodeOperationError {
	const left =
		until === undefined
			? `${spent} are spent`
			: `${Math.max(0, limit - spent)} are left until ${until}`;
	const wait = until === undefined ? '' : 'Wait until then, or ';
	return operationError(
		`Not sent: it may cost ${pluralize(price, 'credit')}; of the ${limit} of '${name}' ${left}`,
		`Nothing was charged for it. ${wait}${wait === '' ? 'Raise' : 'raise'} the limit, or request less.`,
		errorSource,
	);
}

/** The cost of a failed request: the price where its fate is unknown, otherwise that of its errors, mostly nothing. */
function costOfFailure(error: unknown, price: number, costOfError: Guard['costOfError']): number {
	if (!(error instanceof NodeApiError)) return 0;
	const codes = errorCodes(error);
	return codes ? sum(codes.map((code) => costOfError?.(code) ?? 0)) : price;
}

/** What guards a request's price. */
export interface Guard {
	/** All of them must allow it. */
	budgets: Budget[];
	/** Whether what is guarded may cost more than its price, which only its answer tells. */
	mayCostMore?: boolean;
	/** The price of an error with this code: 0 when left out. */
	costOfError?(code: string): number;
	errorSource: ErrorSource;
	/** Ends its wait for others. */
	signal?: AbortSignal;
}

/** Credits that are reserved on every budget for work under way. */
export class Charge {
	/** What the work has cost so far, in credits; while it is not known, what is reserved counts. */
	known?: number;

	constructor(
		private readonly reservations: readonly Reservation[],
		private readonly costOfError: Guard['costOfError'],
	) {}

	/** Counts what the work has cost in the place of what was reserved; `error` is what it ended with, if it failed. */
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
 * Reserves the most that work can cost, in credits, on each budget, one after the other.
 * @throws NodeOperationError when a limit does not allow it, or when stopped
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
