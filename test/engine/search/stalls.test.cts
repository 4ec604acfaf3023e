import { useDrivenTime } from '../drivenTime.cjs';
import { useWorkbench } from '../workbench.cjs';

/** An answer that begins and never ends, through n8n's own client: nothing but the node ends it. */
describe('an answer that stalls', () => {
	const bench = useWorkbench();
	const time = useDrivenTime(() => bench.service);

	it.each([0, 10])('is given up after %i bytes, and its connection ended', async (bytes) => {
		bench.service.faults.add({ kind: 'stall', stage: 'after', bytes });
		const begun = Date.now();

		const run = await time.drive(
			bench.search({ query: 'tide', retries: { maxTries: 1 } }, { onError: 'continueErrorOutput' }),
		);

		expect(run.output(undefined, 1)).toMatchObject([
			{ json: { error: expect.stringMatching(/did not answer: .*300000 ?ms/) } },
		]);
		expect(Date.now() - begun).toBeGreaterThanOrEqual(300_000);
		await time.untilSilent();
	});
});
