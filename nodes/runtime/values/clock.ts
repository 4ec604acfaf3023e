/** Milliseconds on the monotonic clock of this process; only differences are meaningful. */
export const monotonicNow = (): number => performance.now();

/** Converts a monotonic time to Unix milliseconds, by the current system time. */
export const wallTime = (moment: number): number => Date.now() - monotonicNow() + moment;

/** Converts Unix milliseconds to monotonic time. */
export const monotonicTime = (unix: number): number => monotonicNow() - Date.now() + unix;
