import { seededRandom } from '../../test/seededRandom.cjs';
import { countTo, ratioOf, spreadOf, type Bench, type Figure } from '../bench.cjs';
import { contest } from '../contest.cjs';
import {
	atRandom,
	bucket,
	refusing,
	shortestTime,
	unlimited,
	windows,
	withOutages,
	type SimulatedHint,
	type SimulatedService,
} from '../simulatedServices.cjs';
import { simulate, type Simulation } from '../simulation.cjs';

const minute = 60_000;

/** A plan that the rate limiter must keep up with. */
export interface Row {
	name: string;
	plan(seed: number): Simulation;
	/** The shortest possible time, or that without any limit. */
	ideal(seed: number): Promise<number> | number;
	/** Most times the ideal. */
	most: number;
	/** Most percent of the requests that are rejected. */
	mostRejected?: number;
	/** Items that get no response. */
	lost?: number;
}

/** Five windows' worth: four resets, and a round of responses. */
const windowRow = (limit: number): Row => ({
	name: `windows of ${limit} a minute`,
	plan: (seed) => ({ service: windows(limit), items: 5 * limit, seed }),
	ideal: () => 4 * minute + 1_000,
	most: 1.1,
});

/** Five windows' worth of short windows, whose reset is only told in words, in whole seconds. */
const shortWindowRow: Row = {
	name: 'windows of 20 in 6 s, 100 items',
	plan: (seed) => ({ service: windows(20, 6_000), items: 100, latency: 100, hint: 'text', seed }),
	ideal: () => 4 * 6_000 + 1_000,
	most: 1.25,
	mostRejected: 15,
};

const bucketRow = (hint: SimulatedHint): Row => ({
	name: `a bucket of 60 a minute, 300 items, hint: ${hint}`,
	plan: (seed) => ({ service: bucket(60), items: 300, hint, seed }),
	ideal: () => 4 * minute,
	most: 1.05,
	mostRejected: 25,
});

/** A bucket of 5/s that rejects all for some seconds in every so many, 450 items. */
const outageRow = (
	down: number,
	every: number,
	burst: number,
	hint: SimulatedHint,
	phase = 0,
): Row => {
	const outages = { down: 1_000 * down, every: 1_000 * every, phase: 1_000 * phase };
	const service = () => withOutages(bucket(300, burst), outages);
	return {
		name: `5/s in bursts of ${burst}, all rejected for ${down} s in every ${every} s, from ${phase} s on, hint: ${hint}`,
		plan: (seed) => ({ service: service(), items: 450, latency: 60, hint, seed }),
		ideal: () => shortestTime(service(), 450),
		most: 1.6,
	};
};

const sharedRow = (words: string, service: () => SimulatedService): Row => ({
	name: `10 processes on ${words}, 300 items`,
	plan: (seed) => ({ service: service(), items: 300, processes: 10, seed }),
	ideal: () => 4 * minute,
	most: 2.5,
});

/** The time of a plan at a service without limits. */
const timeAlone = async (plan: Omit<Simulation, 'service'>): Promise<number> =>
	(await simulate({ ...plan, service: unlimited })).time;

const randomRow = (): Row => ({
	name: 'one in twenty rejected at random, 1,000 items',
	plan: (seed) => ({ service: atRandom(0.05, seededRandom(5)), items: 1_000, seed }),
	ideal: async (seed) => await timeAlone({ items: 1_000, seed }),
	most: 1.6,
});

const refusedRow = (hint: SimulatedHint): Row => ({
	name: `one of 300 items always rejected, time of the others, hint: ${hint}`,
	plan: (seed) => ({ service: refusing(20), items: 300, hint, seed }),
	ideal: async (seed) => await timeAlone({ items: 300, hint, seed }),
	most: 1.1,
	lost: 1,
});

const hints: SimulatedHint[] = ['seconds', 'date', 'nothing'];

/** The acceptance of the rate limiter; test/unit/runtime/http/limiterPlans.test.cts holds it. */
export const rows: Row[] = [
	...[10, 60, 500].map(windowRow),
	shortWindowRow,
	...(['seconds', 'text', 'nothing'] as const).map(bucketRow),
	...hints.flatMap((hint) => [
		outageRow(2, 3, 1, hint),
		...[0, 0.3, 0.6].map((phase) => outageRow(1, 3, 1, hint, phase)),
		...[7, 20, 45, 90].flatMap((every) => [1, 5].map((burst) => outageRow(2, every, burst, hint))),
	]),
	sharedRow('windows of 60 a minute', () => windows(60)),
	sharedRow('a bucket of 60 a minute', () => bucket(60)),
	randomRow(),
	...hints.map(refusedRow),
];

/** What a row came to in so many draws. @throws where an item was lost that others got a response for */
export async function figuresOf(row: Row, draws: number): Promise<Figure[]> {
	const { name, plan, ideal, most, mostRejected, lost = 0 } = row;
	const times: number[] = [];
	const shares: number[] = [];
	for (const seed of countTo(draws)) {
		const { lastAnswer, sent, refused, failed } = await simulate(plan(seed));
		if (failed !== lost) throw new Error(`${name}: ${failed} items got no response`);
		times.push(lastAnswer / (await ideal(seed)));
		shares.push((100 * refused) / sent);
	}
	return [
		{ name: `${name}: time × the ideal`, digits: 2, ours: spreadOf(times), goal: { most } },
		{
			name: '… rejected, % of sent',
			digits: 1,
			ours: spreadOf(shares),
			...(mostRejected !== undefined && { goal: { most: mostRejected } }),
		},
	];
}

/** Without limits, over HTTP: beside the smallest node with 50 in flight. */
async function unlimitedFigure(repeats: number): Promise<Figure> {
	const workload = { task: 'search', items: 500, width: 50, latency: 1_000 } as const;
	const costs = await contest(['ours', 'smallest'], workload, Math.min(repeats, 3));
	const [ours, smallest] = [costs.ours, costs.smallest].map((all) => all.map(({ wall }) => wall));
	return {
		name: 'no limit, responses after 1 s, 500 searches over HTTP: time × the smallest node with 50 in flight',
		digits: 2,
		ours: ratioOf(ours, smallest),
		goal: { most: 1.3 },
	};
}

/** How fast the node is by itself, whatever the service takes. */
export const pace: Bench = {
	about:
		'services of every kind with default options: simulated with the real rate limiter and retries on a driven clock',
	async run(repeats) {
		const figures: Figure[] = [await unlimitedFigure(repeats)];
		for (const row of rows) figures.push(...(await figuresOf(row, repeats)));
		return figures;
	},
};
