import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from '../engine/drivenTime.cjs';
import { behindItems } from '../engine/harness.cjs';
import { useTestBed } from '../engine/testBed.cjs';
import { replay, scaled, seedOf, useCount } from './fuzzRun.cjs';

const page = 'https://tidewatch.example/guides/spring-tides';
const notParsed = { requestJson: JSON.stringify({ parsers: [] }) };
const call = { provider: 'relayworks', capability: 'template-search', options: { query: 'retry' } };

/** Work whose most is known before it is sent. */
const works: INodeParameters[] = [
	{ resource: 'search', operation: 'query', query: '=tide {{ $json.n }}', limit: 15 },
	{
		resource: 'page',
		operation: 'scrape',
		url: `=${page}?n={{ $json.n }}`,
		additionalFields: notParsed,
	},
	{ resource: 'map', operation: 'get', url: page },
	{ resource: 'paper', operation: 'search', query: '=tide {{ $json.n }}', k: 30 },
	{ resource: 'tool', operation: 'execute', callsFrom: 'list', calls: JSON.stringify([call]) },
	{
		resource: 'crawl',
		operation: 'run',
		url: 'https://tidewatch.example/guides',
		limit: 6,
		additionalFields: { requestJson: JSON.stringify({ scrapeOptions: { parsers: [] } }) },
	},
];

const randomWorkflow = fc.record({
	nodes: fc.array(fc.constantFrom(...works), { minLength: 2, maxLength: 3 }),
	items: fc.integer({ min: 1, max: 6 }),
	executions: fc.integer({ min: 2, max: 3 }),
	budget: fc.integer({ min: 0, max: 60 }),
});

/** Whatever several nodes do in executions at the same time, the ledger never passes the budget of the day. */
describe('the budget of a day', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const countOne = useCount('workflows within a budget of the day');

	it('holds', async () => {
		const count = { refused: 0, whole: 0 };
		await fc.assert(
			fc.asyncProperty(randomWorkflow, async ({ nodes, items, executions, budget }) => {
				countOne();
				testBed.service.reset();
				const account = testBed.account();
				const id = randomUUID();
				const names = nodes.map((_, index) => `Node ${index}`);
				const file = behindItems(
					Array.from({ length: items }, (_, n) => ({ n })),
					nodes.map((parameters, index) => ({
						name: names[index],
						type: testBed.engine.typeName('webData'),
						parameters: { ...parameters, limits: { maxCreditsPerDay: budget } },
						onError: 'continueRegularOutput',
					})),
					{ Items: names },
				);
				const runs = await time.drive(
					Promise.all(
						Array.from({ length: executions }, async () => {
							const run = await testBed.engine.run({
								credentials: { ...account.credentials },
								...file,
								workflow: { ...file.workflow, id },
							});
							return names.flatMap((name) =>
								run.output(name).flatMap(({ error }) => error?.message ?? []),
							);
						}),
					),
				);
				await time.untilSilent();
				const told = runs.flat();
				const spent = testBed.service.ledger.spent(account.team.id);
				if (told.length > 0) count.refused += 1;
				else count.whole += 1;
				expect(spent).toBeLessThanOrEqual(budget);
				const others = told.filter(
					(message) => !/^Not sent: it may cost .* are left until /.test(message),
				);
				expect(others).toEqual([]);
			}),
			{ seed: seedOf('day'), numRuns: scaled(100), ...replay() },
		);
		// Neither may be what always happens.
		expect(count.refused).toBeGreaterThan(0);
		expect(count.whole).toBeGreaterThan(0);
	});
});
