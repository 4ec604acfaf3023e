import { gzipSync } from 'node:zlib';
import { countTo, type Bench } from '../bench.cjs';
import { Api } from '../api.cjs';
import { Client } from '../client.cjs';
import { packageOf, type Contender } from '../contenders.cjs';
import { Remote } from '../remote.cjs';
import type { LoadedNode, LoadOrder, LoadReport } from '../loadProcess.cjs';
import { spreadOf } from '../statistics.cjs';

const everybody = ['ours', 'peer'] as const;
const inN8n = ['ours', 'peer', 'smallest'] as const;

/** Times are short and noisy, so that more of them are taken. */
const perRepeat = 2;

/** Loads a package in a fresh process. */
async function loadOnce(contender: Contender): Promise<LoadReport> {
	const remote = new Remote<LoadOrder, LoadReport>('loadProcess.cjs');
	try {
		return await remote.ask({ folder: packageOf(contender) });
	} finally {
		await remote.end();
	}
}

/** Processor time of one search in a fresh process, what it loads for it included. Milliseconds. */
async function firstExecution(contender: Contender, url: string): Promise<number> {
	const client = new Client(contender);
	try {
		const { cpu } = await client.run({ task: 'search', url, items: 1, width: 1 });
		return cpu;
	} finally {
		await client.end();
	}
}

/** Those of every contender that runs in n8n: the smallest node's is n8n's own. */
async function firstExecutions(repeats: number) {
	const figures: Record<'ours' | 'peer' | 'smallest', number[]> = {
		ours: [],
		peer: [],
		smallest: [],
	};
	const api = new Api();
	try {
		const url = await api.begin();
		for (const _ of countTo(repeats)) {
			for (const contender of inN8n) figures[contender].push(await firstExecution(contender, url));
		}
	} finally {
		await api.end();
	}
	return {
		ours: spreadOf(figures.ours),
		peer: spreadOf(figures.peer),
		smallest: spreadOf(figures.smallest),
	};
}

/** What the editor and a starting n8n have to do with the pack. */
export const load: Bench = {
	name: 'load',
	about: 'requiring the built nodes and credentials, and the size of their descriptions',
	async run(repeats) {
		const reports: Record<string, LoadReport[]> = { ours: [], peer: [] };
		for (const _ of countTo(perRepeat * repeats)) {
			for (const contender of everybody) reports[contender].push(await loadOnce(contender));
		}
		const of = (figure: (report: LoadReport) => number) => ({
			ours: spreadOf(reports.ours.map(figure)),
			peer: spreadOf(reports.peer.map(figure)),
		});
		const sum = (nodes: LoadedNode[], figure: (node: LoadedNode) => number) =>
			nodes.reduce((total, node) => total + figure(node), 0);
		const size = ({ description }: LoadedNode) => gzipSync(description).length;
		const ofActions = (nodes: LoadedNode[]) => nodes.filter(({ operations }) => operations > 0);
		const perOperation = of(({ nodes }) => {
			const actions = ofActions(nodes);
			return sum(actions, size) / sum(actions, ({ operations }) => operations);
		});
		const time = of(({ ms }) => ms);
		const first = await firstExecutions(repeats);
		const figures = [
			{
				name: 'Load time of all nodes (ms)',
				digits: 1,
				of: time,
				goals: [
					{ words: "≤ the official pack's", value: time.ours.median, most: time.peer.median },
				],
			},
			{
				name: 'First execution in a process, loading and n8n included (ms of CPU)',
				of: first,
				goals: [
					{ words: "≤ the official pack's", value: first.ours.median, most: first.peer.median },
				],
			},
			{
				name: 'Operations of the action node',
				of: of(({ nodes }) => sum(nodes, ({ operations }) => operations)),
			},
			{
				name: 'Its description, gzipped (bytes)',
				of: of(({ nodes }) => sum(ofActions(nodes), size)),
			},
			{
				name: '… per operation',
				of: perOperation,
				goals: [{ words: '≤ 600', value: perOperation.ours.median, most: 600 }],
			},
			{
				name: 'Descriptions of the two triggers, gzipped (bytes)',
				of: {
					ours: sum(reports.ours[0].nodes, (node) => (node.operations === 0 ? size(node) : 0)),
					peer: 'none',
				},
			},
		];
		return { figures };
	},
};
