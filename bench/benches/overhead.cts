import { ratioOf, spreadOf, type Bench, type Figure } from '../bench.cjs';
import { contest, type Contender, type Task } from '../contest.cjs';

const items = 500;
/** Requests of the smallest node in flight. */
const width = 5;

/** The CPU of a task: per item, and in relation to the smallest node's. */
async function cpuFigures(task: Task, most: number, repeats: number): Promise<Figure[]> {
	const workload = { task, items, width, latency: 0 };
	const costs = await contest(['ours', 'peer', 'smallest'], workload, repeats);
	const cpu = (contender: Contender) => costs[contender].map((cost) => cost.cpu / items);
	return [
		{
			name: `${task}: CPU per item (ms)`,
			digits: 2,
			ours: spreadOf(cpu('ours')),
			others: {
				'official pack': spreadOf(cpu('peer')),
				'smallest node': spreadOf(cpu('smallest')),
			},
		},
		{
			name: `${task}: CPU × the smallest node's`,
			digits: 2,
			ours: ratioOf(cpu('ours'), cpu('smallest')),
			others: { 'official pack': ratioOf(cpu('peer'), cpu('smallest')) },
			goal: { most },
		},
	];
}

/** What the node costs on top of n8n. */
export const overhead: Bench = {
	about: `${items} searches, and ${items} pages scraped with all options set, with immediate responses`,
	run: async (repeats) => [
		...(await cpuFigures('search', 1.3, repeats)),
		...(await cpuFigures('scrape', 1.4, repeats)),
	],
};
