import fc from 'fast-check';
import { createEngine } from '../../engine/harness.cjs';
import { chargeOf, type Charged } from '../../faults/chargedRuns.cjs';
import { randomRequests } from '../../faults/randomRequests.cjs';
import { startService } from '../../mock-server/service.cjs';
import type { Bench } from '../bench.cjs';
import { spreadOf } from '../statistics.cjs';

const requests = 500;
const atOnce = 10;

const shareOf = (charged: Charged[], wanted: (one: Charged) => boolean) =>
	(100 * charged.filter(wanted).length) / charged.length;

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);

const overCharge = (charged: Array<{ most: number; charge: number }>) =>
	sum(charged.map(({ most }) => most)) / sum(charged.map(({ charge }) => charge));

/** Estimates requests and has them charged, some at once. */
async function chargeAll(): Promise<Charged[]> {
	const service = await startService();
	const engine = await createEngine();
	service.context.agents.script.set({ durationMs: 1 });
	service.context.pageJobs.paces.set({ pageMs: 1 });
	const drawn = fc.sample(randomRequests(service), { numRuns: requests, seed: 1 });
	const { pageJobs } = service.context;
	const passing = {
		drive: async <Value,>(work: Promise<Value>) => await work,
		async end(teamId: string) {
			for (const kind of ['batch', 'crawl'] as const) {
				for (const { id } of pageJobs.active(teamId, kind)) await pageJobs.ended(id);
			}
		},
	};
	const charged: Charged[] = [];
	const work = async () => {
		for (let next = drawn.pop(); next; next = drawn.pop()) {
			const one = await chargeOf({ engine, service }, next, passing);
			if (one) charged.push(one);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	engine.close();
	await service.close();
	return charged;
}

/** How close the price that is told before comes to what is charged. */
export const price: Bench = {
	name: 'price',
	about: `${requests} drawn requests of every operation, estimated before and charged by the mock server`,
	async run() {
		const charged = await chargeAll();
		const done = charged.filter(({ failed }) => !failed);
		const bounded = done.flatMap(({ most, ...rest }) => (most === null ? [] : [{ ...rest, most }]));
		const outside = charged.filter(({ findings }) => findings.length > 0).length;
		const widths = bounded.map(({ least, most }) => most - least);
		const share = (wanted: (one: Charged) => boolean) => ({ ours: shareOf(done, wanted) });
		return {
			figures: [
				{
					name: 'Charges outside the estimate',
					of: { ours: outside },
					goals: [{ words: '0', value: outside, most: 0 }],
				},
				{ name: 'The most is not known (%)', digits: 1, of: share(({ most }) => most === null) },
				{
					name: 'Known to the credit (%)',
					digits: 1,
					of: share(({ least, most }) => least === most),
				},
				{
					name: 'Credits between the least and the most',
					of: { ours: spreadOf(widths) },
				},
				{
					name: 'The highest estimate × the charge, without agent runs',
					digits: 2,
					of: { ours: overCharge(bounded.filter(({ name }) => !name.startsWith('agent:'))) },
				},
			],
			notes: [
				`${charged.length} of ${requests} went out, ${charged.length - done.length} of them failed; an agent run without a limit may cost 2,500.`,
			],
		};
	},
};
