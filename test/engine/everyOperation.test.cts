import { useDrivenTime } from './drivenTime.cjs';
import { operationNames } from './operationNames.cjs';
import { Possessions, soundParameters } from './soundParameters.cjs';
import { inMemory } from './file/inputFiles.cjs';
import { useWorkbench } from './workbench.cjs';

/** Each operation has an example that the service, as the stand-in plays it, accepts. */
describe('an example', () => {
	const bench = useWorkbench();
	const time = useDrivenTime(() => bench.service);

	it.each(operationNames)('of $resource: $operation does its work', async (name) => {
		// What is cancelled must still be under way.
		if (name.operation === 'cancel')
			bench.service.context.pageJobs.paces.set({ pageMs: 3_600_000 });
		const account = bench.account();
		const parameters = await soundParameters(name, new Possessions(bench.service, account));
		if (name.operation === 'getSnapshot') {
			await time.drive(bench.service.clock.wait(4_000));
			const run = bench.service.context.agents.find(account.team.id, String(parameters.jobId));
			[parameters.snapshotId] = run?.snapshots.keys() ?? [];
		}
		const before = bench.service.log.entries.length;

		const execution = bench.begin(name.resource, name.operation, parameters, {
			account,
			input: [
				{
					json: { tag: 'a' },
					binary: { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') },
				},
			],
		});
		const run = await time.drive(execution.done);

		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		const sent = bench.service.log.entries.slice(before);
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.filter(({ status = 0 }) => status >= 400)).toEqual([]);
	});
});
