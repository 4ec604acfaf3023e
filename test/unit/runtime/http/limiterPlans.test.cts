import {
	atRandom,
	bucket,
	drawn,
	refusing,
	shortestTime,
	unlimited,
	windows,
	withOutages,
	type SimulatedHint,
	type SimulatedService,
} from '../../../../bench/simulatedServices.cjs';
import { simulate } from '../../../../bench/simulation.cjs';

/** Multiple of the shortest time in which the plan allows all items, in the middle of three draws. */
async function slowness(service: () => SimulatedService, items: number, hint: SimulatedHint) {
	const times: number[] = [];
	for (const seed of [1, 2, 3]) {
		const { time, failed } = await simulate({ service: service(), items, latency: 60, hint, seed });
		expect(failed).toBe(0);
		times.push(time / shortestTime(service(), items));
	}
	return times.sort((one, other) => one - other)[1];
}

const hints: SimulatedHint[] = ['seconds', 'date', 'nothing'];

/** The limiter's acceptance, in simulated time; docs/benchmarks.md has the figures. */
describe('The time of all items', () => {
	it.each([10, 60, 500])('is that of five windows of %i a minute', async (limit) => {
		const { time, failed } = await simulate({ service: windows(limit), items: 5 * limit });
		expect(failed).toBe(0);
		expect(time / 241_000).toBeLessThan(1.1);
	});

	it.each([
		[10, 60],
		[60, 300],
	])(
		'is that of a bucket of %i a minute, of which at most a quarter of the requests is rejected',
		async (perMinute, items) => {
			const plan = { service: bucket(perMinute), items };
			const { time, sent, refused, failed } = await simulate(plan);
			expect(failed).toBe(0);
			expect(time / ((items - perMinute) * (60_000 / perMinute))).toBeLessThan(1.05);
			expect(refused / sent).toBeLessThan(0.25);
		},
	);

	const bursts = [7, 20, 45, 90].flatMap((every) => hints.map((hint) => [every, hint] as const));

	it.each(bursts)(
		'is little longer if all is rejected for 2 s in every %i s, hint: %s',
		async (every, hint) => {
			for (const burst of [1, 5]) {
				const service = () => withOutages(bucket(300, burst), { every: 1_000 * every });
				expect(await slowness(service, 450, hint)).toBeLessThan(1.6);
			}
		},
	);

	// Hints of whole seconds are late by as much as the outages begin between two; 2 s leave no time for that.
	const outages = [
		[2_000, 0],
		[1_000, 0],
		[1_000, 300],
		[1_000, 600],
	].flatMap(([down, phase]) => hints.map((hint) => ({ down, phase, hint })));

	it.each(outages)(
		'is little longer if all is rejected for $down ms in every 3 s, from $phase ms on, hint: $hint',
		async ({ down, phase, hint }) => {
			const service = () => withOutages(bucket(300, 1), { down, every: 3_000, phase });
			expect(await slowness(service, 450, hint)).toBeLessThan(1.6);
		},
	);

	it('is little longer if one in twenty is rejected at random', async () => {
		const alone = await simulate({ service: unlimited(), items: 1_000 });
		const service = atRandom(0.05, drawn(5));
		expect((await simulate({ service, items: 1_000 })).time / alone.time).toBeLessThan(1.6);
	});

	it.each(hints)('is not that of one item which is always rejected, hint: %s', async (hint) => {
		const plan = { items: 300, hint };
		const alone = await simulate({ ...plan, service: unlimited() });
		const { lastAnswer, failed } = await simulate({ ...plan, service: refusing(20, unlimited()) });
		expect(failed).toBe(1);
		expect(lastAnswer / alone.time).toBeLessThan(1.1);
	});

	it.each([2, 10])('is that of the plan if %i processes share it', async (processes) => {
		for (const service of [bucket(60), windows(60)]) {
			const { time, failed } = await simulate({ service, items: 300, processes });
			expect(failed).toBe(0);
			expect(time / 240_000).toBeLessThan(2.5);
		}
	});
});
