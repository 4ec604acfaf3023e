import type { Bench, Figure } from '../bench.cjs';
import { contest } from '../contest.cjs';
import type { Contender, Task } from '../contenders.cjs';
import { ratioOf, spreadOf } from '../statistics.cjs';

const items = 500;
/** Requests of the smallest node in flight. */
const width = 5;

const contenders: Contender[] = ['ours', 'peer', 'smallest'];

/** The CPU of a task: per item, and in relation to the smallest node's. */
async function cpuFigures(
	name: string,
	task: Task,
	most: number,
	repeats: number,
): Promise<Figure[]> {
	const reports = await contest(contenders, { task, items, width, latency: 0 }, repeats);
	const cpu = (contender: Contender) => reports[contender].map((report) => report.cpu / items);
	const ratio = (contender: Contender) => ratioOf(cpu(contender), cpu('smallest'));
	return [
		{
			name: `${name}: CPU per item (ms)`,
			digits: 2,
			of: Object.fromEntries(contenders.map((each) => [each, spreadOf(cpu(each))])),
		},
		{
			name: '… × the smallest node',
			digits: 2,
			of: { ours: ratio('ours'), peer: ratio('peer') },
			goals: [{ words: `≤ ${most}`, value: ratio('ours').median, most }],
		},
	];
}

/** What the node costs on top of n8n. */
export const overhead: Bench = {
	name: 'overhead',
	about: `${items} searches, and ${items} pages scraped with all options set, with immediate responses`,
	async run(repeats) {
		return {
			figures: [
				...(await cpuFigures('Search', 'search', 1.3, repeats)),
				...(await cpuFigures('Scrape', 'scrape', 1.4, repeats)),
			],
		};
	},
};
