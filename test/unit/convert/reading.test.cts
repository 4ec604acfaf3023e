import { ExpressionParser } from 'n8n-workflow';
import { z } from 'zod/v4';
import { chunksOf } from '../../../tools/convert/expressions.cjs';
import type { JsonObject } from '../../../tools/convert/json.cjs';
import { convert } from '../../../tools/convert/convert.cjs';
import { converted, sketch, workflowOf, type Sketch } from './build.cjs';
import listed from './reading.json';

/** How later nodes read on what a converted node returns. */
const url = 'https://tidewatch.example/';

const texts = z.array(z.string());
const fields = z.record(z.string(), z.json());
const pairs = z.array(z.tuple([z.string(), z.string()]));
const tables = z
	.strictObject({
		...{ rewritten: pairs, notUnderstood: texts, wholes: pairs, ofPages: texts, divided: texts },
		ofV0: pairs,
		takers: z.array(z.tuple([z.string(), sketch])),
		callers: z.array(z.tuple([z.string(), z.array(sketch)])),
		/** Settings of the start before and after, and what is said. */
		loopSettings: z.array(z.tuple([z.string(), fields, fields, z.string()])),
		otherLoops: z.array(z.tuple([z.string(), z.array(sketch), texts])),
	})
	.parse(listed);
const page: Sketch = ['Page', 'firecrawl', { operation: 'scrape', url }];
/** A node whose items have the response under `data`, which a converted node has not. */
const status: Sketch = [
	'Job',
	'firecrawl',
	{ operation: 'getCrawlStatus', crawlId: '00000000-0000-4000-8000-000000000000' },
];
const result = (value: string): Sketch => ['Result', 'set', { value }];
const total = '={{ $json.data.total }}';

describe('An expression that reads a converted node', () => {
	it.each(tables.rewritten)('reads what it read: %s', (before, after) => {
		const { outputOf, ...found } = converted([status, result(before)]);

		expect([outputOf('Job'), found.result()]).toEqual(['raw', after]);
	});

	it.each(tables.notUnderstood)('has its node stay, if it is not understood: %s', (expression) => {
		const { report, ...found } = converted([status, result(expression)]);

		expect([report.rows[0].state, found.result()]).toEqual(['kept', expression]);
	});

	it.each(tables.wholes)(
		'has its node stay, if it reads what %s returned as a whole: %s',
		(path, expression) => {
			const node: Sketch = ['Node', `POST ${path}`, { url, query: 'tide' }];
			const { report, ...found } = converted([node, result(expression)]);

			expect([report.rows[0].state, found.result()]).toEqual(['kept', expression]);
		},
	);

	it.each(tables.ofPages)(
		'stays as it is behind a page, whose response is the same: %s',
		(expression) => {
			const { outputOf, report, ...found } = converted([page, result(expression)]);

			expect([outputOf('Page'), found.result()]).toEqual(['raw', expression]);
			expect(report.rows).toMatchObject([{ state: 'whole', notes: [] }]);
		},
	);

	it.each(tables.divided)('is divided as n8n divides it: %s', (expression) => {
		const theirs = ExpressionParser.splitExpression(expression.slice(1))
			.map(({ type, text }) => ({ isCode: type === 'code', text }))
			.filter(({ isCode, text }) => isCode || text !== '');

		const ours = chunksOf(expression).map((chunk) =>
			chunk.isCode ? chunk : { ...chunk, text: chunk.text.replaceAll('\\\\', '\\') },
		);

		expect(ours).toEqual(theirs);
	});

	it.each(tables.ofV0)('has the names and states of v0: %s', (before, after) => {
		const status = 'GET /v0/crawl/status/0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
		const found = converted([['Status', status], result(`={{ $json.${before} }}`)]);

		expect(found.result()).toBe(`={{ $json.${after} }}`);
	});

	it.each([
		['id', '$json.jobId'],
		['success', 'true'],
	])('reads a start by the new name of its %s', (field, after) => {
		const start: Sketch = ['Crawl', 'firecrawl', { operation: 'crawl', url }];

		expect(converted([start, result(`={{ $json.${field} }}`)]).result()).toBe(`={{ ${after} }}`);
	});

	it.each([`It's "my" job`, 'Job \\ 1', 'constructor', 'toString'])('names it: %s', (name) => {
		const [, type, given] = status;
		const quoted = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
		const found = converted([
			[name, type, given],
			['Between', 'set', { one: '1' }],
			result(`={{ $('${quoted}').item.json.data.total }}`),
		]);

		expect(found.result()).toBe(`={{ $('${quoted}').item.json.total }}`);
	});

	it.each(['/v1/map', '/v2/map'])('reads an entry of a split list by its URL: %s', (path) => {
		const split: Sketch = ['Each', 'splitOut', 'links'];
		const found = converted([
			['Map', `POST ${path}`, { url }],
			split,
			result('={{ $json.links }}'),
		]);

		expect(found.result()).toBe('={{ $json.url }}');
	});

	it('is that of a part of an agent, too', () => {
		const langchain = '@n8n/n8n-nodes-langchain.';
		const memory = { sessionKey: '={{ $json.data.next }}' };
		const workflow = workflowOf(
			[
				status,
				['Agent', `${langchain}agent`, { promptType: 'define', text: total }],
				['Memory', `${langchain}memoryBufferWindow`, memory],
			],
			['Start > Job', 'Job > Agent'],
		);
		workflow.connections.Memory = { ai_memory: [[{ node: 'Agent', type: 'ai_memory', index: 0 }]] };

		const { nodes } = convert(workflow).workflow;

		expect(nodes.slice(2).map(({ parameters }) => parameters)).toEqual([
			{ promptType: 'define', text: '={{ $json.total }}' },
			{ sessionKey: '={{ $json.next }}' },
		]);
	});
});

