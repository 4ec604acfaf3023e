import { Client } from '../client.cjs';
import type { Contender, Task } from '../contenders.cjs';
import { countTo, type Bench } from '../bench.cjs';
import { MockServer } from '../mockServer.cjs';
import { spreadOf } from '../statistics.cjs';

const executions = 50;
const jobSeconds = 60;
const speed = 10;

/** How many polls there were, how many executions wait, and what they left in memory, once for each repeat. */
async function hold(contender: Contender, task: Task, warmUps: number, repeats: number) {
	const env = { BENCH_SPEED: String(speed), BENCH_EPOCH: String(Date.now()) };
	const service = new MockServer({ env });
	const client = new Client(contender, { env });
	const results: Array<{ polls: number; ended: number; megabytes: number }> = [];
	try {
		for (const round of countTo(warmUps + repeats)) {
			const { url, key } = await service.begin({ agentMs: jobSeconds * 1000 });
			const workload = { task, url, key, items: 1, width: 1, executions };
			const { executions: ends, memoryBefore, memoryAfter } = await client.run(workload);
			const failed = ends.find(({ status }) => status !== 'waiting' && status !== 'success');
			if (failed) throw new Error(`${contender} failed: ${failed.error}`);
			// Whoever polls has come to the end by now; whoever sleeps is given the time to poll all the same.
			if (task.kind === 'suspended agent') {
				await new Promise((resolve) => setTimeout(resolve, (1000 * jobSeconds) / speed / 3));
			}
			const { runs } = await service.report();
			const polls = runs.reduce((sum, run) => sum + run.polls, 0);
			const ended = ends.filter(({ status }) => status === 'success').length;
			const megabytes = (memoryAfter - memoryBefore) / 1e6;
			// What the first runs load and compile stays for good.
			if (round > warmUps) results.push({ polls, ended, megabytes });
		}
		return results;
	} finally {
		await Promise.all([service.end(), client.end()]);
	}
}

/** What executions cost that wait for the service's call. */
export const suspend: Bench = {
	name: 'suspend',
	about: `${executions} agent runs of ${jobSeconds} s at once, for which the executions are suspended`,
	async run(repeats) {
		const ours = await hold('ours', { kind: 'suspended agent' }, 2, repeats);
		const peer = await hold('peer', { kind: 'agent' }, 0, 1);
		const polls = spreadOf(ours.map((each) => each.polls));
		const held = spreadOf(ours.map(({ ended }) => ended));
		const memory = spreadOf(ours.map(({ megabytes }) => megabytes));
		const figures = [
			{
				name: 'Polls',
				of: { ours: polls, peer: peer[0].polls },
				goals: [{ words: '0', value: polls.most, most: 0 }],
			},
			{
				name: 'Executions held until the end of the job',
				of: { ours: held, peer: peer[0].ended },
				goals: [{ words: '0', value: held.most, most: 0 }],
			},
			{
				name: 'Resident memory more than idle (MB)',
				digits: 1,
				of: { ours: memory },
				goals: [{ words: '0, give or take 5', value: memory.median, most: 5 }],
			},
		];
		return {
			figures,
			notes: ['The official pack cannot suspend: it polls, and is held, until the end.'],
		};
	},
};
