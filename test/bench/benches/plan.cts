import type { Hint } from '../api.cjs';
import { type Bench, type Figure, type Findings, type Point } from '../bench.cjs';
import { shortestTime, type Plan } from '../bucket.cjs';
import type { Contender } from '../contenders.cjs';
import { Planned, type PlannedRun } from '../planned.cjs';
import { spreadOf } from '../statistics.cjs';

const items = 300;
const plan: Plan = { perMinute: 60, inFlight: 5 };

const hints: Record<Hint, string> = {
	header: 'Retry-After',
	text: 'the wait only in the text',
	nothing: 'no wait named',
};

/** Plans of the plot, in requests per minute; each is asked for three minutes' worth. */
const limits = [15, 30, 60, 120, 240];

const percent = (part: number, whole: number) => (100 * part) / whole;

/** The figures of this pack under one kind of refusal, beside those who do not repeat what is refused. */
function figuresOf(
	hint: Hint,
	runs: Partial<Record<Contender, PlannedRun[]>>,
	ours: PlannedRun[],
): Figure[] {
	const optimum = shortestTime(items, plan);
	const of = (figure: (run: PlannedRun) => number): Figure['of'] =>
		Object.fromEntries(
			Object.entries(runs).map(([contender, each]) => [contender, spreadOf(each.map(figure))]),
		);
	const worst = (figure: (run: PlannedRun) => number) => Math.max(...ours.map(figure));
	const ofOurs = (figure: (run: PlannedRun) => number) => spreadOf(ours.map(figure));
	const time = ofOurs(({ times }) => times[0] / optimum);
	const refused = of((run) => percent(run.refused, run.sent));
	const words = hints[hint];
	return [
		{
			name: `Items answered of ${items} (${words})`,
			of: of(({ cameOut }) => cameOut),
			goals: [
				{ words: 'all', value: items - Math.min(...ours.map((run) => run.cameOut)), most: 0 },
			],
		},
		{
			name: '… paid twice',
			of: of(({ paidTwice }) => paidTwice),
			goals: [{ words: '0', value: worst(({ paidTwice }) => paidTwice), most: 0 }],
		},
		{
			name: "… time × the bucket's optimum",
			digits: 2,
			of: { ours: time },
			goals: [{ words: '≤ 1.10', value: time.median, most: 1.1 }],
		},
		{
			name: '… refused, % of sent',
			digits: 1,
			of: refused,
			goals: [
				{
					words: '≤ 5',
					value: ofOurs((run) => percent(run.refused, run.sent)).median,
					most: 5,
				},
			],
		},
	];
}

/** What is answered per minute once the bucket is empty. */
async function throughput(planned: Planned, contender: Contender, repeats: number) {
	const points: Point[] = [];
	for (const perMinute of limits) {
		const runs = await planned.run({
			contender,
			items: 3 * perMinute,
			plan: { perMinute, inFlight: 5 },
			repeats,
		});
		const perRun = runs.map(
			({ cameOut, times }) => (Math.max(0, cameOut - perMinute) * 60_000) / times[0],
		);
		points.push({ limit: perMinute, throughput: spreadOf(perRun).median });
	}
	return points;
}

/** How close the node keeps to what a plan allows. */
export const planBench: Bench = {
	name: 'plan',
	about: `${items} searches against a bucket of ${plan.perMinute} per minute, ${plan.inFlight} in flight, on an accelerated clock`,
	async run(repeats): Promise<Findings> {
		const planned = new Planned();
		try {
			const figures: Figure[] = [];
			for (const hint of ['header', 'text', 'nothing'] as const) {
				const errand = { items, plan, hint, repeats };
				const ours = await planned.run({ ...errand, contender: 'ours' });
				const peer = await planned.run({ ...errand, contender: 'peer' });
				const smallest = await planned.run({ ...errand, contender: 'smallest' });
				figures.push(...figuresOf(hint, { ours, peer, smallest }, ours));
			}
			const plot = {
				ours: await throughput(planned, 'ours', 1),
				peer: await throughput(planned, 'peer', 1),
			};
			const notes = [
				"Neither the official pack nor the smallest node repeats what is refused. With 'On Error' on continue, what is let through at once comes out.",
			];
			return { figures, notes, plot };
		} finally {
			await planned.end();
		}
	},
};
