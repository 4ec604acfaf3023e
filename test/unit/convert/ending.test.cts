import type { JsonObject } from '../../../tools/convert/json.cjs';
import { converted, type Sketch } from './build.cjs';

/** What the service ends on 10 December 2026: /extract, /deep-research and /llmstxt. */
const [one, other] = ['https://tidewatch.example/a', 'https://tidewatch.example/b'];
const schema = { type: 'object', properties: { title: { type: 'string' } } };
const base = (name: string, type: string, parameters: JsonObject, typeVersion: number): Sketch => [
	name,
	`n8n-nodes-base.${type}`,
	parameters,
	{ typeVersion },
];
const start = (body: JsonObject | string = { urls: [one], prompt: 'Title' }): Sketch => [
	'Job',
	'POST /v1/extract',
	body,
];
const wait: Sketch = ['Wait', 'wait', 5];
const status: Sketch = ['Status', `GET =/v1/extract/{{ $('Job').item.json.id }}`];
const result = (value = '={{ $json.data.title }}'): Sketch => ['Result', 'set', { title: value }];
const official = (operation: string, parameters: JsonObject): [string, JsonObject] => [
	'firecrawl',
	{ resource: 'Extract', operation, ...parameters },
];

describe('An extraction', () => {
	it.each<[what: string, body: JsonObject | string, after: string, parameters: JsonObject]>([
		['of one page', { urls: [one], prompt: 'Title' }, 'Page: Scrape', { formats: ['json'] }],
		[
			'of several pages whose merged result is read',
			{ urls: [one, other], prompt: 'Title', schema },
			'Agent: Run',
			{
				...{ prompt: 'Title', schemaType: 'schema', schema: JSON.stringify(schema, null, 2) },
				additionalFields: { urls: `${one}, ${other}`, strictConstrainToURLs: true },
			},
		],
		[
			'of pages that an expression computes',
			'={"urls": {{ $json.list }}, "prompt": "Title"}',
			'Agent: Run',
			{ additionalFields: { urls: '={{ $json.list }}', strictConstrainToURLs: true } },
		],
		[
			'of a site',
			{ urls: ['https://tidewatch.example/*'], prompt: 'Title' },
			'Agent: Run',
			{ prompt: 'Title', additionalFields: { urls: 'https://tidewatch.example' } },
		],
		['of a prompt', { prompt: 'Tides' }, 'Agent: Run', { prompt: 'Tides' }],
		[
			'of pages with web search',
			{ urls: [one], prompt: 'Title', enableWebSearch: true },
			'Agent: Run',
			{ additionalFields: { urls: one } },
		],
		[
			'with web search by an expression',
			`={"urls": ["${one}"], "prompt": "Title", "enableWebSearch": {{ $json.wide }}}`,
			'Agent: Run',
			{ additionalFields: { urls: one, strictConstrainToURLs: '={{ !($json.wide) }}' } },
		],
		[
			'of pages by a schema alone',
			{ urls: [one, other], schema },
			'Agent: Run',
			{ prompt: 'Extract the data of the schema from the given URLs.' },
		],
		[
			'with a system prompt',
			'={"prompt": "Tides of {{ $json.day }}", "systemPrompt": "Be brief"}',
			'Agent: Run',
			{ prompt: '={{ "Be brief" + "\\n\\n" + ("" + "Tides of " + ($json.day)) }}' },
		],
	])('%s is replaced, its price is said, and its readers find the data', (...sample) => {
		const [, body, after, parameters] = sample;

		const found = converted([start(body), wait, status, result()]);

		expect(found.report.rows).toMatchObject([{ after, state: 'whole' }]);
		expect(found.parametersOf('Job')).toMatchObject(parameters);
		const place = after === 'Page: Scrape' ? 'data.json.title' : 'data.title';
		expect(found.result()).toBe(`={{ $json.${place} }}`);
		expect(found.report.rows[0].notes.join(' ')).toContain('46');
	});

	it('loses what has no counterpart, and says so', () => {
		const { report } = converted([start({ prompt: 'Tides', showSources: true }), wait, status]);

		const reasons = ['The field "showSources" has no counterpart.'];
		expect(report.rows).toMatchObject([{ state: 'part', reasons }]);
	});

	it('of several pages that nobody reads is a batch', () => {
		const { report } = converted([start({ urls: [one, other], prompt: 'Title' }), wait, status]);

		expect(report.rows).toMatchObject([{ after: 'Batch: Run', state: 'whole' }]);
	});

	it.each<[type: string, given: JsonObject, after: string]>([
		['firecrawlTool', { ...official('extract', { prompt: 'Tides' })[1] }, 'Agent: Run'],
		[
			'firecrawlTool',
			{ ...official('extract', { urls: { items: [{ url: one }] }, prompt: 'Title' })[1] },
			'Page: Scrape',
		],
	])('as a tool of an agent waits by itself: %s %j', (type, given, after) => {
		expect(converted([['Job', type, given]]).report.rows).toMatchObject([
			{ after, state: 'whole' },
		]);
	});
});

