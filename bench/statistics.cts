/** A figure measured several times: the median to quote, and the least and most for the spread. */
export interface Spread {
	median: number;
	least: number;
	most: number;
}

/** @throws when nothing was measured */
export function spreadOf(values: number[]): Spread {
	if (values.length === 0) throw new Error('There is nothing to make a median of');
	const sorted = [...values].sort((one, other) => one - other);
	const middle = Math.floor(sorted.length / 2);
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, least: sorted[0], most: sorted[sorted.length - 1] };
}

/** How one figure relates to another, run by run, so that a machine that gets slower on the way does no harm. */
export const ratioOf = (values: number[], others: number[]): Spread =>
	spreadOf(values.map((value, index) => value / others[index]));
