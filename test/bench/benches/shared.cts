import type { Bench } from '../bench.cjs';
import { shortestTime, type Plan } from '../bucket.cjs';
import { Planned, type PlannedRun } from '../planned.cjs';
import { spreadOf } from '../statistics.cjs';

const items = 300;
const workflows = 2;
const plan: Plan = { perMinute: 60, inFlight: 5 };

/** How two workflows share what a plan allows. */
export const shared: Bench = {
	name: 'shared',
	about: `${workflows} workflows of ${items} searches each at once on one credential, against the bucket of the bench plan`,
	async run(repeats) {
		const planned = new Planned();
		try {
			const errand = { items, workflows, plan, repeats };
			const ours = await planned.run({ ...errand, contender: 'ours' });
			const peer = await planned.run({ ...errand, contender: 'peer' });
			const optimum = shortestTime(workflows * items, plan);
			const of = (figure: (run: PlannedRun) => number) => ({
				ours: spreadOf(ours.map(figure)),
				peer: spreadOf(peer.map(figure)),
			});
			const answered = of(({ cameOut }) => cameOut);
			const paidTwice = of((run) => run.paidTwice);
			const time = spreadOf(ours.map(({ times }) => Math.max(...times) / optimum));
			const refused = of((run) => (100 * run.refused) / run.sent);
			const apart = spreadOf(
				ours.map(({ times }) => 100 * (Math.max(...times) / Math.min(...times) - 1)),
			);
			const figures = [
				{
					name: `Items answered of ${workflows * items}`,
					of: answered,
					goals: [{ words: 'all', value: workflows * items - answered.ours.least, most: 0 }],
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
					goals: [{ words: '≤ 1.10', value: time.median, most: 1.1 }],
				},
				{
					name: '… refused, % of sent',
					digits: 1,
					of: refused,
					goals: [{ words: '≤ 5', value: refused.ours.median, most: 5 }],
				},
				{
					name: 'Ends of the two workflows, % apart',
					digits: 1,
					of: { ours: apart },
					goals: [{ words: '≤ 20', value: apart.median, most: 20 }],
				},
			];
			return { figures };
		} finally {
			await planned.end();
		}
	},
};
