/** Milliseconds on a clock that nobody sets: only differences mean something, within this process. */
export const monotonicNow = (): number => performance.now();
