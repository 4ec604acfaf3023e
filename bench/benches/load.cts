import { countTo, spreadOf, type Bench, type Figure } from '../bench.cjs';
import { apiProcess, contenderProcess, packageOf, type Contender } from '../contest.cjs';
import type { LoadOrder, LoadReport } from '../loadProcess.cjs';
import { Remote } from '../../test/remote.cjs';

/** Times are short and noisy, so that more of them are taken. */
const perRepeat = 2;

/** Loads a package in a fresh process. */
async function loadOnce(contender: Contender): Promise<LoadReport> {
	const remote = new Remote<LoadOrder, LoadReport>('bench/loadProcess.cjs');
	return await remote.ask({ folder: packageOf(contender) }).finally(async () => await remote.end());
}

/** Processor time of one search in a fresh process, what it loads for it included. Milliseconds. */
async function firstExecution(contender: Contender, url: string): Promise<number> {
	const client = contenderProcess(contender);
	const { cpu } = await client
		.ask({ task: 'search', url, items: 1, width: 1 })
		.finally(async () => await client.end());
	return cpu;
}

/** Those of every contender that runs in n8n: the smallest node's is n8n's own. */
async function firstExecutions(repeats: number) {
	const times: Record<Contender, number[]> = { ours: [], peer: [], smallest: [] };
	const api = apiProcess();
	try {
		const url = await api.ask({ latency: 0 });
		for (const _ of countTo(repeats)) {
			for (const contender of ['ours', 'peer', 'smallest'] as const) {
				times[contender].push(await firstExecution(contender, url));
			}
		}
	} finally {
		await api.end();
	}
	return times;
}

/** What the editor and a starting n8n have to do with the pack. */
export const load: Bench = {
	about: 'requiring the built nodes and credentials, and the size of the description',
	async run(repeats) {
		const ours: LoadReport[] = [];
		const peers: LoadReport[] = [];
		for (const _ of countTo(perRepeat * repeats)) {
			ours.push(await loadOnce('ours'));
			peers.push(await loadOnce('peer'));
		}
		const first = await firstExecutions(repeats);
		const peerLoad = spreadOf(peers.map(({ ms }) => ms));
		const peerFirst = spreadOf(first.peer);
		const figures: Figure[] = [
			{
				name: 'Load time of all nodes (ms)',
				digits: 1,
				ours: spreadOf(ours.map(({ ms }) => ms)),
				others: { 'official pack': peerLoad },
				goal: { most: peerLoad.median },
			},
			{
				name: 'First execution in a process, loading and n8n included (ms of CPU)',
				ours: spreadOf(first.ours),
				others: { 'official pack': peerFirst, 'smallest node': spreadOf(first.smallest) },
				goal: { most: peerFirst.median },
			},
			{
				name: 'Description of the node per operation, gzipped (bytes)',
				ours: spreadOf(ours.map(({ bytesPerOperation }) => bytesPerOperation)),
				others: {
					'official pack': spreadOf(peers.map(({ bytesPerOperation }) => bytesPerOperation)),
				},
				goal: { most: 600 },
			},
		];
		return figures;
	},
};
