/** Milliseconds on the monotonic clock of this process; only differences are meaningful. */
export const monotonicNow = (): number => performance.now();
