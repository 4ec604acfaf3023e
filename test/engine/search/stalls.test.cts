import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

/** An answer that begins and never ends, through n8n's own client: nothing but the node ends it. */
describe('an answer that stalls', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	it.each([0, 10])('is given up after %i bytes, and its connection ended', async (bytes) => {
		testBed.service.faults.add({ kind: 'stall', stage: 'after', bytes });
		const begun = Date.now();

		const run = await time.drive(
			testBed.search(
				{ query: 'tide', options: { maxRetryTime: 0 } },
				{ onError: 'continueErrorOutput' },
			),
		);

		expect(run.output(undefined, 1)).toMatchObject([
			{ json: { error: expect.stringMatching(/did not respond: .*300000 ?ms/) } },
		]);
		expect(Date.now() - begun).toBeGreaterThanOrEqual(300_000);
		await time.untilSilent();
	});
});
