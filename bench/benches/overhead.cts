import type { Bench, Figure } from '../bench.cjs';
import { contest, type Reports } from '../contest.cjs';
import type { Contender } from '../contenders.cjs';
import { ratioOf, spreadOf, type Spread } from '../statistics.cjs';

const items = 500;
/** Where waiting is most of the time, fewer show the same. */
const lateItems = 100;
/** As many requests in flight as the node has by itself. */
const width = 5;

const inN8nAndRaw: Contender[] = ['ours', 'peer', 'smallest', 'raw'];
const everybody: Contender[] = [...inN8nAndRaw, 'raw anew'];

const cpuPerItem = (reports: Reports, contender: Contender) =>
	reports[contender].map(({ cpu }) => cpu / items);
const wall = (reports: Reports, contender: Contender) =>
	reports[contender].map((report) => report.wall);

const each = (contenders: Contender[], of: (contender: Contender) => number[]) =>
	Object.fromEntries(
		contenders.map((contender): [Contender, Spread] => [contender, spreadOf(of(contender))]),
	);

/** What the node costs on top of n8n, and n8n on top of the network. */
export const overhead: Bench = {
	name: 'overhead',
	about: `${items} searches with immediate responses, and ${lateItems} with responses after 100 ms, ${width} in flight`,
	async run(repeats) {
		const task = { kind: 'search' } as const;
		const common = { task, items, width, repeats };
		const atOnce = await contest({
			...common,
			contenders: everybody,
			behaviour: { latency: 0 },
		});
		const late = await contest({
			...common,
			items: lateItems,
			contenders: inN8nAndRaw,
			behaviour: { latency: 100 },
		});
		const cpu = (contender: Contender) => cpuPerItem(atOnce, contender);
		const time = (contender: Contender) => wall(late, contender);
		const cpuRatio = (contender: Contender) => ratioOf(cpu(contender), cpu('smallest'));
		const timeRatio = (contender: Contender) => ratioOf(time(contender), time('smallest'));
		const toRaw = ratioOf(time('ours'), time('raw'));
		const figures: Figure[] = [
			{ name: 'CPU per item at 0 ms (ms)', digits: 2, of: each(everybody, cpu) },
			{
				name: '… × the smallest node',
				digits: 2,
				of: { ours: cpuRatio('ours'), peer: cpuRatio('peer'), raw: cpuRatio('raw') },
				goals: [{ words: '≤ 1.2', value: cpuRatio('ours').median, most: 1.2 }],
			},
			{ name: 'Wall time at 100 ms (ms)', digits: 0, of: each(inN8nAndRaw, time) },
			{
				name: '… × the smallest node',
				digits: 3,
				of: { ours: timeRatio('ours'), peer: timeRatio('peer'), raw: timeRatio('raw') },
				goals: [{ words: '≤ 1.05', value: timeRatio('ours').median, most: 1.05 }],
			},
			{
				name: '… × undici alone',
				digits: 3,
				of: { ours: toRaw },
				goals: [{ words: '≤ 1.15', value: toRaw.median, most: 1.15 }],
			},
		];
		const notes = [
			`The official pack bounds nothing: it has all ${lateItems} requests in flight, so its wall time is no comparison.`,
			"n8n's client closes each connection: what that costs is the difference between the two columns of undici.",
		];
		return { figures, notes };
	},
};
