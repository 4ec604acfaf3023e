import { Api, type Behaviour } from './api.cjs';
import { Client, type ClientReport } from './client.cjs';
import { countTo } from './bench.cjs';
import type { Contender, Task } from './contenders.cjs';

/** Everybody's reports, in the order of the runs. */
export type Reports = Record<string, ClientReport[]>;

/** Items of the run that does not count. */
const warmUp = 250;

/** What all contenders do. */
export interface Contest {
	contenders: Contender[];
	behaviour: Behaviour;
	task: Task;
	items: number;
	width: number;
	isAutomatic?: boolean;
	goOn?: boolean;
	repeats: number;
}

/**
 * Lets the contenders do the same, each in a process of its own, in turn: a machine that gets slower on
 * the way gets slower for all. A short run of each comes first, to warm it up, and does not count.
 * @throws when an item of anybody was not answered
 */
export async function contest(about: Contest): Promise<Reports> {
	const { contenders, behaviour, repeats, ...workload } = about;
	const api = new Api();
	const clients = contenders.map((contender) => ({ contender, client: new Client(contender) }));
	const reports: Reports = {};
	try {
		const url = await api.begin(behaviour);
		for (const round of [0, ...countTo(repeats)]) {
			for (const { contender, client } of clients) {
				const items = round === 0 ? Math.min(warmUp, about.items) : about.items;
				const report = await client.run({ ...workload, items, url, key: 'key' });
				const [{ answered, error }] = report.executions;
				if (answered !== items) {
					throw new Error(`${contender} answered ${answered} of ${items} items: ${error}`);
				}
				if (round > 0) (reports[contender] ??= []).push(report);
			}
		}
	} finally {
		await Promise.all([api.end(), ...clients.map(async ({ client }) => await client.end())]);
	}
	return reports;
}
