/** A share of 0 to 1, drawn anew at each call: keeps apart requests that would come at the same moment. */
export const jitter = (): number => Math.random();
