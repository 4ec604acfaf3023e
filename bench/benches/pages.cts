import { Api } from '../api.cjs';
import { countTo, type Bench } from '../bench.cjs';
import { Client } from '../client.cjs';
import { spreadOf } from '../statistics.cjs';

const pages = 500;
const bytes = 5_000_000;

/** A run takes as long as many of other benches, and all come to nearly the same. */
const mostRepeats = 1;

/** Megabytes that the process may take beside the pages. */
const most = 150;

/** Peak of the memory beside the pages, in megabytes, by a process of its own. */
async function beside(api: Api): Promise<{ megabytes: number; seconds: number }> {
	const client = new Client('ours');
	try {
		const common = { task: { kind: 'scrape' }, key: 'key', width: 5, isAutomatic: true } as const;
		// What is loaded once is no part of it.
		await client.run({ ...common, url: await api.begin(), items: 20 });
		const url = await api.begin({ pageBytes: bytes });
		const report = await client.run({ ...common, url, key: 'pages', items: pages, goOn: true });
		const [{ answered, error }] = report.executions;
		if (answered !== pages) throw new Error(`${answered} of ${pages} pages came: ${error}`);
		const more = report.memoryPeak - report.memoryBefore - pages * bytes;
		return { megabytes: more / 1e6, seconds: report.wall / 1000 };
	} finally {
		await client.end();
	}
}

/** What large pages take that are all under way as fast as they come. */
export const largePages: Bench = {
	name: 'pages',
	about: `${pages} pages of ${bytes / 1e6} MB scraped with default options, kept as items`,
	async run(repeats) {
		const api = new Api();
		try {
			const runs = [];
			for (const _ of countTo(Math.min(repeats, mostRepeats))) runs.push(await beside(api));
			const ours = spreadOf(runs.map(({ megabytes }) => megabytes));
			const figures = [
				{
					name: 'Peak of memory beside the pages (MB)',
					of: { ours },
					goals: [{ words: `≤ ${most}`, value: ours.median, most }],
				},
				{
					name: 'Wall time (s)',
					digits: 1,
					of: { ours: spreadOf(runs.map(({ seconds }) => seconds)) },
				},
			];
			return { figures };
		} finally {
			await api.end();
		}
	},
};
