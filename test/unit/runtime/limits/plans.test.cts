import fc from 'fast-check';
import {
	atRandom,
	bucket,
	drawn,
	queueing,
	refusing,
	shortestTime,
	unlimited,
	usedByOthers,
	windows,
	withoutReset,
	withOutages,
	type SimulatedHint,
	type SimulatedService,
} from '../../../bench/simulatedServices.cjs';
import { simulate } from '../../../bench/simulation.cjs';
import { propertySeed } from '../../../seededRandom.cjs';

/** docs/rate-limits.md has the figures; the simulator is that of the testBed `pace`. */
describe('against a plan', () => {
	/** Four resets after the first window, and a second for the last round. */
	const fiveWindows = 241_000;

	it.each([10, 60, 500])(
		'of windows of %i a minute no time is lost, few in a window refused',
		async (limit) => {
			const plan = { service: windows(limit), items: 5 * limit };
			const { time, refused, failed } = await simulate(plan);
			expect(failed).toBe(0);
			expect(time / fiveWindows).toBeLessThan(1.05);
			expect(refused).toBeLessThanOrEqual(10 + 4 * 2);
		},
	);

	it.each([10, 60])('of windows of %i of which half is used at first: neither', async (limit) => {
		const service = windows(limit, limit / 2, 20_000);
		const { time, refused } = await simulate({ service, items: 5 * limit });
		expect(time / (fiveWindows + 40_000)).toBeLessThan(1.05);
		expect(refused).toBeLessThanOrEqual(10 + 5 * 2);
	});

	it('of a bucket that fills by 60 a minute, few are refused', async () => {
		const { time, sent, refused } = await simulate({ service: bucket(60), items: 300 });
		expect(time / 240_000).toBeLessThan(1.15);
		expect(refused / sent).toBeLessThan(0.09);
	});

	it.each([
		[2, 0.15, 0.8],
		[10, 0.35, 0.9],
	])(
		'of a bucket that %i processes share, few are refused, and none is done long before the others',
		async (processes, mostRefused, mostApart) => {
			for (const seed of [1, 2, 3, 4, 5]) {
				const plan = { service: bucket(60), items: 300, processes, seed };
				const { time, firstEnd, sent, refused, failed } = await simulate(plan);
				expect(failed).toBe(0);
				expect(refused / sent).toBeLessThan(mostRefused);
				expect(1 - firstEnd / time).toBeLessThan(mostApart);
			}
		},
	);

	it.each([2, 10])('that %i processes share, all end', async (processes) => {
		const { time, failed } = await simulate({ service: windows(60), items: 300, processes });
		expect(failed).toBe(0);
		expect(time / fiveWindows).toBeLessThan(1.05);
	});

	it('that refuses everything from time to time, the rate does not collapse', async () => {
		const service = withOutages(bucket(300, 5));
		const { time } = await simulate({ service, items: 300, latency: 100 });
		expect(time / 67_000).toBeLessThan(1.5);
	});

	it.each([0.05, 0.1])(
		'that refuses %d at random, whatever the rate, takes little longer than without limiter',
		async (probability) => {
			const times: number[] = [];
			for (const seed of [1, 2, 3, 4, 5, 6, 7]) {
				const plan = () => ({ service: atRandom(probability, drawn(seed)), items: 300, seed });
				const free = await simulate({ ...plan(), isPaced: false, most: 50 });
				times.push((await simulate(plan())).time / free.time);
			}
			expect(times.sort((one, other) => one - other)[3]).toBeLessThan(2);
		},
	);

	const hints: SimulatedHint[] = ['seconds', 'date', 'nothing'];
	const bursts = [7, 20, 45].flatMap((every) => hints.map((hint) => [every, hint] as const));

	it.each(bursts)(
		'that refuses everything in bursts every %i s, hint: %s, takes at most half longer than it allows',
		async (every, hint) => {
			const service = () => withOutages(bucket(300, 5), { every: 1_000 * every });
			const times: number[] = [];
			for (const seed of [1, 2, 3]) {
				const plan = { service: service(), items: 450, latency: 60, hint, seed };
				const { time, failed } = await simulate(plan);
				expect(failed).toBe(0);
				times.push(time / shortestTime(service(), 450));
			}
			expect(times.sort((one, other) => one - other)[1]).toBeLessThan(1.5);
		},
	);

	it.each(hints)(
		'of windows of which others use half all the time answers every item, hint: %s',
		async (hint) => {
			for (const inner of [windows(10), withoutReset(windows(10))]) {
				const service = usedByOthers(5, inner);
				const { failed } = await simulate({ service, items: 100, latency: 60, hint });
				expect(failed).toBe(0);
			}
		},
	);

	it.each(hints)('that always refuses one item delays no other, hint: %s', async (hint) => {
		const plan = { items: 300, latency: 500, hint };
		const alone = await simulate({ ...plan, service: unlimited() });
		const { lastAnswer, failed } = await simulate({ ...plan, service: refusing(20, unlimited()) });
		expect(failed).toBe(1);
		expect(lastAnswer / alone.time).toBeLessThan(1.1);
	});

	const afterLimits: Array<[name: string, service: () => SimulatedService]> = [
		['of a bucket', () => bucket(60, 10)],
		['with an outage', () => withOutages(unlimited(), { down: 5_000, every: 100_000 })],
	];
	const arrivals = [300, 1_500, 3_000].flatMap((every) =>
		hints.flatMap((hint) =>
			afterLimits.map(([name, service]) => [name, every, hint, service] as const),
		),
	);

	it.each(arrivals)(
		'%s that always refuses one item delays no other of those that come every %i ms, hint: %s',
		async (_name, every, hint, service) => {
			const plan = { items: 100, every, hint };
			const alone = await simulate({ ...plan, service: service() });
			const { itemTime, failed } = await simulate({ ...plan, service: refusing(3, service()) });
			expect(failed).toBe(1);
			expect(itemTime / 99 / (alone.itemTime / 100)).toBeLessThan(1.1);
		},
	);

	it.each([100, 1000])(
		'without limits and answers after %i ms, as fast as 50 in flight',
		async (latency) => {
			const { time } = await simulate({ service: unlimited(), items: 500, latency });
			expect(time / (10 * latency)).toBeLessThan(1.3);
		},
	);

	it.each([2, 5, 50])(
		'that works on %i at once, uses it up and asks for little more',
		async (concurrency) => {
			const plan = { service: queueing(concurrency), items: 120 * concurrency };
			const { time, mostInFlight } = await simulate(plan);
			expect(time / (120 * 500)).toBeLessThan(1 / 0.95);
			expect(mostInFlight).toBeLessThanOrEqual(4 * concurrency);
		},
	);

	it('of any kind, every item is answered, and no time is more than twice what the plan allows', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					limit: fc.integer({ min: 5, max: 120 }),
					isWindow: fc.boolean(),
					latency: fc.integer({ min: 50, max: 2_000 }),
					seed: fc.nat(),
				}),
				async ({ limit, isWindow, latency, seed }) => {
					const items = 3 * limit;
					const service = isWindow ? windows(limit) : bucket(limit);
					const { time, failed } = await simulate({ service, items, latency, seed });
					expect(failed).toBe(0);
					expect(time).toBeLessThan(2 * (120_000 + (items / 5) * 1.2 * latency));
				},
			),
			{ seed: propertySeed, numRuns: 30 },
		);
	});
});
