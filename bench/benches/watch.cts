import { bulkHost } from '../../test/mock/site/render.cjs';
import { countTo, type Bench, type Figure } from '../bench.cjs';
import { MockServer } from '../mockServer.cjs';
import { Remote } from '../remote.cjs';
import { spreadOf } from '../statistics.cjs';
import type { WatchCost, WatchOrder } from '../watchProcess.cjs';

const bytes = 10_000;
const checks = 3;

/** The cost of a check of so many pages, with its credits, by a process of its own. */
async function measure(count: number, service: MockServer) {
	const { url, key } = await service.begin({ pages: count, bytes });
	const pages = countTo(count).map((number) => `https://${bulkHost}/pages/${number}.md`);
	const process = new Remote<WatchOrder, WatchCost>('watchProcess.cjs');
	try {
		const cost = await process.ask({ url, key, pages });
		const { credits } = await service.report();
		return { ...cost, credits: credits / checks };
	} finally {
		await process.end();
	}
}

async function figuresOf(count: number, service: MockServer, repeats: number): Promise<Figure[]> {
	const runs: Array<Awaited<ReturnType<typeof measure>>> = [];
	for (const _ of countTo(repeats)) runs.push(await measure(count, service));
	const of = (figure: (run: (typeof runs)[number]) => number) => spreadOf(runs.map(figure));
	const credits = of((run) => run.credits);
	const pause = of((run) => run.pause);
	const stored = of((run) => run.stored / 1000);
	return [
		{
			name: `${count} ${count === 1 ? 'page' : 'pages'}: credits`,
			of: { ours: credits },
			goals: [{ words: String(count), value: credits.most, most: count }],
		},
		{ name: '… CPU (ms)', of: { ours: of((run) => run.cpu) } },
		{
			name: '… longest pause of the event loop (ms)',
			of: { ours: pause },
			goals: [{ words: '≤ 100', value: pause.median, most: 100 }],
		},
		{
			name: '… static data (kB)',
			digits: 1,
			of: { ours: stored },
			goals: [{ words: '≤ 250', value: stored.most, most: 250 }],
		},
	];
}

/** What a check of watched pages takes that finds nothing. */
export const watch: Bench = {
	name: 'watch',
	about: `A check by the Web Data Polling Trigger that finds nothing, of pages of ${bytes / 1000} kB whose texts are compared`,
	async run(repeats) {
		const service = new MockServer();
		try {
			const one = await figuresOf(1, service, repeats);
			return { figures: [...one, ...(await figuresOf(100, service, repeats))] };
		} finally {
			await service.end();
		}
	},
};
