import numbers = require('../../nodes/runtime/values/time');

/** Lets tests drive the clock from 0 on, with this share of the longest jitter. */
export function useDrivenClock(jitter: number): void {
	beforeEach(() => {
		jest.useFakeTimers({ now: 0 });
		// Not Math.random: the sort of the source maps behind a stack overflows when that is always 0.
		jest.spyOn(numbers, 'jitter').mockReturnValue(jitter);
	});
	afterEach(() => {
		jest.useRealTimers();
		jest.restoreAllMocks();
	});
}
