import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { chargeOf } from './chargedRuns.cjs';
import { randomRequests } from './randomRequests.cjs';

const hour = 3_600_000;

/** Whatever is asked: what the service charges lies within what the node said before, and saying it costs nothing. */
describe('the price known before', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const countOne = useCount('requests estimated and charged');
	const passing = {
		drive: async <Value,>(work: Promise<Value>) => await time.drive(work),
		async end() {
			await time.pass(hour);
			await time.untilSilent();
		},
	};

	it('holds', async () => {
		const count = { charged: 0, refused: 0, paid: 0 };
		await fc.assert(
			fc.asyncProperty(randomRequests(testBed.service), async (drawn) => {
				countOne();
				testBed.service.reset();
				const charged = await chargeOf(testBed, drawn, passing);
				if (charged) count.charged += 1;
				else count.refused += 1;
				if (charged && charged.charge > 0) count.paid += 1;
				expect(charged?.findings ?? []).toEqual([]);
			}),
			{ seed: seedOf('price'), numRuns: scaled(500), ...replay() },
		);
		// Most of what is drawn goes out, and a part of that costs something.
		expect(count.charged).toBeGreaterThan(count.refused);
		expect(count.paid).toBeGreaterThan(count.charged / 4);
	});
});