describe('A loop that only waits', () => {
	const isDone = (left: string, operation: string, right = '', version = 2.2): Sketch =>
		version === 1
			? base(
					'Done?',
					'if',
					{ conditions: { string: [{ value1: left, operation, value2: right }] } },
					1,
				)
			: [
					'Done?',
					'if',
					['', ''],
					{
						parameters: {
							conditions: {
								combinator: 'and',
								conditions: [{ leftValue: left, rightValue: right, operator: { operation } }],
							},
						},
					},
				];
	const switchOf = (typeVersion: number, ...states: string[]): Sketch => {
		const left = '={{ $json.status }}';
		const rule = (state: string, output: number): JsonObject =>
			typeVersion < 3
				? { operation: 'equal', value2: state, output }
				: {
						conditions: {
							combinator: 'and',
							conditions: [
								{ leftValue: left, rightValue: state, operator: { operation: 'equals' } },
							],
						},
					};
		const list = states.map(rule);
		const parameters: JsonObject =
			typeVersion < 3
				? { dataType: 'string', value1: left, rules: { rules: list } }
				: { rules: { values: list } };
		return base('Done?', 'switch', parameters, typeVersion);
	};
	const chain = ['Start > Job', 'Job > Wait', 'Wait > Status', 'Status > Done?'];
	const leftBy = (output: number, back: number) => [
		...chain,
		`Done?:${output} > Result`,
		`Done?:${back} > Wait`,
	];
	const failed = base('Failed', 'stopAndError', { errorMessage: 'No' }, 1);

	it.each<[what: string, decides: Sketch | undefined, links: string[], more?: Sketch[]]>([
		[
			'by a fixed time',
			undefined,
			['Start > Job', 'Job > Wait', 'Wait > Status', 'Status > Result'],
		],
		['until there is data', isDone('={{ $json.data }}', 'empty'), leftBy(1, 0)],
		[
			'until there is data, for long',
			isDone('={{ $json.data }}', 'isNotEmpty', '', 1),
			leftBy(0, 1),
		],
		['while there is no entry', isDone('={{ $json.data.length }}', 'gt', '={{ 0 }}'), leftBy(0, 1)],
		[
			'by code',
			isDone(`={{ $json.status === 'completed' && !$json.error }}`, 'true'),
			leftBy(0, 1),
		],
		[
			'by a list of states',
			isDone(`={{ ['processing', 'pending'].includes($json.status) }}`, 'true'),
			leftBy(1, 0),
		],
		[
			'by the keys of its data',
			isDone('={{ Object.keys($json.data).length > 0 }}', 'true'),
			leftBy(0, 1),
		],
		[
			'by its status, in the first IF',
			isDone('={{ $json.status }}', 'equal', 'completed', 1),
			leftBy(0, 1),
		],
		['by a Switch', switchOf(3.2, 'completed', 'processing'), leftBy(0, 1)],
		['by a former Switch', switchOf(1, 'processing', 'completed'), leftBy(1, 0)],
		[
			'by a Switch with an end for failures',
			switchOf(3.2, 'failed', 'completed', 'processing'),
			[...leftBy(1, 2), 'Done?:0 > Failed'],
			[failed],
		],
		[
			'in a second loop of its own',
			isDone('={{ $json.status }}', 'equals', 'completed'),
			[...chain, 'Done? > Result', 'Done?:1 > Wait more', 'Wait more > Status'],
			[['Wait more', 'wait', 9]],
		],
	])('%s falls away', (_what, decides, links, more = []) => {
		const sketches = [start(), wait, status, ...(decides ? [decides] : []), ...more];

		const { workflow, report } = converted([...sketches, result()], links);

		expect(report.rows).toMatchObject([{ after: 'Page: Scrape', state: 'whole' }]);
		expect(workflow.nodes.map(({ name }) => name)).toEqual(['Start', 'Job', 'Result']);
	});

	it('falls away around the official node, too', () => {
		const urls = { items: [{ url: one }, { url: other }] };
		const found = converted([
			['Job', ...official('extract', { urls, prompt: 'Title' })],
			wait,
			['Status', ...official('getExtractStatus', { extractId: '={{ $json.id }}' })],
			result('={{ $json.data.data.title }}'),
		]);

		expect(found.report.rows).toMatchObject([{ after: 'Agent: Run', state: 'whole' }]);
		expect(found.result()).toBe('={{ $json.data.title }}');
	});

	it('is an agent run where it hands all of its result to a caller', () => {
		const trigger = base('When called', 'executeWorkflowTrigger', {}, 1.1);
		const { report } = converted(
			[trigger, start(), wait, status],
			['When called > Job', 'Job > Wait', 'Wait > Status'],
		);

		expect(report.rows).toMatchObject([{ after: 'Agent: Run', state: 'whole' }]);
	});
});

