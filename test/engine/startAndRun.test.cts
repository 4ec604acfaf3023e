import { useDrivenTime } from './drivenTime.cjs';
import { jobKinds, withoutMark } from './jobKinds.cjs';
import { useTestBed } from './testBed.cjs';

/** Start and Run begin the same job; who does not wait gets it at once. */
describe.each(jobKinds)('a job that is begun: $resource', (kind) => {
	const { resource, path, near } = kind;
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const operations: Array<[string, object]> = [
		['start', {}],
		['run', { options: { wait: 'none', output: 'raw' } }],
	];

	it.each(operations)('is named at once, and the same for Start and Run: %s', async (name, set) => {
		const account = testBed.account();

		const run = await time.drive(testBed.run(resource, name, { ...near, ...set }, { account }));

		const [job] = kind.underWay(testBed.service, account.team.id);
		const [{ json, pairedItem }, ...more] = run.output();
		expect(more).toEqual([]);
		expect(pairedItem).toEqual({ item: 0 });
		expect(json.jobId ?? json.id).toBe(job.id);
		const [{ method, body }, ...others] = testBed.service.log.entries;
		expect([method, others]).toEqual(['POST', []]);

		testBed.service.log.clear();
		const [[other]] = operations.filter(([each]) => each !== name);
		const rest = { ...near, ...(other === 'run' && { options: { wait: 'none' } }) };
		await time.drive(testBed.run(resource, other, rest, { account }));
		expect(testBed.service.log.of('POST', path).map((start) => withoutMark(start.body))).toEqual([
			withoutMark(body),
		]);
	});
});
