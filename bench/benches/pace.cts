import { countTo, type Bench, type Figure } from '../bench.cjs';
import { contest } from '../contest.cjs';
import type { Contender } from '../contenders.cjs';
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
} from '../simulatedServices.cjs';
import { simulate, type Simulated, type Simulation } from '../simulation.cjs';
import { ratioOf, spreadOf } from '../statistics.cjs';

const minute = 60_000;

/** One simulated row: the plan of a draw, the shortest possible time, and what is asked for. */
interface Row {
	name: string;
	plan(seed: number): Simulation;
	ideal: number | ((seed: number) => Promise<number>);
	/** Most times the ideal, most percent refused, most requests refused, most in flight, least end of the first process. */
	most: { time: number; share?: number; refused?: number; inFlight?: number; apart?: number };
}

/** Five windows' worth: four resets, and a round of answers. */
const windowRow = (limit: number, isHalfUsed: boolean): Row => ({
	name: `Windows of ${limit} a minute${isHalfUsed ? ', half used by others at first' : ''}`,
	plan: (seed) => ({
		service: isHalfUsed ? windows(limit, limit / 2, 20_000) : windows(limit),
		items: 5 * limit,
		seed,
	}),
	ideal: 4 * minute + 1_000 + (isHalfUsed ? 40_000 : 0),
	// One round of what is in flight, then two in a window.
	most: { time: 1.05, refused: Math.min(100, limit) + 2 * 5 },
});

const bucketRow = (hint: SimulatedHint): Row => ({
	name: `Bucket of 60 a minute, 300 items, hint: ${hint}`,
	plan: (seed) => ({ service: bucket(60), items: 300, hint, seed }),
	ideal: 4 * minute,
	most: { time: 1.15, share: 8 },
});

const randomRow = (probability: number, latency: number): Row => {
	const plan = (seed: number) => ({
		service: atRandom(probability, drawn(seed)),
		items: 300,
		latency,
		seed,
	});
	return {
		name: `${100 * probability} % rejected at random, responses after ${latency} ms, × 50 in flight without limiter`,
		plan,
		ideal: async (seed) => (await simulate({ ...plan(seed), isPaced: false, most: 50 })).time,
		most: { time: 2 },
	};
};

const outageRow = (words: string, hint: SimulatedHint, status: number): Row => ({
	name: `5/s, all rejected for 2 s in every 20 s, ${words}`,
	plan: (seed) => ({
		service: withOutages(bucket(300, 5), { status }),
		items: 300,
		latency: 100 + seed,
		hint,
		seed,
	}),
	ideal: 67_000,
	most: { time: 1.3 },
});

/** Bursts of rejections on a bucket of 5/s, in which nothing has to collapse. */
const burstRow = (every: number, hint: SimulatedHint): Row => {
	const service = () => withOutages(bucket(300, 5), { every: 1_000 * every });
	return {
		name: `5/s, all rejected for 2 s in every ${every} s, 450 items, hint: ${hint}`,
		plan: (seed) => ({ service: service(), items: 450, latency: 60, hint, seed }),
		ideal: shortestTime(service(), 450),
		most: { time: 1.5 },
	};
};

/** Others use half of each window, and a rejection does not say that it is one. */
const halfUsedRow = (hint: SimulatedHint): Row => {
	const service = () => usedByOthers(5, withoutReset(windows(10)));
	return {
		name: `Windows of 10 a minute, half used by others all the time, hint: ${hint}`,
		plan: (seed) => ({ service: service(), items: 100, latency: 60, hint, seed }),
		ideal: shortestTime(service(), 100),
		most: { time: 2 },
	};
};

const queueRow = (concurrency: number): Row => ({
	name: `Works on ${concurrency} at once, the others wait in line`,
	plan: (seed) => ({ service: queueing(concurrency), items: 120 * concurrency, seed }),
	ideal: 120 * 500,
	most: { time: 1 / 0.95, inFlight: 3 * concurrency },
});

const sharedRow = (
	processes: number,
	words: string,
	service: () => Simulation['service'],
	mostRefused = 15,
	mostApart = 30,
): Row => ({
	name: `${processes} processes on ${words}, 300 items`,
	plan: (seed) => ({ service: service(), items: 300, processes, seed }),
	ideal: 4 * minute,
	most: { time: 1.25, share: mostRefused, apart: mostApart },
});

