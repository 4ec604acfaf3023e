import fc from 'fast-check';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';
import { chargeOf } from './chargedRuns.cjs';
import { pricedOperations, randomRequests, requestsByOption } from './randomRequests.cjs';

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

	// The options are those that the descriptions have: one that costs and is not counted is found, whatever it says.
	it.each(pricedOperations)(
		'holds for every option of $resource: $operation alone',
		async (name) => {
			const findings = new Set<string>();
			let charged = 0;
			for (const request of requestsByOption(name)) {
				countOne();
				testBed.service.reset();
				const result = await chargeOf(testBed, request, passing);
				if (result) charged += 1;
				for (const finding of result?.findings ?? []) {
					findings.add(`${JSON.stringify(request.drawn)}: ${finding}`);
				}
			}
			expect([...findings].slice(0, 5)).toEqual([]);
			expect(charged).toBeGreaterThan(0);
		},
	);

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
