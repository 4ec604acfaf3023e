import { Remote } from '../remote.cjs';
import type { HostilePause, HostileOrder } from '../hostileProcess.cjs';
import type { HostilePageCost, HostilePageOrder } from '../hostilePageProcess.cjs';
import { hostilePages } from '../../test/mock/site/hostilePages.cjs';
import { hostileKinds } from '../hostileKinds.cjs';
import { countTo, type Bench, type Figure } from '../bench.cjs';
import { ratioOf, spreadOf } from '../statistics.cjs';

/** Bytes of a webhook request, a response or a page. */
const size = 1_000_000;

/** Small pages that are as large as a large one. */
const smallPages = 10;

/** Starts node with a young generation that holds all objects of a measurement, so that none is collected. */
const withoutCollections = [
	'--expose-gc',
	'--min-semi-space-size=1024',
	'--max-semi-space-size=1024',
];

/** Linear work takes 10. */
const mostRatio = 10;

/** Rounds before the first that counts: the first two compile. */
const warmUps = 2;

/** The costs of a large page and of small ones of each kind, round by round. */
interface PageCosts {
	large: HostilePageCost[];
	small: HostilePageCost[];
}

/** Measures the pages of each kind in one process. */
async function pageCosts(repeats: number, execArgv: string[]): Promise<Map<string, PageCosts>> {
	const remote = new Remote<HostilePageOrder, HostilePageCost>('hostilePageProcess.cjs', {
		execArgv,
	});
	const costs = new Map<string, PageCosts>();
	try {
		for (const kind of Object.keys(hostilePages)) {
			const each: PageCosts = { large: [], small: [] };
			for (const round of countTo(repeats + warmUps)) {
				const large = await remote.ask({ kind, size, count: 1 });
				const small = await remote.ask({ kind, size: size / smallPages, count: smallPages });
				if (round <= warmUps) continue;
				each.large.push(large);
				each.small.push(small);
			}
			costs.set(kind, each);
		}
		return costs;
	} finally {
		await remote.end();
	}
}

const cpuOf = (costs: HostilePageCost[]) => costs.map(({ cpu }) => cpu);

const cpuRatio = ({ large, small }: PageCosts) => ratioOf(cpuOf(large), cpuOf(small));

/** @throws if garbage was collected in a process that should not */
function requireNoCollections(kind: string, { large, small }: PageCosts): void {
	const collected = [...large, ...small].some(({ collections }) => collections > 0);
	if (collected) throw new Error(`Garbage was collected during ${kind}`);
}

/** The figures of pages of each hostile kind: a megabyte, and a tenth of that. */
async function pageFigures(repeats: number): Promise<Figure[]> {
	const usual = await pageCosts(repeats, []);
	const uncollected = await pageCosts(repeats, withoutCollections);
	return [...usual].flatMap(([kind, costs]): Figure[] => {
		const alone = uncollected.get(kind);
		if (!alone) throw new Error(`${kind} was not measured`);
		requireNoCollections(kind, alone);
		const pause = spreadOf(costs.large.map((cost) => cost.pause));
		const ratio = cpuRatio(alone);
		return [
			{
				name: `page: ${kind}`,
				of: { ours: pause },
				goals: [{ words: '≤ 100', value: pause.median, most: 100 }],
			},
			{ name: '… CPU of 100 kB', of: { ours: spreadOf(cpuOf(costs.small)) } },
			{ name: '… CPU of 1 MB', of: { ours: spreadOf(cpuOf(costs.large)) } },
			{ name: '… × that of 100 kB', digits: 1, of: { ours: cpuRatio(costs) } },
			{
				name: '… × that of 100 kB, without garbage collection',
				digits: 1,
				of: { ours: ratio },
				goals: [{ words: `≤ ${mostRatio}`, value: ratio.median, most: mostRatio }],
			},
		];
	});
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
			"A 'page' is made into passages, the smallest chunks, and a tool result with a question: the longest pause of these, and the CPU of all three, garbage collection included.",
			"'undici alone' is no client here but the floor: JSON.parse of the same bytes, which n8n or its client does before the node is asked, or after.",
		];
		return { figures, notes };
	},
};
