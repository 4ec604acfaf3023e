/** Adds numbers. */
export const sum = (numbers: readonly number[]): number =>
	numbers.reduce((all, each) => all + each, 0);

/** Returns a random number from 0 to 1, which spreads simultaneous requests. */
export const jitter = (): number => Math.random();
