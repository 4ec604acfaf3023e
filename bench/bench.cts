/** A figure measured several times: the median to quote, and the least and most for the spread. */
export interface Spread {
	median: number;
	least: number;
	most: number;
}

/** The spread of values, at least one. */
export function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = Math.floor(sorted.length / 2);
	const median =
		sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, least: sorted[0], most: sorted[sorted.length - 1] };
}

/** How one figure relates to another, run by run, so that a machine that gets slower on the way does no harm. */
export const ratioOf = (values: number[], others: number[]): Spread =>
	spreadOf(values.map((value, index) => value / others[index]));

/** One measured thing, of this pack and of those that it is compared with. */
export interface Figure {
	name: string;
	ours: Spread;
	others?: Record<string, Spread>;
	/** Digits after the point. */
	digits?: number;
	/** The goal: the most, or the least, that the median of ours may be. */
	goal?: { most: number } | { least: number };
}

/** One measurement: `npm run bench -- --only NAME`. */
export interface Bench {
	/** What is measured, in a sentence. */
	about: string;
	/** Does it, each figure `repeats` times. */
	run(repeats: number): Promise<Figure[]>;
}

/** Whether this pack came to what it must. A figure that could not be measured misses its goal. */
export function isMet({ ours: { median }, goal }: Figure): boolean {
	if (goal === undefined) return true;
	return 'most' in goal ? median <= goal.most : median >= goal.least;
}

/** The median, and the spread where there is any. */
function shown({ median, least, most }: Spread, digits: number): string {
	const words = (number: number) => number.toFixed(digits);
	return words(least) === words(most)
		? words(median)
		: `${words(median)} (${words(least)} to ${words(most)})`;
}

/** A figure as a line. */
export function lineOf(figure: Figure): string {
	const { name, ours, others = {}, digits = 0, goal } = figure;
	const values = [
		shown(ours, digits),
		...Object.entries(others).map(([who, spread]) => `${who} ${shown(spread, digits)}`),
	];
	const verdict = isMet(figure) ? 'met' : 'MISSED';
	const words = goal && ('most' in goal ? `≤ ${goal.most}` : `≥ ${goal.least}`);
	return `${name}: ${values.join(', ')}${words === undefined ? '' : `; goal ${words}: ${verdict}`}`;
}

/** The numbers from 1 to `count`. */
export const countTo = (count: number): number[] =>
	Array.from({ length: count }, (_, index) => index + 1);
