import { countTo, type Bench, type Figure } from '../bench.cjs';
import { contest } from '../contest.cjs';
import {
	bucket,
	refusing,
	shortestTime,
	unlimited,
	windows,
	withOutages,
	type SimulatedHint,
} from '../simulatedServices.cjs';
import { simulate, type Simulated, type Simulation } from '../simulation.cjs';
import { ratioOf, spreadOf } from '../statistics.cjs';

const minute = 60_000;

/** One simulated row: the plan of a draw, and the shortest possible time. */
interface Row {
	name: string;
	plan(seed: number): Simulation;
	ideal: number;
	/** Most times the ideal, and most percent rejected. */
	most: { time: number; share?: number };
}

/** Five windows' worth: four resets, and a round of responses. */
const windowRow = (limit: number): Row => ({
	name: `Windows of ${limit} a minute`,
	plan: (seed) => ({ service: windows(limit), items: 5 * limit, seed }),
	ideal: 4 * minute + 1_000,
	most: { time: 1.1 },
});

const bucketRow = (hint: SimulatedHint): Row => ({
	name: `Bucket of 60 a minute, 300 items, hint: ${hint}`,
	plan: (seed) => ({ service: bucket(60), items: 300, hint, seed }),
	ideal: 4 * minute,
	most: { time: 1.05, share: 25 },
});

/** Bursts of rejections on a bucket of 5/s, in which nothing has to collapse. */
const outageRow = (down: number, every: number, most: number, hint: SimulatedHint): Row => {
	const outages = { down: 1_000 * down, every: 1_000 * every };
	const service = () => withOutages(bucket(300, most), outages);
	return {
		name: `5/s, all rejected for ${down} s in every ${every} s, 450 items, hint: ${hint}`,
		plan: (seed) => ({ service: service(), items: 450, latency: 60, hint, seed }),
		ideal: shortestTime(service(), 450),
		most: { time: 1.6 },
	};
};

const sharedRow = (
	processes: number,
	words: string,
	service: () => Simulation['service'],
): Row => ({
	name: `${processes} processes on ${words}, 300 items`,
	plan: (seed) => ({ service: service(), items: 300, processes, seed }),
	ideal: 4 * minute,
	most: { time: 2.5 },
});

const rows: Row[] = [
	...[10, 60, 500].map(windowRow),
	...(['seconds', 'text', 'nothing'] as const).map(bucketRow),
	...(['seconds', 'date', 'nothing'] as const).flatMap((hint) => [
		...[1, 2].map((down) => outageRow(down, 3, 1, hint)),
		...[7, 20, 45, 90].map((every) => outageRow(2, every, 5, hint)),
	]),
	...[2, 10].flatMap((processes) => [
		sharedRow(processes, 'windows of 60 a minute', () => windows(60)),
		sharedRow(processes, 'a bucket of 60 a minute', () => bucket(60)),
	]),
];

const goal = (value: number, most: number) => [{ words: `≤ ${most}`, value, most }];

async function figuresOf({ name, plan, ideal, most }: Row, repeats: number): Promise<Figure[]> {
	const runs: Simulated[] = [];
	for (const seed of countTo(repeats)) runs.push(await simulate(plan(seed)));
	const time = spreadOf(runs.map((run) => run.time / ideal));
	const share = spreadOf(runs.map(({ refused, sent }) => (100 * refused) / sent));
	const failed = Math.max(...runs.map((run) => run.failed));
	return [
		{
			name: `${name}: time × the ideal`,
			digits: 2,
			of: { ours: time },
			goals: goal(time.median, most.time),
		},
		{
			name: '… rejected, % of sent',
			digits: 1,
			of: { ours: share },
			...(most.share !== undefined && { goals: goal(share.median, most.share) }),
		},
		{ name: '… items that failed', of: { ours: failed }, goals: goal(failed, 0) },
	];
}

/** Searches of which one is always rejected, and the others never. */
async function refusedFigure(hint: SimulatedHint, repeats: number): Promise<Figure> {
	const others: number[] = [];
	for (const seed of countTo(repeats)) {
		const plan = { items: 300, hint, seed };
		const run = await simulate({ ...plan, service: refusing(20, unlimited()) });
		const alone = await simulate({ ...plan, service: unlimited() });
		others.push(run.lastAnswer / alone.time);
	}
	const ours = spreadOf(others);
	return {
		name: `One of 300 searches is always rejected, hint: ${hint}: time of the others × alone`,
		digits: 2,
		of: { ours },
		goals: goal(ours.median, 1.1),
	};
}

/** Without limits, over HTTP: beside the smallest node with 50 in flight. */
async function unlimitedFigure(repeats: number): Promise<Figure> {
	const workload = { task: 'search', items: 500, width: 50, latency: 1_000 } as const;
	const reports = await contest(['ours', 'smallest'], workload, Math.min(repeats, 3));
	const wall = (contender: 'ours' | 'smallest') => reports[contender].map((report) => report.wall);
	const ours = ratioOf(wall('ours'), wall('smallest'));
	return {
		name: 'No limit, responses after 1 s, 500 searches over HTTP: time × the smallest node with 50 in flight',
		digits: 2,
		of: { ours },
		goals: goal(ours.median, 1.3),
	};
}

/** How fast the node is by itself, whatever the service takes. */
export const pace: Bench = {
	name: 'pace',
	about:
		'services of every kind with default options: simulated with the real rate limiter and retries on a driven clock',
	async run(repeats) {
		const figures: Figure[] = [await unlimitedFigure(repeats)];
		for (const row of rows) figures.push(...(await figuresOf(row, repeats)));
		for (const hint of ['seconds', 'date', 'nothing'] as const) {
			figures.push(await refusedFigure(hint, repeats));
		}
		return { figures };
	},
};
