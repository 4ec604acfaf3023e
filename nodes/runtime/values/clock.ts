/** Milliseconds on a clock that nobody sets: only differences mean something, within this process. */
export const monotonicNow = (): number => performance.now();

/** A moment of the monotonic clock in Unix milliseconds, by the machine's clock as it is set now. */
export const wallTime = (moment: number): number => Date.now() - monotonicNow() + moment;

/** The reverse: a moment in Unix milliseconds by the monotonic clock. */
export const monotonicTime = (unix: number): number => monotonicNow() - Date.now() + unix;
