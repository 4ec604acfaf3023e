import type { INodeParameters } from 'n8n-workflow';
import { useDrivenTime } from './drivenTime.cjs';
import { toldIn } from './fence.cjs';
import { useTestBed, type Account } from './testBed.cjs';
import { toolTexts } from './toolTexts.cjs';

const tides = 'https://tidewatch.example/guides/spring-tides';
const storms = 'https://tidewatch.example/guides/storm-surges';

/** Calls as models make them, which are meant clearly though they are not as the schema says. */
describe('a model that errs', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	let account: Account;
	beforeEach(() => {
		account = testBed.account();
	});

	/** Calls the node as a tool whose parameters the model fills in. */
	const begin = (
		resource: string,
		operation: string,
		parameters: INodeParameters,
		given: object = {},
	) =>
		testBed.begin(resource, operation, parameters, {
			account,
			input: [{ ...given }],
			node: { type: testBed.engine.typeName('webDataTool') },
		});
	const call = async (...of: Parameters<typeof begin>) => await time.drive(begin(...of).done);
	const sent = (path: string) => testBed.service.log.of('POST', path).map(({ body }) => body);
	const fromAI = (key: string) => `={{ /* $fromAI('${key}') */ $json['${key}'] }}`;

	it('wraps URLs, which are sent', async () => {
		await call('batch', 'run', { urls: [`<${tides}>`, `[Storms](${storms})`] });

		expect(sent('/v2/batch/scrape')).toEqual([expect.objectContaining({ urls: [tides, storms] })]);
	});

	it('gives two URLs for one, which is an error before anything is charged', async () => {
		const run = await call('page', 'scrape', { url: `${tides} and ${storms}` });

		expect(toolTexts(run).error).toMatch(/must be one URL, not 2/);
		expect(testBed.service.log.entries).toEqual([]);
	});

	it('puts a JSON schema in a Markdown fence', async () => {
		const schema = { type: 'object', properties: { name: { type: 'string' } } };
		const fenced = `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``;
		const prompt = 'Who writes about tides?';

		await call('agent', 'start', { prompt, schemaType: 'schema', schema: fenced });

		expect(sent('/v2/agent')).toEqual([expect.objectContaining({ prompt, schema })]);
	});

	it('nests an argument as JSON in itself, unless it is meant as text', async () => {
		const parameters = { query: fromAI('query'), limit: 1 };

		await call('search', 'query', parameters, { query: '{"query": "spring tides"}' });
		await call('search', 'query', parameters, { query: '{"a": 1}' });

		expect(sent('/v2/search')).toEqual([
			expect.objectContaining({ query: 'spring tides' }),
			expect.objectContaining({ query: '{"a": 1}' }),
		]);
	});

	it('reads the label of a field that it has filled in', async () => {
		const parameters = { query: 'tides', limit: fromAI('count') };

		const run = await call('search', 'query', parameters, { count: 1000 });

		expect(toolTexts(run).error).toBe("'Limit' must be a whole number from 1 to 100, not 1000");
	});

	it('makes the same paid call twice at once, or in a row, and one is sent and charged', async () => {
		const search = { query: 'spring tides', limit: 2 };
		const both = [begin('search', 'query', search), begin('search', 'query', search)];
		const runs = await time.drive(Promise.all(both.map(async ({ done }) => await done)));
		const third = await call('search', 'query', search);

		expect(sent('/v2/search')).toHaveLength(1);
		const told = [...runs, third].map((run) => toldIn(run.output().map(({ json }) => json)));
		expect(told.map(({ inside }) => inside)).toEqual(Array(3).fill(told[0].inside));
		expect(told[2].before).toEqual([
			{ notes: [expect.stringMatching(/equal call.*Nothing more was charged/)] },
		]);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(2);
	});

	it('makes the same call again after an error, later, or for another account, and it is sent', async () => {
		const search = { query: 'spring tides', limit: 2 };
		testBed.service.faults.add({ kind: 'status', status: 400 });
		await call('search', 'query', search);
		await call('search', 'query', search);
		await time.pass(61_000);
		await call('search', 'query', search);
		account = testBed.account();
		await call('search', 'query', search);

		expect(sent('/v2/search')).toHaveLength(4);
	});

	it('is not what an ordinary node is, which sends what its items ask for', async () => {
		const search = { query: 'spring tides', limit: 2 };
		await time.drive(testBed.search(search, { account, input: [{}, {}] }));

		expect(sent('/v2/search')).toHaveLength(2);
	});
});
