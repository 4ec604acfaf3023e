import type { Hint } from '../api.cjs';
import { type Bench, type Figure, type Findings, type Point } from '../bench.cjs';
import type { Plan } from '../bucket.cjs';
import type { Contender } from '../contenders.cjs';
import { Planned } from '../planned.cjs';
import { plannedFigures } from '../plannedFigures.cjs';
import { spreadOf } from '../statistics.cjs';

const items = 300;
const plan: Plan = { perMinute: 60, inFlight: 5 };

const hints: Record<Hint, string> = {
	header: 'Retry-After',
	text: 'the wait only in the text',
	nothing: 'no wait named',
};

/** How often those are run at the most whose figures nobody judges. */
const fewer = 3;

/** Plans of the plot, in requests per minute; each is asked for three minutes' worth. */
const limits = [15, 30, 60, 120, 240];

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
				const workload = { items, plan, hint };
				const ours = await planned.run({ ...workload, contender: 'ours', repeats });
				// These have no goal.
				const others = { ...workload, repeats: Math.min(repeats, fewer) };
				const peer = await planned.run({ ...others, contender: 'peer' });
				const smallest = await planned.run({ ...others, contender: 'smallest' });
				figures.push(
					...plannedFigures({ items, plan, words: hints[hint] }, { ours, peer, smallest }),
				);
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
