import {
	boundByMemory,
	ConcurrencyLimit,
	growthFor,
	mostInFlight,
} from '../../../../nodes/runtime/limits/concurrencyLimit';

/** Answers of a service, a round of what is in flight after the other; how many are in flight then. */
function after(rounds: number, took: (inFlight: number) => number, size = 0): number {
	const limit = new ConcurrencyLimit();
	for (let round = 0; round < rounds; round += 1) {
		const { width } = limit;
		for (let inFlight = 1; inFlight <= width; inFlight += 1) {
			limit.noteAnswer({ inFlight: width, isFull: true, took: took(width), size });
		}
	}
	return limit.width;
}

describe('how many requests may be in flight', () => {
	it.each([
		[0, 1],
		[-1, 1],
		[0.5, 0.15],
		[1, -0.03],
		[4, -0.03],
	])('grows, where answers are slower by %d in proportion, by %d', (slowing, growth) => {
		expect(growthFor(slowing)).toBeCloseTo(growth);
	});

	it('doubles with each round where more make nothing slower', () => {
		const widths = [0, 1, 2, 3, 4].map((rounds) => after(rounds, () => 500));
		for (const [round, width] of widths.entries()) {
			expect(width).toBeGreaterThan(0.85 * 5 * 2 ** round);
			expect(width).toBeLessThanOrEqual(5 * 2 ** round);
		}
	});

	it('shrinks where answers only wait for each other', () => {
		const limit = new ConcurrencyLimit(50);
		for (let count = 0; count < 1000; count += 1) {
			const inFlight = 1 + (count % 50);
			limit.noteAnswer({ inFlight, isFull: true, took: 100 * inFlight, size: 0 });
		}
		expect(limit.width).toBeLessThan(30);
	});

	it('has a bound', () => {
		expect(after(20, () => 500)).toBe(mostInFlight);
	});

	it('does not grow where there is not enough to do', () => {
		const limit = new ConcurrencyLimit();
		for (let count = 0; count < 100; count += 1) {
			limit.noteAnswer({ inFlight: 2, isFull: false, took: 500, size: 0 });
		}
		expect(limit.width).toBe(5);
	});

	it('is halved by time-outs, once for those that were in flight together', () => {
		const limit = new ConcurrencyLimit(80);
		for (let number = 1; number <= 50; number += 1) limit.noteOverload(number, 80);
		expect(limit.width).toBe(40);
		limit.noteOverload(81, 90);
		expect(limit.width).toBe(20);
	});

	it.each([
		[0, mostInFlight],
		[2_000, 12_500],
		[5_000_000, 5],
		[500_000_000, 1],
	])('has room in memory for answers of %i bytes: %i', (size, most) => {
		expect(boundByMemory(size)).toBe(most);
	});

	it('is bounded by the size of a usual answer', () => {
		expect(after(20, () => 500, 5_000_000)).toBe(5);
	});
});
