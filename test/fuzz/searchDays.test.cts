import { seededRandom } from '../seededRandom.cjs';
import type { FaultInput } from '../mock/faults.cjs';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import type { Keeping } from '../engine/polledWorkflow.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { addressOf, page, topic, urlsOf, watcher } from '../engine/pollingTrigger/watching.cjs';
import { seedOf, useCount } from './fuzzRun.cjs';

const polls = 300;

const onSearch = (fault: FaultInput): FaultInput => ({ ...fault, path: '/v2/search' });

/** Failures of polls that cost nothing. */
const refusals = [
	onSearch({ kind: 'status', status: 401 }),
	onSearch({ kind: 'status', status: 402 }),
	onSearch({ kind: 'status', status: 429 }),
	onSearch({ kind: 'status', status: 500 }),
	onSearch({ kind: 'reset' }),
	onSearch({ kind: 'html' }),
	onSearch({ kind: 'failure', error: 'The index is being rebuilt' }),
];

/** Failures of polls that are paid for. */
const losses = [
	onSearch({ kind: 'status', status: 500, stage: 'after' }),
	onSearch({ kind: 'reset', stage: 'after' }),
	onSearch({ kind: 'truncate' }),
];

/** What goes wrong with every fifth poll, in turn. */
const troubles = [...refusals, ...losses];

const count = useCount('polls of a search');

describe('300 polls over a changing index, every fifth of them failing', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	it.each<[Keeping, string]>([
		['in memory', 'one'],
		['staged', 'each'],
	])(
		'fire exactly once for each result that was there to be found (memory %s, executions: %s)',
		async (keeping, executions) => {
			const { site, faults, ledger, log } = testBed.service;
			const chance = seededRandom(seedOf(keeping));
			const pick = (count: number) => Math.floor(chance() * count);
			const there = new Set<string>();
			const gone: string[] = [];
			const found = new Set<string>();
			const account = testBed.account();
			const trigger = watcher(
				testBed,
				{ limit: 100, executions, options: { maxRetryTime: 0 } },
				{ keeping, account },
			);
			let named = 0;

			const change = (): void => {
				const kind = pick(6);
				const one = [...there][pick(there.size)];
				if (kind < 2 || one === undefined) {
					named += 1;
					site.add(page(`find-${named}`));
					there.add(`find-${named}`);
				} else if (kind === 2) {
					site.remove(addressOf(one));
					there.delete(one);
					gone.push(one);
				} else if (kind === 3 && gone.length > 0) {
					const [back] = gone.splice(pick(gone.length), 1);
					site.add(page(back));
					there.add(back);
				} else {
					site.update(addressOf(one), { title: `${topic}, revision ${pick(1000)}` });
				}
			};

			await time.drive(trigger.activate());
			await time.drive(trigger.poll());
			for (let round = 1; round <= polls; round += 1) {
				count();
				for (let changes = pick(4) - 1; changes > 0; changes -= 1) change();
				if (round % 5 === 0) faults.add(troubles[(round / 5) % troubles.length]);
				else there.forEach((name) => found.add(addressOf(name)));
				await time.drive(trigger.poll());
				if (round % 23 === 0) {
					// A restart polls, too, and its poll succeeds.
					there.forEach((name) => found.add(addressOf(name)));
					await time.drive(trigger.restart());
				}
			}

			const fired = urlsOf(trigger.fired);
			expect(fired.length).toBeGreaterThan(20);
			expect([...fired].sort()).toEqual([...found].sort());
			expect(trigger.errors).toHaveLength(polls / 5);
			expect(faults.pending).toEqual([]);
			const requests = log.of('POST', '/v2/search').length;
			expect(requests).toBe(2 + polls + Math.floor(polls / 23));
			const refused = (polls / 5 / troubles.length) * refusals.length;
			const charges = ledger.entries.filter(({ teamId }) => teamId === account.team.id);
			expect(charges).toHaveLength(requests - refused);
		},
	);
});
