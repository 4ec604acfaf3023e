import type { INodeParameters } from 'n8n-workflow';
import { bulkHost } from '../../test/mock/site/site.cjs';
import { countTo, type Bench, type Figure } from '../bench.cjs';
import { MockServer } from '../mockServer.cjs';
import { Remote } from '../remote.cjs';
import { spreadOf } from '../statistics.cjs';
import type { WatchCost, WatchOrder } from '../watchProcess.cjs';

const bytes = 10_000;

/** Each measurement checks a website three times. */
const mostRepeats = 3;

const pageUrls = (count: number): string =>
	countTo(count)
		.map((number) => `https://${bulkHost}/pages/${number}.md`)
		.join('\n');

interface Watched {
	name: string;
	/** Pages of the website; all are watched. */
	pages: number;
	parameters: INodeParameters;
	/** Credits of a check. */
	credits: number;
	/** The most that it may keep in n8n's static data, in kilobytes. */
	mostStored: number;
}

/** What is watched. The start page of a website is a page, too. */
const kinds: Watched[] = [
	...[1, 100].map((pages) => ({
		name: pages === 1 ? '1 page' : `${pages} pages`,
		pages,
		parameters: { watch: 'page', urls: pageUrls(pages) },
		credits: pages,
		mostStored: 250,
	})),
	{
		name: 'A website of 1,000 pages',
		pages: 999,
		parameters: { watch: 'site', url: `https://${bulkHost}/`, limit: 2_000 },
		credits: 1_000,
		mostStored: 100,
	},
];

const checks = 3;

/** The cost of a check, with its credits. */
interface Measured extends WatchCost {
	credits: number;
}

/** One measurement by a process of its own, since the peak of its memory counts. */
async function measure({ pages, parameters }: Watched, service: MockServer): Promise<Measured> {
	const { url, key } = await service.begin({ bulk: { pages, bytes } });
	const process = new Remote<WatchOrder, WatchCost>('watchProcess.cjs', {
		execArgv: ['--expose-gc'],
	});
	try {
		const cost = await process.ask({ url, key, parameters });
		const { credits } = await service.report();
		return { ...cost, credits: credits / checks };
	} finally {
		await process.end();
	}
}

/** What a check of watched pages takes that finds nothing. */
export const watch: Bench = {
	name: 'watch',
	about: `A check by the Web Data Polling Trigger that finds nothing, of pages of ${bytes / 1000} kB whose texts are compared`,
	async run(repeats) {
		const service = new MockServer();
		const figures: Figure[] = [];
		try {
			for (const kind of kinds) {
				const runs: Measured[] = [];
				for (const _ of countTo(Math.min(repeats, mostRepeats))) {
					runs.push(await measure(kind, service));
				}
				const of = (figure: (run: Measured) => number) => spreadOf(runs.map(figure));
				const credits = of((run) => run.credits);
				const pause = of((run) => run.pause);
				const stored = of((run) => run.stored / 1000);
				figures.push(
					{
						name: `${kind.name}: credits`,
						of: { ours: credits },
						goals: [{ words: String(kind.credits), value: credits.most, most: kind.credits }],
					},
					{ name: '… CPU (ms)', of: { ours: of((run) => run.cpu) } },
					{
						name: '… longest pause of the event loop (ms)',
						of: { ours: pause },
						goals: [{ words: '≤ 100', value: pause.median, most: 100 }],
					},
					{
						name: '… peak of memory more than idle (MB)',
						of: { ours: of((run) => (run.memoryPeak - run.memoryBefore) / 1e6) },
					},
					{
						name: '… static data (kB)',
						digits: 1,
						of: { ours: stored },
						goals: [{ words: `≤ ${kind.mostStored}`, value: stored.most, most: kind.mostStored }],
					},
				);
			}
		} finally {
			await service.end();
		}
		return { figures };
	},
};
