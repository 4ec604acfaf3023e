import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { behindItems, type Execution } from '../harness.cjs';
import { useTestBed, type Account } from '../testBed.cjs';

const names = ['A', 'B'];

const search = (limits: INodeParameters): INodeParameters => ({
	resource: 'search',
	operation: 'query',
	query: '={{ $json.query }}',
	limits,
});

describe('Max Credits per Day', () => {
	const testBed = useTestBed();
	const limits = { maxCreditsPerDay: 100 };

	/** Starts an execution of a workflow in which two nodes get the same items. */
	function begin(
		id: string,
		{ credentials }: Account,
		count: number,
		parametersOf: (name: string) => INodeParameters,
	): Execution {
		const type = testBed.engine.typeName('webData');
		const file = behindItems(
			Array.from({ length: count }, (_, index) => ({ query: `tide ${index}` })),
			names.map((name) => ({
				name,
				type,
				parameters: parametersOf(name),
				onError: 'continueRegularOutput',
			})),
			{ Items: names },
		);
		return testBed.engine.start({
			credentials: { ...credentials },
			...file,
			workflow: { ...file.workflow, id, settings: { timezone: 'Europe/Berlin' } },
		});
	}

	/** The errors of both nodes. */
	const errorsOf = async ({ done }: Execution) => {
		const run = await done;
		return names.flatMap((name) => run.output(name).flatMap(({ error }) => error?.message ?? []));
	};

	it('is never passed by two nodes in two executions at the same time', async () => {
		const account = testBed.account();
		const id = randomUUID();
		const executions = [1, 2].map(() => begin(id, account, 20, () => search(limits)));

		const told = (await Promise.all(executions.map(errorsOf))).flat();

		expect(testBed.service.ledger.spent(account.team.id)).toBe(100);
		expect(testBed.sent).toHaveLength(50);
		expect(told).toHaveLength(30);
		for (const message of told) {
			expect(message).toMatch(
				/^Not sent: it may cost 2 credits; of the 100 of 'Max Credits per Day' 0 are left until \d{4}-\d\d-\d\d 00:00 \(Europe\/Berlin\) \[item \d+\]$/,
			);
		}
		// Each execution holds for n8n what all have spent.
		for (const { workflow } of executions) {
			expect(workflow.getStaticData('global').webDataCredits).toMatchObject({ spent: 100 });
			expect(Reflect.get(workflow.staticData, '__dataChanged')).toBe(true);
		}
	});

	it('holds for the nodes that name it, and for the workflow', async () => {
		const account = testBed.account();
		const id = randomUUID();
		const one = await errorsOf(
			begin(id, account, 60, (name) => search(name === 'A' ? limits : { maxConcurrency: 5 })),
		);
		const other = await errorsOf(begin(randomUUID(), account, 10, () => search(limits)));
		expect([one.length, other.length]).toEqual([10, 0]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(100 + 120 + 40);
	});

	it('does not send a tool of 15 credits with 10 left, and says until when', async () => {
		const account = testBed.account();
		const calls = JSON.stringify([
			{ provider: 'relayworks', capability: 'template-search', creditsCost: 15, options: {} },
		]);
		const tool = { resource: 'tool', operation: 'execute', callsFrom: 'list', calls };
		const execution = begin(randomUUID(), account, 1, (name) =>
			name === 'A'
				? {
						resource: 'map',
						operation: 'get',
						url: 'https://tidewatch.example/',
						limits: { maxCreditsPerDay: 11 },
					}
				: { ...tool, limits: { maxCreditsPerDay: 11 } },
		);
		expect(await errorsOf(execution)).toEqual([
			expect.stringMatching(
				/^Not sent: it may cost 15 credits; of the 11 of 'Max Credits per Day' 10 are left until /,
			),
		]);
		expect(testBed.service.log.of('POST', '/v2/scrape')).toEqual([]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it('does not run a tool of which nobody tells the price', async () => {
		const run = await testBed.run('tool', 'execute', {
			callsFrom: 'list',
			calls: JSON.stringify([{ provider: 'nobody', capability: 'knows' }]),
			limits,
		});
		expect(run.error?.message).toMatch(
			/^Not sent: the price of nobody\/knows is unknown, and 'Max Credits per Day' is set/,
		);
	});

	it('gives back what was set aside and not spent', async () => {
		const account = testBed.account();
		const crawl = { resource: 'crawl', operation: 'run', url: 'https://tidewatch.example/guides' };
		const id = randomUUID();
		const parameters = { ...crawl, limit: 90, limits };
		const [first, second] = [1, 2].map(() =>
			begin(id, account, 1, (name) => (name === 'A' ? parameters : search({}))),
		);
		expect((await Promise.all([first, second].map(errorsOf))).flat()).toEqual([]);
		expect(testBed.service.log.of('POST', '/v2/crawl')).toHaveLength(2);
	});
});
