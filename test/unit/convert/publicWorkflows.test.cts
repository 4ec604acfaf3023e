import { convert } from '../../../tools/convert/convert.cjs';
import type { Json, JsonObject } from '../../../tools/convert/json.cjs';
import { parseWorkflow } from '../../../tools/convert/workflow.cjs';
import {
	http,
	isEqual,
	official,
	other,
	set,
	splitOut,
	workflowOf,
	type Sketch,
} from './build.cjs';

/** What public workflows hold that the converter once read wrongly, each in its smallest form. */
const url = 'https://tidewatch.example/';

function converted(sketches: Sketch[], more: JsonObject = {}) {
	const { workflow, report } = convert({ ...workflowOf(sketches), ...more });
	const parametersOf = (name: string): JsonObject =>
		workflow.nodes.find((node) => node.name === name)?.parameters ?? {};
	return { parametersOf, rows: report.rows };
}

describe('Code in a JSON template', () => {
	const parametersOf = (body: string) =>
		converted([http('Node', 'POST', '/v2/batch/scrape', `=${body}`)]).parametersOf('Node');

	it.each([
		[
			'[ {{ $json.list.map((u) => `"${u}"`).join(",") }} ]',
			'={{ [...JSON.parse("[" + ($json.list.map((u) => `"${u}"`).join(",")) + "]")] }}',
		],
		[
			'[ {{ JSON.stringify($json.url) }}, "https://a.example" ]',
			'={{ [($json.url), "https://a.example"] }}',
		],
	])('stands for entries of a list: %s', (list, expected) => {
		expect(parametersOf(`{"urls": ${list}}`).urls).toBe(expected);
	});

	it('stands for entries of a list beside others', () => {
		const { additionalFields } = parametersOf(
			'{"urls": ["https://a.example"], "includeTags": [{{ $json.tags }}]}',
		);

		expect(additionalFields).toEqual({
			includeTags: '={{ [...JSON.parse("[" + ($json.tags) + "]")] }}',
		});
	});

	it.each([
		['say \\"hi\\" {{ $json.name }}', '=say "hi" {{ $json.name }}'],
		[
			'{{ $json.text.replace(/"/g, \'\\\\"\') }}',
			"={{ JSON.parse('\"' + ($json.text.replace(/\"/g, '\\\\\"')) + '\"') }}",
		],
		[
			'{{ JSON.stringify($json.text).slice(1, -1) }}',
			"={{ JSON.parse('\"' + (JSON.stringify($json.text).slice(1, -1)) + '\"') }}",
		],
	])('within a text is a piece of that JSON: %s', (text, expected) => {
		const { prompt } = converted([
			http('Node', 'POST', '/v2/agent', `={"prompt": "${text}"}`),
		]).parametersOf('Node');

		expect(prompt).toBe(expected);
	});

	it('is no name of a field', () => {
		const { rows } = converted([http('Node', 'POST', '/v2/scrape', '={"{{ $json.name }}": 1}')]);

		expect(rows).toMatchObject([{ state: 'kept' }]);
	});
});

describe('A node whose items leave the workflow', () => {
	const page = official('Page', { operation: 'scrape', url });
	const webhook = (responseMode: string) =>
		other('Webhook', 'n8n-nodes-base.webhook', { responseMode }, 2);

	it.each<[string, Sketch[]]>([
		['to the caller of a webhook', [webhook('lastNode'), page]],
		['to a parent workflow', [other('Called', 'n8n-nodes-base.executeWorkflowTrigger'), page]],
		[
			'to the caller of a webhook, by nodes that pass them on',
			[webhook('lastNode'), page, other('Pass', 'n8n-nodes-base.noOp')],
		],
		[
			'to another workflow',
			[page, other('Call', 'n8n-nodes-base.executeWorkflow', { workflowId: 'x' }, 1.2)],
		],
	])('keeps their shape: %s', (_name, sketches) => {
		const { parametersOf } = converted(sketches);

		expect(parametersOf('Page').options).toMatchObject({ output: 'raw' });
	});

	it.each<[string, Sketch[]]>([
		['nobody waits for them', [webhook('onReceived'), page]],
		[
			'another node makes new ones',
			[webhook('lastNode'), page, set('New', { text: '={{ $json.data.markdown }}' })],
		],
	])('has this shape where %s', (_name, sketches) => {
		expect(converted(sketches).parametersOf('Page').options).toBeUndefined();
	});
});