const rows: Row[] = [
	...[10, 60, 500].flatMap((limit) => [windowRow(limit, false), windowRow(limit, true)]),
	...(['seconds', 'text', 'nothing'] as const).map(bucketRow),
	...[0.05, 0.1].flatMap((chance) => [randomRow(chance, 100), randomRow(chance, 500)]),
	outageRow('Retry-After', 'seconds', 429),
	outageRow('a date', 'date', 429),
	outageRow('no hint', 'nothing', 429),
	outageRow('503', 'seconds', 503),
	...[2, 5, 50].map(queueRow),
	...[2, 10].flatMap((processes) => [
		sharedRow(processes, 'windows of 60 a minute', () => windows(60)),
		sharedRow(processes, 'a bucket of 60 a minute', () => bucket(60), processes > 2 ? 25 : 15, 80),
	]),
	...[7, 20, 45].flatMap((every) =>
		(['seconds', 'date', 'nothing'] as const).map((hint) => burstRow(every, hint)),
	),
	...(['seconds', 'date', 'nothing'] as const).map(halfUsedRow),
];

async function figuresOf({ name, plan, ideal, most }: Row, repeats: number): Promise<Figure[]> {
	const runs: Simulated[] = [];
	const times: number[] = [];
	for (const seed of countTo(repeats)) {
		const run = await simulate(plan(seed));
		runs.push(run);
		times.push(run.time / (typeof ideal === 'number' ? ideal : await ideal(seed)));
	}
	const figure = (
		words: string,
		of: (run: Simulated, index: number) => number,
		goal?: number,
		digits = 0,
	): Figure[] => {
		if (goal === undefined) return [];
		const ours = spreadOf(runs.map(of));
		const shown = `≤ ${Number(goal.toFixed(2))}`;
		return [
			{
				name: words,
				digits,
				of: { ours },
				goals: [{ words: shown, value: ours.median, most: goal }],
			},
		];
	};
	return [
		...figure(`${name}: time × the ideal`, (_, index) => times[index], most.time, 2),
		...figure('… items that failed', ({ failed }) => failed, 0),
		...figure(
			'… rejected, % of sent',
			({ refused, sent }) => (100 * refused) / sent,
			most.share,
			1,
		),
		...figure('… rejected', ({ refused }) => refused, most.refused),
		...figure('… in flight', ({ mostInFlight }) => mostInFlight, most.inFlight),
		...figure(
			'… first end before the last, %',
			({ firstEnd, time }) => 100 * (1 - firstEnd / time),
			most.apart,
		),
	];
}

/** Searches that are limited, and scrapes that are not, on one credential. */
async function besideFigure(repeats: number): Promise<Figure> {
	const scrapes = { service: unlimited(), items: 10 };
	const runs: number[] = [];
	for (const seed of countTo(repeats)) {
		const { besideEnd } = await simulate({
			service: windows(10),
			items: 25,
			beside: scrapes,
			seed,
		});
		const alone = await simulate({ ...scrapes, seed });
		runs.push(besideEnd / alone.time);
	}
	const ours = spreadOf(runs);
	return {
		name: '10 scrapes without limit beside 25 searches on windows of 10 a minute: time × alone',
		digits: 2,
		of: { ours },
		goals: [{ words: '≤ 1.05', value: ours.median, most: 1.05 }],
	};
}

/** The time of the searches beside one that is always rejected, and how many of them failed. */
function othersFigures(name: string, others: number[], failed: number): Figure[] {
	const ours = spreadOf(others);
	return [
		{
			name,
			digits: 2,
			of: { ours },
			goals: [{ words: '≤ 1.1', value: ours.median, most: 1.1 }],
		},
		{
			name: '… others that failed',
			of: { ours: failed },
			goals: [{ words: '0', value: failed, most: 0 }],
		},
	];
}

