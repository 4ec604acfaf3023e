import { operationNames } from './operationNames.cjs';
import { Possessions, soundParameters } from './soundParameters.cjs';
import { inMemory } from './file/inputFiles.cjs';
import { useWorkbench } from './workbench.cjs';

/** Each operation has an example that the service, as the stand-in plays it, accepts. */
describe('an example', () => {
	const bench = useWorkbench();

	it.each(operationNames)('of $resource: $operation does its work', async (name) => {
		const account = bench.account();
		const parameters = await soundParameters(name, new Possessions(bench.service, account));
		const before = bench.service.log.entries.length;

		const run = await bench.operate(name.resource, name.operation, parameters, {
			account,
			input: [
				{
					json: { tag: 'a' },
					binary: { data: inMemory('fees.html', 'text/html', '<h1>Fees</h1>') },
				},
			],
		});

		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		const sent = bench.service.log.entries.slice(before);
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.filter(({ status = 0 }) => status >= 400)).toEqual([]);
	});
});
