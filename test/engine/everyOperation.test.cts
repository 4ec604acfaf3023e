import { useDrivenTime } from './drivenTime.cjs';
import { operationNames } from './operationNames.cjs';
import { Fixtures, validParameters } from './validParameters.cjs';
import { inMemory } from './file/inputFiles.cjs';
import { useTestBed } from './testBed.cjs';

/** Each operation has an example that the service, as the mock server plays it, accepts. */
describe('an example', () => {
	const warning = 'The service will be slow on Sunday.';

	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);

	it.each(operationNames)(
		'of $resource: $operation does its work and shows a warning',
		async (name) => {
			// What is cancelled must still be under way.
			if (name.operation === 'cancel')
				testBed.service.context.pageJobs.paces.set({ pageMs: 3_600_000 });
			const account = testBed.account();
			const parameters = await validParameters(name, new Fixtures(testBed.service, account));
			if (name.operation === 'getSnapshot') {
				await time.drive(testBed.service.clock.wait(4_000));
				const run = testBed.service.context.agents.find(account.team.id, String(parameters.jobId));
				[parameters.snapshotId] = run?.snapshots.keys() ?? [];
			}
			const before = testBed.service.log.entries.length;
			testBed.service.faults.add({ kind: 'addition', fields: { warning }, count: Infinity });

			const execution = testBed.begin(name.resource, name.operation, parameters, {
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
			const sent = testBed.service.log.entries.slice(before);
			expect(sent.length).toBeGreaterThan(0);
			expect(sent.filter(({ status = 0 }) => status >= 400)).toEqual([]);
			const shown = run.hints().filter(({ message }) => message.includes(warning));
			expect(shown).toHaveLength(1);
		},
	);
});