describe('A loop that does more than wait', () => {
	const counter: Sketch = ['Count', 'code', 'return [{ json: { tries: 1 } }]'];
	const links = [
		...['Start > Job', 'Job > Wait', 'Wait > Status', 'Status > Done?', 'Done? > Result'],
		...['Done?:1 > Count', 'Count > Wait'],
	];
	const done: Sketch = ['Done?', 'if', ['={{ $json.status }}', 'completed']];

	it('stays, its start and its status as those of an agent run', () => {
		const found = converted([start(), wait, status, done, counter, result()], links);

		const after = ['Agent: Start', 'Agent: Get'];
		expect(found.report.rows.map((row) => [row.after, row.state])).toEqual(
			after.map((title) => [title, 'whole']),
		);
		expect(found.parametersOf('Status').jobId).toBe(`={{ $('Job').item.json.jobId }}`);
		expect(found.outputOf('Status')).toBe('raw');
	});

	it('stays as it is where one of them has to, and says when it stops', () => {
		const all: Sketch = ['Result', 'code', 'return Object.keys($("Job").item.json)'];
		const { report } = converted([start(), wait, status, done, counter, all], links);

		expect(report.rows.map(({ state }) => state)).toEqual(['kept', 'kept']);
		for (const { reasons } of report.rows) {
			expect(reasons.join(' ')).toContain('10 December 2026, 15:00 UTC');
		}
	});
});

describe('A research', () => {
	const research: Sketch = [
		'Job',
		'POST /v1/deep-research',
		{ query: 'Tides', analysisPrompt: 'As a table', jsonOptions: { schema } },
	];
	const state: Sketch = ['Status', `GET =/v1/deep-research/{{ $('Job').item.json.id }}`];

	it.each(['data.finalAnalysis', 'data.sources[0].url', 'data.json.title'])(
		'is an agent run in which %s is found',
		(place) => {
			const found = converted([research, wait, state, result(`={{ $json.${place} }}`)]);

			expect(found.report.rows).toMatchObject([{ after: 'Agent: Run', state: 'whole' }]);
			expect(found.result()).toBe(`={{ $json.${place} }}`);
			const { prompt, schema: sent } = found.parametersOf('Job');
			expect(prompt).toBe('Tides\n\nAs a table');
			expect(JSON.parse(String(sent)).properties).toMatchObject({ json: schema });
		},
	);

	it.each(['data.activities', 'currentDepth'])('stays where %s is read, and says so', (place) => {
		const { report } = converted([research, wait, state, result(`={{ $json.${place} }}`)]);

		const [{ state: became, reasons }] = report.rows;
		expect([became, reasons.join(' ')]).toEqual(['kept', expect.stringContaining(place)]);
		expect(reasons.join(' ')).toContain('10 December 2026');
	});
});

describe('A node that the service ends and nothing replaces', () => {
	it.each<[what: string, sketch: Sketch, step: string]>([
		['llms.txt', ['Job', 'POST /v1/llmstxt', { url: one }], 'Map: Get'],
		['an extraction of another workflow', ['Job', 'GET =/v1/extract/{{ $json.id }}'], 'Agent: Run'],
		['a body that cannot be read', start('={{ $json.body }}'), 'Page: Scrape or Batch: Run'],
		[
			'custom properties that cannot be read',
			[
				'Job',
				...official('extract', {
					...{ useCustomBody: true, additionalFields: { customProperties: '={{ $json.x }}' } },
				}),
			],
			'Page: Scrape or Batch: Run',
		],
	])('has a note with the date and the steps: %s', (_what, sketch, step) => {
		const { report, parametersOf } = converted([sketch]);

		expect(report.rows).toMatchObject([{ state: 'kept' }]);
		const { content } = parametersOf('Note on Job');
		expect(content).toContain('It stops on 10 December 2026, 15:00 UTC');
		expect(content).toContain(step);
	});
});
