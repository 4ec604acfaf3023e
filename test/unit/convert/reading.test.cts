import { ExpressionParser } from 'n8n-workflow';
import { chunksOf } from '../../../tools/convert/expressions.cjs';
import type { JsonObject } from '../../../tools/convert/json.cjs';
import { convert } from '../../../tools/convert/convert.cjs';
import { converted, workflowOf, type Sketch } from './build.cjs';

/** How later nodes read on what a converted node returns. */
const url = 'https://tidewatch.example/';
const page: Sketch = ['Page', 'firecrawl', { operation: 'scrape', url }];
const result = (value: string): Sketch => ['Result', 'set', { value }];
const markdown = '={{ $json.data.markdown }}';

describe('An expression that reads a converted node', () => {
	it.each([
		['={{ $json.data.markdown }}', '={{ $json.markdown }}'],
		[
			'=A {{ $json.data.markdown }} B {{ $json["data"].html }}',
			'=A {{ $json.markdown }} B {{ $json.html }}',
		],
		['={{ $json.data.metadata.title }}', '={{ $json.title }}'],
		['={{ $json.data.metadata.sourceURL }}', '={{ $json.metadata.sourceURL }}'],
		['={{ $json.data.json.a[0]["b c"] }}', '={{ $json.json.a[0]["b c"] }}'],
		['={{ $json.data?.markdown }}', '={{ $json?.markdown }}'],
		["={{ $('Page').item.json.data.markdown }}", "={{ $('Page').item.json.markdown }}"],
		[
			"={{ $('Page').first().json.data.links.length }}",
			"={{ $('Page').first().json.links.length }}",
		],
		['={{ $node["Page"].json.data.html.trim() }}', '={{ $node["Page"].json.html.trim() }}'],
		['={{ $input.item.json.data.html }}', '={{ $input.item.json.html }}'],
		[
			'={{ $json.data.links.filter((link) => link.startsWith($json.data.metadata.url)) }}',
			'={{ $json.links.filter((link) => link.startsWith($json.url)) }}',
		],
		['={{ $json.success ? 1 : 2 }}', '={{ true ? 1 : 2 }}'],
	])('reads what it read: %s', (before, after) => {
		const { outputOf, ...found } = converted([page, result(before)]);

		expect([outputOf('Page'), found.result()]).toEqual([undefined, after]);
	});

	it.each([
		'={{ $json.data.metadata["og:title"] }}',
		'={{ JSON.stringify($json) }}',
		'={{ $json.data[$json.name] }}',
		'={{ $input.all() }}',
		"={{ $('Page').all().length }}",
		'={{ broken( }}',
		"={{ $($json.success ? 'Page' : 'Start').item.json.data.markdown }}",
	])('stays true with the whole response, which a page has not otherwise: %s', (expression) => {
		const { outputOf, ...found } = converted([page, result(expression)]);

		expect([outputOf('Page'), found.result()]).toEqual(['raw', expression]);
	});

	it.each([
		'=text',
		'={{ a }}',
		'=a {{ b }} c {{ d }}',
		'={{ a',
		'=\\{{ a }} {{ b }}',
		'={{ "\\}}" }} c',
		'={{ {a: 1} }}',
		'=',
	])('is divided as n8n divides it: %s', (expression) => {
		const theirs = ExpressionParser.splitExpression(expression.slice(1))
			.map(({ type, text }) => ({ isCode: type === 'code', text }))
			.filter(({ isCode, text }) => isCode || text !== '');

		const ours = chunksOf(expression).map((chunk) =>
			chunk.isCode ? chunk : { ...chunk, text: chunk.text.replaceAll('\\\\', '\\') },
		);

		expect(ours).toEqual(theirs);
	});

	it.each([
		['status', 'status.replace("scraping", "active").replace("cancelled", "failed")'],
		['current', 'completed'],
		['data[0].content', 'data[0].markdown'],
		['data[0].metadata.pageStatusCode', 'data[0].metadata.statusCode'],
		['data[0].metadata.screenshot', 'data[0].screenshot'],
		['data[0].linksOnPage', 'data[0].links'],
	])('has the names and states of v0: %s', (before, after) => {
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

	it.each([`It's "my" page`, 'Page \\ 1', 'constructor', 'toString'])('names it: %s', (name) => {
		const [, type, given] = page;
		const quoted = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
		const { outputOf, ...found } = converted([
			[name, type, given],
			['Between', 'set', { one: '1' }],
			result(`={{ $('${quoted}').item.json.data.markdown }}`),
		]);

		expect(outputOf(name)).toBeUndefined();
		expect(found.result()).toBe(`={{ $('${quoted}').item.json.markdown }}`);
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
		const memory = { sessionKey: '={{ $json.data.metadata.url }}' };
		const workflow = workflowOf(
			[
				page,
				['Agent', `${langchain}agent`, { promptType: 'define', text: markdown }],
				['Memory', `${langchain}memoryBufferWindow`, memory],
			],
			['Start > Page', 'Page > Agent'],
		);
		workflow.connections.Memory = { ai_memory: [[{ node: 'Agent', type: 'ai_memory', index: 0 }]] };

		const { nodes } = convert(workflow).workflow;

		expect(nodes.slice(2).map(({ parameters }) => parameters)).toEqual([
			{ promptType: 'define', text: '={{ $json.markdown }}' },
			{ sessionKey: '={{ $json.url }}' },
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
const python = { language: 'python', pythonCode: 'return [{"json": _input.first().json.data}]' };
const merge = { mode: 'combine', fieldsToMatchString: 'data.metadata.url' };

describe('The whole response is what', () => {
	it.each<[what: string, sketches: Sketch[]]>([
		['a script in Python reads', [page, base('Next', 'code', python, 2)]],
		['the item of a script is', [page, ['Next', 'code', 'return { json: item.json.data }']]],
		[
			'a Function Item node reads',
			[page, base('Next', 'functionItem', { functionCode: 'return item.data' })],
		],
		[
			'a Sort node compares',
			[page, base('Next', 'sort', { sortFieldsUi: { sortField: [{ fieldName: 'data.url' }] } })],
		],
		['a Merge node compares', [page, base('Next', 'merge', merge, 3)]],
		['an unknown node gets', [page, ['Next', '@n8n/n8n-nodes-langchain.chainSummarization']]],
		['a former spreadsheet gets', [page, base('Next', 'googleSheets', { operation: 'append' }, 2)]],
		['a former table gets', [page, base('Next', 'airtable', { operation: 'append' })]],
		[
			'a name that is computed far behind may read',
			[page, ['Next', 'set', { x: '1' }], result('={{ $($json.x).item.json.data.markdown }}')],
		],
		['the caller of a webhook gets', [webhook('lastNode'), page]],
		['the parent workflow gets', [base('Called', 'executeWorkflowTrigger'), page]],
		[
			'the caller of a webhook gets from a node that passes it on',
			[webhook('lastNode'), page, base('Pass', 'noOp')],
		],
		['another workflow gets', [page, base('Call', 'executeWorkflow', { workflowId: 'x' }, 1.2)]],
	])('%s', (_what, sketches) => {
		expect(converted(sketches).outputOf('Page')).toBe('raw');
	});

	it('a node reads that gets the items of others, too', () => {
		const { outputOf, ...found } = converted(
			[page, ['Free', 'set', { data: '1' }], result(markdown)],
			['Start > Page', 'Start > Free', 'Page > Result', 'Free > Result'],
		);

		expect([outputOf('Page'), found.result()]).toEqual(['raw', markdown]);
	});

	it.each<JsonObject>([{ onError: 'continueRegularOutput' }, { continueOnFail: true }])(
		'a condition on the success needs, if failures go the same way: %j',
		(more) => {
			const [name, type, given] = page;
			const { outputOf, ...found } = converted([
				[name, type, given, more],
				result('={{ $json.success }}'),
			]);

			expect([outputOf('Page'), found.result()]).toEqual(['raw', '={{ $json.success }}']);
		},
	);

	it.each<[string, Sketch[]]>([
		['nobody waits for it', [webhook('onReceived'), page]],
		['another node makes new items', [webhook('lastNode'), page, result(markdown)]],
	])('is not returned where %s', (_what, sketches) => {
		expect(converted(sketches).outputOf('Page')).toBeUndefined();
	});
});

describe('Extracted data', () => {
	const json = { type: 'json', prompt: 'Title' };

	it.each<[string, JsonObject, string | undefined]>([
		['/v2/scrape', { url, formats: [json] }, 'raw'],
		['/v1/scrape', { url, formats: ['extract'], extract: { prompt: 'Title' } }, 'raw'],
		['/v2/scrape', { url, formats: '={{ $json.formats }}' }, 'raw'],
		['/v2/scrape', { url, formats: [json, 'markdown'] }, undefined],
		['/v2/scrape', { url, formats: ['markdown'] }, undefined],
	])('stays where the response has it, if it is the only format: %s %j', (path, body, expected) => {
		const text = JSON.stringify(body);

		expect(converted([['Page', `POST ${path}`, text]]).outputOf('Page')).toEqual(expected);
	});

	it('stays under json in the entries of a split list', () => {
		const body = { query: 'tide', scrapeOptions: { formats: [json] } };
		const { parametersOf } = converted([
			['Search', 'POST /v2/search', body],
			['Each', 'splitOut', 'data.web'],
			result('={{ $json.json.title }}'),
		]);

		expect(parametersOf('Search').formats).toEqual(['json', 'markdown']);
	});
});

describe('A loop', () => {
	const loop = (waits: JsonObject, state = 'completed', ofCondition: JsonObject = {}): Sketch[] => [
		['Crawl', 'firecrawl', { operation: 'crawl', url }],
		base('Wait', 'wait', waits, 1.1),
		[
			'Status',
			'firecrawl',
			{ operation: 'getCrawlStatus', crawlId: `={{ $('Crawl').item.json.id }}` },
		],
		['Done?', 'if', ['={{ $json.data.status }}', state], ofCondition],
		result(`={{ $node["Status"].json.data.data[0].markdown }}`),
	];
	const links = ['Start > Crawl', 'Crawl > Wait', 'Wait > Status', 'Status > Done?'];
	const usual = [...links, 'Done? > Result', 'Done?:1 > Wait'];

	it('is read by the former form of names', () => {
		const { parametersOf, ...found } = converted(loop({ amount: 0 }), usual);

		expect(parametersOf('Crawl').operation).toBe('run');
		expect(found.result()).not.toContain('Status');
	});

	it.each<[name: string, sketches: Sketch[], links: string[]]>([
		['which is left if the job has failed only', loop({ amount: 0 }, 'failed'), usual],
		[
			'which is left while the job is running',
			loop({ amount: 0 }),
			[...links, 'Done?:1 > Result', 'Done? > Wait'],
		],
		['in which a person has a say', loop({ resume: 'form' }), usual],
		[
			'that waits for a day to come',
			loop({ resume: 'specificTime', dateTime: '2030-01-01' }),
			usual,
		],
		['of which a node is off', loop({ amount: 0 }, 'completed', { disabled: true }), usual],
	])('stays, %s', (_name, sketches, theirs) => {
		const { parametersOf, workflow } = converted(sketches, theirs);

		expect(workflow.nodes.map(({ name }) => name)).toContain('Status');
		expect(parametersOf('Crawl').operation).toBe('start');
	});
});
