import { NodeApiError, type NodeOperationError } from 'n8n-workflow';
import { counted } from './counted';
import { costOfRefusals, operationError, type Place } from './errors';
import { memberOf } from './record';

const amount = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** What an answer says it cost, in credits; each endpoint has a place of its own for it (addendum 3, 4, 9 and 13). */
export function creditsIn(body: unknown): number | undefined {
	const data = memberOf(body, 'data');
	return (
		amount(memberOf(body, 'creditsUsed')) ??
		amount(memberOf(body, 'creditsBilled')) ??
		amount(memberOf(data, 'creditsUsed')) ??
		amount(memberOf(data, 'creditsCost')) ??
		amount(memberOf(memberOf(data, 'metadata'), 'creditsUsed'))
	);
}

/** What is set aside for a request under way. */
export interface Reservation {
	/** What is set aside, in credits. */
	credits: number;
	/** Puts what it cost, in credits, in its place. */
	settle(credits: number): void;
}

/** The credits that a node has spent in one execution, and those set aside for what is under way. */
export class Spending {
	private spent = 0;
	private reserved = 0;
	private waiting: Array<() => void> = [];

	/**
	 * Sets credits aside. Where they would pass the limit only if all that is under way costs what is set
	 * aside for it, it waits for that to be known. What may cost more than it asks for waits for all that
	 * is under way, and gets all that is left.
	 * @returns the reservation, or what is spent when the limit does not allow it
	 */
	async reserve(price: number, limit: number, mayCostMore = false): Promise<Reservation | number> {
		const takesRest = mayCostMore && limit !== Infinity;
		while (this.spent + this.reserved + price > limit || (takesRest && this.reserved > 0)) {
			if (this.reserved === 0 || this.spent + price > limit) return this.spent;
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		const credits = takesRest ? limit - this.spent : price;
		this.reserved += credits;
		let open = true;
		return {
			credits,
			settle: (cost) => {
				if (!open) return;
				open = false;
				this.reserved -= credits;
				this.spent += cost;
				const waiting = this.waiting;
				this.waiting = [];
				for (const resolve of waiting) resolve();
			},
		};
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

function overLimit(spent: number, price: number, limit: number, place: Place): NodeOperationError {
	return operationError(
		`Not sent: it may cost ${counted(price, 'credit')}, and of the ${limit} of 'Max Credits per Execution' ${spent} are spent`,
		`Nothing was charged for it. Raise the limit, or ask for less.`,
		place,
	);
}

/** A request whose fate is unknown may have been charged; one that was refused costs what its refusal does, mostly nothing. */
const costOfFailure = (error: unknown, price: number) =>
	error instanceof NodeApiError ? (costOfRefusals(error) ?? price) : 0;

/** What guards a request's price. */
export interface Guard {
	spending: Spending;
	/** Most credits for the execution; none when undefined. */
	limit?: number;
	/** Whether what is guarded may cost more than its price, which only its answer tells. */
	mayCostMore?: boolean;
	place: Place;
}

/** Where work that is paid for notes what it has cost so far, in credits. */
export interface Cost {
	known?: number;
}

/**
 * Does what may cost up to `price` credits, unless the limit does not allow it. Where the work does not
 * note its cost, what was set aside stands.
 * @throws NodeOperationError when the limit does not allow it
 */
export async function spend<Value>(
	price: number,
	{ spending, limit = Infinity, mayCostMore, place }: Guard,
	work: (cost: Cost) => Promise<Value>,
): Promise<Value> {
	const reservation = await spending.reserve(price, limit, mayCostMore);
	if (typeof reservation === 'number') throw overLimit(reservation, price, limit, place);
	const cost: Cost = {};
	return await work(cost).then(
		(value) => {
			reservation.settle(cost.known ?? reservation.credits);
			return value;
		},
		async (error: unknown) => {
			reservation.settle(cost.known ?? costOfFailure(error, reservation.credits));
			return await Promise.reject(error);
		},
	);
}