/** Searches of which one is always rejected, and the others never. */
async function refusedFigure(hint: SimulatedHint, repeats: number): Promise<Figure[]> {
	const others: number[] = [];
	let failed = 0;
	for (const seed of countTo(repeats)) {
		const plan = { items: 300, latency: 500, hint, seed };
		const run = await simulate({ ...plan, service: refusing(20, unlimited()) });
		const alone = await simulate({ ...plan, service: unlimited() });
		failed = Math.max(failed, run.failed - 1);
		others.push(run.lastAnswer / alone.time);
	}
	return othersFigures(
		`One of 300 searches is always rejected, hint: ${hint}: time of the others × alone`,
		others,
		failed,
	);
}

/** A search that is always rejected, beside others that come one by one and never are, after an outage. */
async function refusedBesideFigure(hint: SimulatedHint, repeats: number): Promise<Figure[]> {
	const others: number[] = [];
	let failed = 0;
	for (const seed of countTo(repeats)) {
		const service = () => withOutages(unlimited(), { down: 5_000, every: 100_000 });
		const plan = { items: 100, every: 1_500, hint, seed };
		const run = await simulate({ ...plan, service: refusing(3, service()) });
		const alone = await simulate({ ...plan, service: service() });
		failed = Math.max(failed, run.failed - 1);
		others.push(run.itemTime / 99 / (alone.itemTime / 100));
	}
	return othersFigures(
		`One search is always rejected beside others every 1.5 s, hint: ${hint}: time of each of the others × without it`,
		others,
		failed,
	);
}

const plans = 1000;

/** Plans of any kind, each × its ideal: of windows and buckets, of answers fast and slow. */
async function randomPlans(): Promise<Figure[]> {
	const times: number[] = [];
	let failed = 0;
	for (const seed of countTo(plans)) {
		const random = drawn(seed);
		const limit = 5 + Math.floor(115 * random());
		const latency = 50 + 1_950 * random();
		const isWindow = random() < 0.5;
		const run = await simulate({
			service: isWindow ? windows(limit) : bucket(limit),
			items: 3 * limit,
			latency,
			seed,
		});
		failed += run.failed;
		times.push(run.time / (2 * minute + latency));
	}
	const ours = spreadOf(times);
	return [
		{
			name: `${plans} drawn windows and buckets: time × the ideal, median and worst`,
			digits: 2,
			of: { ours },
			goals: [{ words: 'median ≤ 1.05', value: ours.median, most: 1.05 }],
		},
		{
			name: '… items that failed',
			of: { ours: failed },
			goals: [{ words: '0', value: failed, most: 0 }],
		},
	];
}

const searches = 500;
const measured: Contender[] = ['ours', 'peer', 'raw'];

/** Without limits, over HTTP: beside a client with 50 in flight. */
async function unlimitedFigure(latency: number, most: number, repeats: number): Promise<Figure> {
	const reports = await contest({
		contenders: measured,
		behaviour: { latency },
		task: { kind: 'search' },
		items: searches,
		width: 50,
		isAutomatic: true,
		goOn: true,
		repeats,
	});
	const wall = (contender: Contender) => reports[contender].map((report) => report.wall);
	const ratio = ratioOf(wall('ours'), wall('raw'));
	return {
		name: `No limit, responses after ${latency} ms, ${searches} searches over HTTP: time × undici with 50 in flight`,
		digits: 2,
		of: { ours: ratio, peer: ratioOf(wall('peer'), wall('raw')), raw: 1 },
		goals: [{ words: `≤ ${most}`, value: ratio.median, most }],
	};
}

/** How fast the node is by itself, whatever the service takes. */
export const pace: Bench = {
	name: 'pace',
	about:
		'services of every kind with default options: simulated with the real rate limiter and retries on a driven clock',
	async run(repeats) {
		const figures: Figure[] = [
			await unlimitedFigure(1_000, 1.3, Math.min(repeats, 3)),
			await unlimitedFigure(100, 1.6, repeats),
		];
		for (const row of rows) figures.push(...(await figuresOf(row, repeats)));
		figures.push(await besideFigure(repeats));
		for (const hint of ['seconds', 'date', 'nothing'] as const) {
			figures.push(...(await refusedFigure(hint, repeats)));
			figures.push(...(await refusedBesideFigure(hint, repeats)));
		}
		figures.push(...(await randomPlans()));
		return { figures };
	},
};
