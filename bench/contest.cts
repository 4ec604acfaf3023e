import { Api } from './api.cjs';
import { countTo } from './bench.cjs';
import { Client, type ClientReport } from './client.cjs';
import type { Contender, Workload } from './contenders.cjs';

/** Items of the run that does not count. */
const warmUp = 250;

/**
 * Lets the contenders do the same, each in a process of its own, in turn: a machine that gets slower on
 * the way gets slower for all. A short run of each comes first, to warm it up, and does not count.
 * @throws if an item of anybody got no response
 */
export async function contest(
	contenders: readonly Contender[],
	workload: Omit<Workload, 'url'> & { latency: number },
	repeats: number,
): Promise<Record<Contender, ClientReport[]>> {
	const api = new Api();
	const clients = contenders.map((contender) => ({ contender, client: new Client(contender) }));
	const reports: Record<Contender, ClientReport[]> = { ours: [], peer: [], smallest: [] };
	try {
		const url = await api.begin(workload.latency);
		for (const round of [0, ...countTo(repeats)]) {
			for (const { contender, client } of clients) {
				const items = round === 0 ? Math.min(warmUp, workload.items) : workload.items;
				const report = await client.run({ ...workload, items, url });
				if (round > 0) reports[contender].push(report);
			}
		}
	} finally {
		await Promise.all([api.end(), ...clients.map(async ({ client }) => await client.end())]);
	}
	return reports;
}
