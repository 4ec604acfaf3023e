import { type INodeParameters } from 'n8n-workflow';
import { watcher } from './pollingTrigger/watching.cjs';
import { useTestBed } from './testBed.cjs';
import { toolTexts } from './fence.cjs';
import { tides, useTriggers, watch } from './trigger/triggers.cjs';

/** An operation with parameters. */
type Asked = [resource: string, operation: string, set: INodeParameters];

/** Rules at work; what they are is asked in test/unit/WebData. */
describe('refused input', () => {
	const testBed = useTestBed();
	const requests = () => testBed.service.log.entries;
	const absent = '={{ $json.absent }}';
	const isObject =
		'holds [object Object]: the expression gives an object; choose one of its fields';
	const isText = 'holds an expression as text: switch the field to Expression';
	const returnedNothing = 'has no value: the expression {{ $json.absent }} returned nothing';

	it.each<[...Asked, words: string]>([
		['search', 'query', { query: absent }, `'Query' ${returnedNothing}`],
		['search', 'query', { query: 'price of [object Object]' }, `'Query' ${isObject}`],
		['page', 'scrape', { url: 'https://a.example/[object Object]' }, `'URL' ${isObject}`],
		['batch', 'run', { urls: `${tides}, {{ $json.url }}` }, `'URLs > entry 1' ${isText}`],
		['agent', 'run', { prompt: 'Find {{ $json.name }}' }, `'Prompt' ${isText}`],
		[
			'search',
			'query',
			{ query: 'tide', additionalFields: { requestJson: '{"newField": "a [object Object]"}' } },
			`'newField' ${isObject}`,
		],
	])('of %s: %s is named before any request: %j', async (resource, operation, set, words) => {
		const run = await testBed.run(resource, operation, set);

		expect(run.status).toBe('error');
		expect(run.error?.message).toBe(`${words} [item 0]`);
		expect(run.error?.description).toBe('Nothing was sent and nothing was charged.');
		expect(requests()).toEqual([]);
	});

	it('of an operation that this version lacks says so', async () => {
		const run = await testBed.run('page', 'fly', { url: tides });

		expect(run.error?.message).toContain(
			"This version of the node has no operation 'fly' of the resource 'page'",
		);
		expect(requests()).toEqual([]);
	});

	it('is named by its field when its expression fails', async () => {
		const run = await testBed.search({ query: "={{ $('Nowhere').item.json.q }}" });

		expect(run.error?.message).toMatch(/^'Query': .*\[item 0\]$/);
		expect(requests()).toEqual([]);
	});

	it.each<Asked>([
		['search', 'query', { query: '={{ $json.text }}' }],
		['batch', 'run', { urls: '={{ $json.text }}' }],
	])('in one item of many stops %s: %s before the first is sent', async (...[name, one, set]) => {
		const input = [tides, tides, ''].map((text) => ({ text }));

		const run = await testBed.run(name, one, set, { input });

		expect(run.error?.message).toMatch(/ \[item 2\]$/);
		expect(requests()).toEqual([]);
	});

	it.each(['', `={{ /* $fromAI('question') */ "" }}`])(
		'of a tool is an error that names its field, filled in by %j',
		async (question) => {
			const set = { url: tides, formats: ['question'], question };
			const node = { type: testBed.engine.typeName('webDataTool') };

			expect(toolTexts(await testBed.run('page', 'scrape', set, { node }))).toEqual({
				error: "'Question' is required",
				advice: 'Nothing was sent and nothing was charged.',
			});
		},
	);
});

/** Expressions that come to nothing, in words. */
const nothings = {
	undefined: '={{ undefined }}',
	null: '={{ null }}',
	'an empty text': '={{ "" }}',
	'an empty object': '={{ {} }}',
};

