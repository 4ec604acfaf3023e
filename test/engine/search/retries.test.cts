import type { FaultInput } from '../../mock/faults.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { useTestBed } from '../testBed.cjs';

/** Repeats on driven time: what is sent again, when, how often, and what it costs. */
describe('retries', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const parameters = { query: 'tide', limit: 1 };

	const charges = () => testBed.service.ledger.entries.length;

	/** Answers that were charged and lost at a gateway. */
	const lost: FaultInput = { kind: 'html', status: 502, stage: 'after', count: 2 };

	it('of a charged answer that was lost go on, and a notice counts those of all items', async () => {
		testBed.service.faults.add(lost, { kind: 'status', status: 503 });

		const run = await time.drive(testBed.search(parameters, { input: [{}, {}] }));

		expect(run.status).toBe('success');
		expect(charges()).toBe(4);
		expect(run.hints().map(({ message }) => message)).toEqual([
			expect.stringContaining('2 requests were retried after a gateway'),
		]);
	});

	it('say in the end how many may have been charged', async () => {
		testBed.service.faults.add(lost, { kind: 'status', status: 401 });

		const run = await time.drive(testBed.search(parameters));

		expect(run.error?.description).toMatch(/2 of the attempts may have been processed and charged/);
	});

	it('are none once another item has ended the run', async () => {
		testBed.service.faults.add(
			{ kind: 'status', status: 400 },
			{ kind: 'status', status: 429, retryAfter: 30, count: 4 },
		);

		const run = await time.drive(testBed.search(parameters, { input: Array(5).fill({}) }));

		expect(run.error?.message).toMatch(/HTTP 400/);
		expect([testBed.sent.length, charges()]).toEqual([5, 0]);
	});
});