it.each([{ onError: 'continueRegularOutput' }, { continueOnFail: true }])(
	'a failure does not take the branch of a success: %j',
	(more) => {
		const { parametersOf } = converted([
			official('Page', { operation: 'scrape', url }, more),
			isEqual('Good', '={{ $json.success }}', 'true'),
		]);

		expect(parametersOf('Page').options).toMatchObject({ output: 'raw' });
		expect(JSON.stringify(parametersOf('Good'))).toContain('={{ $json.success }}');
	},
);

describe('An expression for a group of the official node', () => {
	const expression = '={{ $json.x }}';
	const group = (options: JsonObject): JsonObject => ({ scrapeOptions: { options } });

	it.each<[string, JsonObject]>([
		['scrapeOptions', { scrapeOptions: expression }],
		['scrapeOptions', { scrapeOptions: { options: expression } }],
		['formats', group({ formats: expression })],
		['formats', group({ formats: { format: expression } })],
		['headers', group({ headers: expression })],
		['actions', group({ actions: { items: expression } })],
		['location', group({ location: expression })],
		['includeTags', group({ includeTags: expression })],
	])('is said to be lost: %s %j', (name, parameters) => {
		const { rows } = converted([official('Page', { operation: 'scrape', url, ...parameters })]);

		expect(rows).toMatchObject([
			{ state: 'part', reasons: [`The expression for "${name}" has no counterpart.`] },
		]);
	});

	it('is carried over for parsers', () => {
		const { parametersOf, rows } = converted([
			official('Page', { operation: 'scrape', url, parsers: expression }),
		]);

		expect(rows).toMatchObject([{ state: 'whole' }]);
		expect(parametersOf('Page').additionalFields).toEqual({
			requestJson: '={{ { "parsers": ($json.x) } }}',
		});
	});
});

it.each<[string, JsonObject, string]>([
	[
		'/v2/scrape',
		{ url, timeout: 360_000 },
		'"timeout" is 360000; the service takes at most 300000.',
	],
	['/v2/scrape', { url, waitFor: 90_000 }, '"waitFor" is 90000; the service takes at most 60000.'],
	['/v2/search', { query: 'tide', limit: 150 }, '"limit" is 150; the service takes at most 100.'],
	['/v2/crawl', { url, delay: 120 }, '"delay" is 120; the service takes at most 60.'],
])('a number that the service refuses is said at once: %s %j', (path, body, reason) => {
	const { rows } = converted([http('Node', 'POST', path, body)]);

	expect(rows).toMatchObject([{ state: 'part', reasons: [reason] }]);
});

it.each(['/v1/map', '/v2/map'])(
	'an entry of a split list of links is read by its URL: %s',
	(path) => {
		const { parametersOf } = converted([
			http('Map', 'POST', path, { url }),
			splitOut('Each', 'links'),
			set('Result', { next: '={{ $json.links }}' }),
		]);

		expect(JSON.stringify(parametersOf('Result'))).toContain('={{ $json.url }}');
	},
);

it('a map of the first version has its fields in a group', () => {
	const { parametersOf, rows } = converted([
		official('Map', {
			operation: 'map',
			url,
			mapOptions: { options: { limit: 100 } },
			ignoreSitemap: true,
		}),
	]);

	expect(rows).toMatchObject([{ state: 'whole' }]);
	expect(parametersOf('Map')).toMatchObject({ limit: 100, additionalFields: { sitemap: 'skip' } });
});

it('the older HTTP tool of agents is named', () => {
	const tool = other('Tool', '@n8n/n8n-nodes-langchain.toolHttpRequest', {
		method: 'POST',
		url: 'https://api.firecrawl.dev/v2/search',
	});

	expect(converted([tool]).rows).toMatchObject([
		{ node: 'Tool', state: 'kept', reasons: [expect.stringContaining('as a tool')] },
	]);
});

describe('A workflow in another wrapping', () => {
	const workflow = workflowOf([http('Node', 'POST', '/v2/scrape', { url })]);
	const wrapped: Record<string, Json> = {
		list: [workflow as unknown as Json],
		workflow: { workflow: workflow as unknown as Json },
		data: { data: [workflow as unknown as Json] },
	};

	it.each(Object.entries(wrapped))('is read: %s', (_name, value) => {
		expect(parseWorkflow(`\uFEFF${JSON.stringify(value)}`).nodes).toHaveLength(2);
	});

	it('is one of several only by choice', () => {
		expect(() => parseWorkflow(JSON.stringify([workflow, workflow]))).toThrow(
			'These are 2 workflows: convert one at a time.',
		);
	});
});
