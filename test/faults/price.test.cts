import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { chargeOf } from './chargedRuns.cjs';
import { randomRequests } from './randomRequests.cjs';

/** Whatever is asked: what the service charges lies within what the node said before, and saying it costs nothing. */
describe('the price known before', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const countOne = useCount('requests estimated and charged');

	it('holds', async () => {
		const count = { charged: 0, refused: 0, bounded: 0 };
		await fc.assert(
			fc.asyncProperty(randomRequests(testBed.service), async (drawn) => {
				countOne();
				testBed.service.reset();
				const charged = await chargeOf(testBed, drawn, async (work) => await time.drive(work));
				await time.untilSilent();
				if (charged) count.charged += 1;
				else count.refused += 1;
				if (charged && charged.most !== null) count.bounded += 1;
				expect(charged?.findings ?? []).toEqual([]);
			}),
			{ seed: seedOf('price'), numRuns: scaled(500), ...replay() },
		);
		// Most of what is drawn goes out, and has a bound.
		expect(count.charged).toBeGreaterThan(4 * count.refused);
		expect(count.bounded).toBeGreaterThan(count.charged / 2);
	});
});
