/** Returns a random number from 0 to 1, which spreads simultaneous requests. */
export const jitter = (): number => Math.random();