const base = (name: string, type: string, parameters: JsonObject = {}, typeVersion = 1): Sketch => [
	name,
	`n8n-nodes-base.${type}`,
	parameters,
	{ typeVersion },
];
const webhook = (responseMode: string) => base('Webhook', 'webhook', { responseMode }, 2);

describe('A node stays, as its items have to,', () => {
	it.each(tables.takers)('where %s', (_what, sketch) => {
		expect(converted([status, sketch]).report.rows).toMatchObject([{ state: 'kept' }]);
	});

	it('where a name that is computed far behind may read them', () => {
		const far = result('={{ $($json.x).item.json.data.total }}');
		const { report } = converted([status, ['Next', 'set', { x: '1' }], far]);

		expect(report.rows).toMatchObject([{ state: 'kept' }]);
	});

	it('where a node reads them that gets the items of others, too', () => {
		const { report, ...found } = converted(
			[status, ['Free', 'set', { data: '1' }], result(total)],
			['Start > Job', 'Start > Free', 'Job > Result', 'Free > Result'],
		);

		expect([report.rows[0].state, found.result()]).toEqual(['kept', total]);
	});
});

describe('A node at the end returns', () => {
	it.each(tables.callers)('the whole response, if %s gets it', (_what, sketches) => {
		expect(converted(sketches).outputOf('Page')).toBe('raw');
	});

	it('its own items, if nobody waits for them', () => {
		expect(converted([webhook('onReceived'), page]).outputOf('Page')).toBeUndefined();
	});
});

it.each<JsonObject>([{ onError: 'continueRegularOutput' }, { continueOnFail: true }])(
	'A failure that goes the same way does not take the branch of a success: %j',
	(more) => {
		const start: Sketch = ['Crawl', 'firecrawl', { operation: 'crawl', url }, more];
		const expression = '={{ $json.success }}';
		const { report, ...found } = converted([start, result(expression)]);

		expect([report.rows[0].state, found.result()]).toEqual(['kept', expression]);
	},
);

