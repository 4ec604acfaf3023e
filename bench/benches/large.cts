import { Client } from '../client.cjs';
import { countTo, type Bench } from '../bench.cjs';
import { MockServer } from '../mockServer.cjs';
import { spreadOf } from '../statistics.cjs';
import type { Contender } from '../contenders.cjs';

const pages = 2000;
const bytes = 200_000;
const site = 'https://bulk.example/';

/** What one crawl took. */
interface CrawlRun {
	/** Peak of the memory in relation to the documents. */
	share: number;
	/** Longest pause of the event loop, in milliseconds. */
	pause: number;
	seconds: number;
}

/** One crawl by a process of its own, since the peak of its memory counts. */
async function crawl(contender: Contender, service: MockServer): Promise<CrawlRun> {
	const client = new Client(contender);
	try {
		const { url, key } = await service.begin({ bulk: { pages, bytes } });
		const workload = { url, key, items: 1, width: 5 };
		// What is loaded once is no part of it.
		await client.run({ ...workload, task: { kind: 'crawl', url: site, pages: 20 } });
		const report = await client.run({ ...workload, task: { kind: 'crawl', url: site, pages } });
		const [{ status, error, results }] = report.executions;
		if (status !== 'success' || results !== pages) {
			throw new Error(`${contender} read ${results} of ${pages} documents: ${error ?? status}`);
		}
		return {
			share: (report.memoryPeak - report.memoryBefore) / (pages * bytes),
			pause: report.longestPause,
			seconds: report.wall / 1000,
		};
	} finally {
		await client.end();
	}
}

/** What a crawl of a large site takes. */
export const large: Bench = {
	name: 'large',
	about: `${pages} documents of ${bytes / 1000} kB through a crawl that is waited for`,
	async run(repeats) {
		const service = new MockServer();
		const ours: CrawlRun[] = [];
		const raw: CrawlRun[] = [];
		try {
			for (const _ of countTo(repeats)) {
				ours.push(await crawl('ours', service));
				raw.push(await crawl('raw', service));
			}
		} finally {
			await service.end();
		}
		const of = (figure: (run: CrawlRun) => number) => ({
			ours: spreadOf(ours.map(figure)),
			raw: spreadOf(raw.map(figure)),
		});
		const share = of((run) => run.share);
		const pause = of((run) => run.pause);
		const figures = [
			{
				name: 'Peak of memory × the documents',
				digits: 2,
				of: share,
				goals: [{ words: '≤ 2', value: share.ours.median, most: 2 }],
			},
			{
				name: 'Longest pause of the event loop (ms)',
				of: pause,
				goals: [{ words: '≤ 100', value: pause.ours.median, most: 100 }],
			},
			{ name: 'Wall time (s)', digits: 1, of: of((run) => run.seconds) },
		];
		const notes = [
			'The official pack cannot do this: its crawl returns the job, and its Get Crawl Status one page of the list.',
		];
		return { figures, notes };
	},
};
