import type { Figure } from './bench.cjs';
import { shortestTime, type Plan } from './bucket.cjs';
import type { Contender } from './contenders.cjs';
import type { PlannedRun } from './planned.cjs';
import { spreadOf } from './statistics.cjs';

/** The runs of contenders against a plan, this pack's among them. */
type PlannedRuns = Partial<Record<Contender, PlannedRun[]>> & { ours: PlannedRun[] };

/**
 * What is asked of whoever works against a plan: every one of the `items` answered, none paid twice, little
 * slower than the bucket allows, few requests refused. `words` say which runs these are.
 */
export function plannedFigures(
	{ items, plan, words }: { items: number; plan: Plan; words?: string },
	{ ours, ...others }: PlannedRuns,
): Figure[] {
	const of = (figure: (run: PlannedRun) => number) => ({
		ours: spreadOf(ours.map(figure)),
		...Object.fromEntries(
			Object.entries(others).map(([contender, each]) => [contender, spreadOf(each.map(figure))]),
		),
	});
	const optimum = shortestTime(items, plan);
	const cameOut = of((run) => run.cameOut);
	const paidTwice = of((run) => run.paidTwice);
	const { ours: time } = of(({ times }) => Math.max(...times) / optimum);
	const refused = of((run) => (100 * run.refused) / run.sent);
	return [
		{
			name: `Items completed of ${items}${words ? ` (${words})` : ''}`,
			of: cameOut,
			goals: [{ words: 'all', value: items - cameOut.ours.least, most: 0 }],
		},
		{
			name: '… paid twice',
			of: paidTwice,
			goals: [{ words: '0', value: paidTwice.ours.most, most: 0 }],
		},
		{
			name: "… time × the bucket's optimum",
			digits: 2,
			of: { ours: time },
			goals: [{ words: '≤ 1.15', value: time.median, most: 1.15 }],
		},
		{
			name: '… rejected, % of sent',
			digits: 1,
			of: refused,
			goals: [{ words: '≤ 5', value: refused.ours.median, most: 5 }],
		},
	];
}
