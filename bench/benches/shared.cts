import type { Bench } from '../bench.cjs';
import type { Plan } from '../bucket.cjs';
import { Planned } from '../planned.cjs';
import { plannedFigures } from '../plannedFigures.cjs';
import { spreadOf } from '../statistics.cjs';

const items = 300;
const workflows = 2;
/** A run is of ten minutes on the bucket's clock. */
const mostRepeats = 3;
const plan: Plan = { perMinute: 60, inFlight: 5 };

/** How two workflows share what a plan allows. */
export const shared: Bench = {
	name: 'shared',
	about: `${workflows} workflows of ${items} searches each at once on one credential, against the bucket of the bench plan`,
	async run(repeats) {
		const planned = new Planned();
		try {
			const workload = { items, workflows, plan, repeats: Math.min(repeats, mostRepeats) };
			const ours = await planned.run({ ...workload, contender: 'ours' });
			const peer = await planned.run({ ...workload, contender: 'peer' });
			const apart = spreadOf(
				ours.map(({ times }) => 100 * (Math.max(...times) / Math.min(...times) - 1)),
			);
			const figures = [
				...plannedFigures({ items: workflows * items, plan }, { ours, peer }),
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
