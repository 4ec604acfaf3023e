import {
	ConcurrencyLimit,
	initialLimit,
	maxLimit,
} from '../../../../nodes/runtime/limits/concurrencyLimit';

/** The limits after each round of responses, with as many in flight as allowed. */
function limitsAfter(rounds: number, rttOf: (inFlight: number) => number, bytes = 0): number[] {
	const concurrency = new ConcurrencyLimit();
	return Array.from({ length: rounds }, () => {
		const { limit } = concurrency;
		for (let count = 0; count < limit; count += 1) {
			concurrency.onSample({ inFlight: limit, isLimited: true, rtt: rttOf(limit), bytes });
		}
		return concurrency.limit;
	});
}

describe('The concurrency limit', () => {
	it('doubles with each round while responses do not get slower, up to its maximum', () => {
		const limits = limitsAfter(8, () => 500);
		for (const [round, limit] of limits.slice(0, 4).entries()) {
			expect(limit).toBeGreaterThan(0.85 * initialLimit * 2 ** (round + 1));
			expect(limit).toBeLessThanOrEqual(initialLimit * 2 ** (round + 1));
		}
		expect(limits.at(-1)).toBe(maxLimit);
	});

	it('shrinks where responses only wait for each other', () => {
		const concurrency = new ConcurrencyLimit(50);
		for (let count = 0; count < 1000; count += 1) {
			const inFlight = 1 + (count % 50);
			concurrency.onSample({ inFlight, isLimited: true, rtt: 100 * inFlight, bytes: 0 });
		}
		expect(concurrency.limit).toBeLessThan(30);
	});

	it('does not grow where there is not enough to do', () => {
		const concurrency = new ConcurrencyLimit();
		for (let count = 0; count < 100; count += 1) {
			concurrency.onSample({ inFlight: 2, isLimited: false, rtt: 500, bytes: 0 });
		}
		expect(concurrency.limit).toBe(initialLimit);
	});

	it('is halved by an overload, once for all requests that were in flight together', () => {
		const concurrency = new ConcurrencyLimit(80);
		for (let number = 1; number <= 50; number += 1) concurrency.onOverload(number, 80);
		expect(concurrency.limit).toBe(40);
		concurrency.onOverload(81, 90);
		expect(concurrency.limit).toBe(20);
	});

	it.each([
		[2_000, maxLimit],
		[5_000_000, 5],
		[500_000_000, 1],
	])('leaves room in memory for responses of %i bytes: %i', (bytes, most) => {
		expect(limitsAfter(20, () => 500, bytes).at(-1)).toBe(most);
	});
});
