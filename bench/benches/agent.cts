import { Client, type ClientOrder } from '../client.cjs';
import { subjectOf, type Contender } from '../contenders.cjs';
import type { Bench, Figure } from '../bench.cjs';
import { MockServer } from '../mockServer.cjs';
import { spreadOf } from '../statistics.cjs';

const second = 1000;
const minute = 60 * second;

/** Jobs by their length, how much faster than the world's the clock runs for them, and how often they may be looked at. */
const jobs = [
	{ words: '3 s', length: 3 * second, speed: 1, polls: 5 },
	{ words: '30 s', length: 30 * second, speed: 10, polls: 20 },
	{ words: '5 min', length: 5 * minute, speed: 60, polls: 50 },
	{ words: '30 min', length: 30 * minute, speed: 60, polls: 150 },
];

const task = { kind: 'agent' } as const;

/** Polls, and how long after its end the job's result was there (milliseconds), of each execution. */
async function follow(
	contender: Contender,
	order: ClientOrder,
	service: MockServer,
	env: Record<string, string>,
) {
	const client = new Client(contender, { env });
	try {
		const report = await client.run({ ...order, name: contender });
		const { runs } = await service.report();
		return report.executions.map(({ label, endedAt, status, error }) => {
			const run = runs.find(({ prompt }) => prompt === subjectOf(task, 0, label));
			if (status !== 'success' || run?.finishedAt === undefined) {
				throw new Error(`${contender} did not come to the end of a run: ${error ?? status}`);
			}
			return { polls: run.polls, late: endedAt - run.finishedAt };
		});
	} finally {
		await client.end();
	}
}

/** How soon the end of a long job is noticed, and how often the service is asked for it. */
export const agent: Bench = {
	name: 'agent',
	about: 'agent runs that take from 3 seconds to 30 minutes, on an accelerated clock',
	async run(repeats) {
		const figures: Figure[] = [];
		for (const { words, length, speed, polls } of jobs) {
			const env = { BENCH_SPEED: String(speed), BENCH_EPOCH: String(Date.now()) };
			const service = new MockServer({ env });
			try {
				const { url, key } = await service.begin({ agentMs: length });
				const order = { task, url, key, items: 1, width: 1, executions: repeats };
				const followers = (['ours', 'peer'] as const).map(
					async (contender) => await follow(contender, order, service, env),
				);
				const [ours, peer] = await Promise.all(followers);
				const seconds = (of: typeof ours) => spreadOf(of.map(({ late }) => late / second));
				const counts = (of: typeof ours) => spreadOf(of.map((each) => each.polls));
				const late = seconds(ours);
				const bound = Math.min(15, Math.max(1.5, length / second / 10));
				figures.push(
					{
						name: `Noticed after the end of a job of ${words} (s)`,
						digits: 2,
						of: { ours: late, peer: seconds(peer) },
						goals: [{ words: `≤ ${bound}`, value: late.most, most: bound }],
					},
					{
						name: '… polls',
						of: { ours: counts(ours), peer: counts(peer) },
						goals: [{ words: `≤ ${polls}`, value: counts(ours).most, most: polls }],
					},
				);
			} finally {
				await service.end();
			}
		}
		return { figures };
	},
};
