import { Remote } from '../remote.cjs';
import type { HostilePause, HostileOrder } from '../hostileProcess.cjs';
import type { HostilePageCost, HostilePageOrder } from '../hostilePageProcess.cjs';
import { hostilePages } from '../../site/hostilePages.cjs';
import { hostileKinds } from '../hostileKinds.cjs';
import { countTo, type Bench, type Figure } from '../bench.cjs';
import { ratioOf, spreadOf } from '../statistics.cjs';

/** Bytes of a delivery or an answer. */
const size = 1_000_000;

/** What pages of each hostile kind cost, a megabyte of each and a tenth of that. */
async function pageFigures(repeats: number): Promise<Figure[]> {
	const remote = new Remote<HostilePageOrder, HostilePageCost>('hostilePageProcess.cjs');
	const figures: Figure[] = [];
	try {
		for (const kind of Object.keys(hostilePages)) {
			const large: HostilePageCost[] = [];
			const small: HostilePageCost[] = [];
			for (const round of countTo(repeats + 1)) {
				const costs = [
					await remote.ask({ kind, size }),
					await remote.ask({ kind, size: size / 10 }),
				];
				if (round === 1) continue;
				large.push(costs[0]);
				small.push(costs[1]);
			}
			const cpuOf = (costs: HostilePageCost[]) => costs.map(({ cpu }) => cpu);
			const pause = spreadOf(large.map((cost) => cost.pause));
			const ratio = ratioOf(cpuOf(large), cpuOf(small));
			figures.push(
				{
					name: `page: ${kind}`,
					of: { ours: pause },
					goals: [{ words: '≤ 100', value: pause.median, most: 100 }],
				},
				{ name: '… CPU of 100 kB', of: { ours: spreadOf(cpuOf(small)) } },
				{ name: '… CPU of 1 MB', of: { ours: spreadOf(cpuOf(large)) } },
				{
					name: '… × that of 100 kB',
					digits: 1,
					of: { ours: ratio },
					goals: [{ words: '≤ 10', value: ratio.median, most: 10 }],
				},
			);
		}
		return figures;
	} finally {
		await remote.end();
	}
}

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
					of: { ours, raw: spreadOf(pauses.map(({ floor }) => floor)) },
					goals: [{ words: '≤ 100', value: ours.median, most: 100 }],
				});
			}
		} finally {
			await remote.end();
		}
		for (const figure of await pageFigures(repeats)) figures.push(figure);
		const notes = [
			"A 'page' is made into passages, the smallest chunks, and a tool result with a question: the longest pause of these, and the CPU of all three.",
			"'undici alone' is no client here but the floor: JSON.parse of the same bytes, which n8n or its client does before the node is asked, or after.",
		];
		return { figures, notes };
	},
};
