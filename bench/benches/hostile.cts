import { Remote } from '../remote.cjs';
import type { HostilePause, HostileOrder } from '../hostileProcess.cjs';
import { hostileKinds } from '../hostileKinds.cjs';
import { countTo, type Bench, type Figure } from '../bench.cjs';
import { spreadOf } from '../statistics.cjs';

/** Bytes of a webhook request, a response or a page. */
const size = 1_000_000;

/** The longest pause of the event loop for the worst megabyte of each kind that strangers can send. */
export const hostile: Bench = {
	name: 'hostile',
	about: `Longest pause of the event loop for the worst ${size / 1e6} MB of each kind (ms)`,
	async run(repeats) {
		const remote = new Remote<HostileOrder, HostilePause>('hostileProcess.cjs', {});
		const figures: Figure[] = [];
		try {
			for (const name of hostileKinds) {
				const pauses: HostilePause[] = [];
				// The first loads and compiles.
				for (const round of countTo(repeats + 1)) {
					const pause = await remote.ask({ name, size });
					if (round > 1) pauses.push(pause);
				}
				const ours = spreadOf(pauses.map(({ node }) => node));
				figures.push({
					name,
					of: { ours, floor: spreadOf(pauses.map(({ floor }) => floor)) },
					goals: [{ words: '≤ 100', value: ours.median, most: 100 }],
				});
			}
		} finally {
			await remote.end();
		}
		return { figures };
	},
};