/** A guard bounds cost, or protects data or people: every number, every switch, and what is marked as one. */
describe('a guard whose expression comes to nothing', () => {
	const triggers = useTriggers();
	const { testBed } = triggers;
	const requests = () => testBed.service.log.entries;
	const fields = (additionalFields: INodeParameters) => ({ url: tides, additionalFields });

	it.each<[field: string, (nothing: string) => Asked]>([
		['Limit', (limit) => ['search', 'query', { query: 'tide', limit }]],
		[
			'Enterprise',
			(enterprise) => ['search', 'query', { query: 'tide', additionalFields: { enterprise } }],
		],
		['Redact Personal Data', (redactPII) => ['page', 'scrape', fields({ redactPII })]],
		['Max Pages', (maxPages) => ['page', 'scrape', fields({ parsers: { maxPages } })]],
		[
			'Max Credits per Execution',
			(most) => ['crawl', 'start', { url: tides, options: { maxCreditsPerExecution: most } }],
		],
		['Limit', () => ['crawl', 'start', fields({ requestJson: '={{ { limit: $json.absent } }}' })]],
		[
			'Redact Personal Data',
			() => ['crawl', 'start', fields({ requestJson: { scrapeOptions: { redactPII: null } } })],
		],
	])('is an error that names %s and the item', async (field, asked) => {
		for (const [nothing, expression] of Object.entries(nothings)) {
			const run = await testBed.run(...asked(expression));

			expect([nothing, run.error?.message]).toEqual([
				nothing,
				expect.stringMatching(new RegExp(`^'([^']* > )?${field}' has no value.*\\[item 0\\]$`)),
			]);
		}
		expect(requests()).toEqual([]);
	});

	it('is an error of the triggers', async () => {
		for (const expression of Object.values(nothings)) {
			const polling = watcher(testBed, { watch: 'monitor', onlyMeaningful: expression });
			await expect(polling.activate()).rejects.toThrow(/'Only Meaningful Changes' has no value/);
			const targets = { values: [{ type: 'crawl', url: tides, limit: expression }] };
			const trigger = await triggers.trigger({ ...watch, targets });
			await expect(trigger.activate()).rejects.toThrow(/Limit' has no value/);
		}
		expect(requests()).toEqual([]);
	});

	it('is an error that an AI model can read, and that stops no other item', async () => {
		const options = { maxCreditsPerExecution: '={{ $json.most }}' };
		const run = await testBed.search(
			{ query: 'tide', options },
			{ input: [{}, { most: 100 }], onError: 'continueRegularOutput' },
		);

		const [failed, ...found] = run.output();
		expect(failed.json.error).toMatch(
			/^'Options > Max Credits per Execution' has no value: give it one, or remove the field/,
		);
		expect(found.every(({ json }) => json.error === undefined)).toBe(true);
		expect(testBed.sent).toHaveLength(1);
	});

	it.each(Object.entries(nothings))('is no field such as a country: %s', async (_, nothing) => {
		const run = await testBed.search({
			query: 'tide',
			scrapeOptions: { includeTags: nothing },
			additionalFields: {
				country: nothing,
				includeDomains: nothing,
				location: nothing,
				tbs: { range: nothing },
			},
		});

		expect(run.error).toBeUndefined();
		expect(testBed.sent).toEqual([{ query: 'tide', limit: 10 }]);
	});
});

/** n8n checks what is stored, so it does not see that Request (JSON) has the value of an empty field. */
describe('Request (JSON)', () => {
	const testBed = useTestBed();
	const runWith = async (query: string) =>
		await testBed.search({ query, additionalFields: { requestJson: { query: 'tide' } } });
	const scrape = async (requestJson: INodeParameters) =>
		await testBed.run('page', 'scrape', { url: tides, additionalFields: { requestJson } });

	it('does not replace a required field of the panel for n8n', async () => {
		await expect(runWith('')).rejects.toThrow('Parameter "Query" is required.');
	});

	it('has the value of a required field whose expression returns nothing', async () => {
		const run = await runWith('={{ $json.nothing }}');
		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		expect(testBed.sent).toEqual([{ query: 'tide', limit: 10 }]);
	});

	it('sends a field that the node does not have as it is, without a word', async () => {
		const more = { minAge: 1, parsers: [{ type: 'pdf', pages: true }] };

		const run = await scrape(more);

		expect(testBed.service.log.entries.map(({ body }) => body)).toEqual([{ url: tides, ...more }]);
		expect(run.hints().filter(({ message }) => message.includes('Request (JSON)'))).toEqual([]);
	});

	it('has its field named by the error if the server does not have it either, or refuses its value', async () => {
		expect((await scrape({ minAgee: 1 })).error?.message).toMatch(/minAgee/);
		expect((await scrape({ minAge: 'old' })).error?.message).toMatch(/minAge/);
	});
});
