import type { Bench } from '../bench.cjs';
import { contest } from '../contest.cjs';
import type { Contender } from '../contenders.cjs';
import { ratioOf, spreadOf } from '../statistics.cjs';

const items = 500;
const width = 5;
const everybody: Contender[] = ['ours', 'peer', 'smallest', 'raw'];

/** What it costs to check and to send many options. */
export const options: Bench = {
	name: 'options',
	about: `${items} pages scraped with all options set and immediate responses, ${width} in flight`,
	async run(repeats) {
		const reports = await contest({
			contenders: everybody,
			behaviour: { latency: 0 },
			task: { kind: 'scrape' },
			items,
			width,
			repeats,
		});
		const cpu = (contender: Contender) => reports[contender].map((report) => report.cpu / items);
		const ratio = (contender: Contender) => ratioOf(cpu(contender), cpu('smallest'));
		const figures = [
			{
				name: 'CPU per item (ms)',
				digits: 2,
				of: Object.fromEntries(everybody.map((each) => [each, spreadOf(cpu(each))])),
			},
			{
				name: '… × the smallest node',
				digits: 2,
				of: { ours: ratio('ours'), peer: ratio('peer'), raw: ratio('raw') },
				goals: [{ words: '≤ 1.4', value: ratio('ours').median, most: 1.4 }],
			},
		];
		const notes = [
			'All options are those that each pack has: 23 and 2 formats here, 16 and 2 formats in the official pack.',
		];
		return { figures, notes };
	},
};