it('Pages of a search come out of the split list of its response, as they did', () => {
	const scrapeOptions = { formats: [{ type: 'json', prompt: 'Title' }] };
	const { outputOf, ...found } = converted([
		['Search', 'POST /v2/search', { query: 'tide', scrapeOptions }],
		['Each', 'splitOut', 'data.web'],
		result('={{ $json.json.title }}'),
	]);

	expect([outputOf('Search'), found.result()]).toEqual(['raw', '={{ $json.json.title }}']);
});

it('The entries of a map behind a Split Out are read on as objects, also where a caller gets them', () => {
	const trigger = base('When called', 'executeWorkflowTrigger', {}, 1.1);
	const { report, ...found } = converted(
		[
			trigger,
			['Map', 'firecrawl', { operation: 'map', url }],
			['Each', 'splitOut', 'links'],
			result('={{ $json.links }}'),
		],
		['When called > Map', 'Map > Each', 'Each > Result', 'Each > Other'],
	);

	expect([report.rows[0].state, found.result()]).toEqual(['whole', '={{ $json.url }}']);
});

describe('A loop', () => {
	const loop = (left = '={{ $json.data.status }}', right = 'completed'): Sketch[] => [
		['Crawl', 'firecrawl', { operation: 'crawl', url }],
		base('Wait', 'wait', { amount: 0 }, 1.1),
		[
			'Status',
			'firecrawl',
			{ operation: 'getCrawlStatus', crawlId: `={{ $('Crawl').item.json.id }}` },
		],
		['Done?', 'if', [left, right]],
		result(`={{ $node["Status"].json.data.data[0].markdown }}`),
	];
	const links = ['Start > Crawl', 'Crawl > Wait', 'Wait > Status', 'Status > Done?'];
	const usual = [...links, 'Done? > Result', 'Done?:1 > Wait'];

	it('is read by the former form of names', () => {
		const { parametersOf, ...found } = converted(loop(), usual);

		expect(parametersOf('Crawl').operation).toBe('run');
		expect(found.result()).not.toContain('Status');
	});

	it.each(tables.loopSettings)('%s, and says so', (_does, before, after, note) => {
		const [[name, type, parameters], ...others] = loop();
		const stop = base('Stop', 'stopAndError', { errorMessage: 'No job' });

		const { workflow, report } = converted(
			[[name, type, parameters, before], ...others, stop],
			[...usual, 'Crawl:1 > Stop', 'Status:1 > Stop'],
		);

		expect(workflow.nodes[1]).toMatchObject(after);
		expect(report.rows[0].notes).toContainEqual(expect.stringContaining(note));
	});

	it('gives way where its condition is not understood, but on no failure', () => {
		const { parametersOf } = converted(
			loop(`={{ $json.data.status.startsWith('comp') }}`, 'true'),
			usual,
		);

		expect(parametersOf('Crawl').operation).toBe('run');
	});

	it.each<[name: string, sketch: Sketch]>([
		['reads', ['Result', 'code', 'return $input.all()']],
		['gets', base('Result', 'airtable', { operation: 'append' })],
	])('gives way where what follows %s all items, which are the same', (_name, sketch) => {
		const { parametersOf } = converted(
			[
				['Crawl', 'POST /v2/crawl', { url }],
				base('Wait', 'wait', { amount: 0 }, 1.1),
				['Status', `GET =/v2/crawl/{{ $('Crawl').item.json.id }}`],
				['Done?', 'if', ['={{ $json.status }}', 'completed']],
				sketch,
			],
			usual,
		);

		expect(parametersOf('Crawl')).toMatchObject({ operation: 'run', options: { output: 'raw' } });
	});

	it.each(tables.otherLoops)('stays, %s', (_name, sketches, theirs) => {
		const { parametersOf, workflow } = converted(sketches, theirs);

		expect(workflow.nodes.map(({ name }) => name)).toContain('Status');
		expect(parametersOf('Crawl').operation).toBe('start');
	});
});
