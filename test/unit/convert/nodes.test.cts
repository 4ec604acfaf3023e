import { z } from 'zod/v4';
import { convert } from '../../../tools/convert/convert.cjs';
import listed from './nodes.json';
import { converted, host, workflowOf, type Sketch } from './build.cjs';

/** What a node becomes, and what is said of it. */
const url = 'https://tidewatch.example/';

const fields = z.record(z.string(), z.json());
const tables = z
	.strictObject({
		/** Of HTTP Request nodes, how they store a body, and their parameters. */
		versions: z.array(z.tuple([z.number(), z.string(), fields])),
		/** Parameters of the official node. */
		firstOperations: z.array(z.tuple([fields, z.string()])),
		computedGroups: z.array(z.tuple([z.string(), fields])),
		/** What is kept, as what. */
		keeps: z.array(z.tuple([z.string(), fields, fields])),
		/** Type and what it does, its state, and why. */
		said: z.array(z.tuple([z.string(), z.json(), z.string(), z.string()])),
		otherwise: z.array(z.tuple([z.string(), z.json(), z.string()])),
	})
	.parse(listed);

it.each(tables.versions)(
	'An HTTP Request node of version %d converts, its body as %s',
	(typeVersion, _form, given) => {
		const parameters = { url: `${host}/v2/scrape`, ...given };
		const { report, parametersOf } = converted([
			['Page', 'n8n-nodes-base.httpRequest', parameters, { typeVersion }],
		]);

		expect(report.rows).toMatchObject([{ state: 'whole', after: 'Page: Scrape' }]);
		expect(parametersOf('Page')).toMatchObject({ resource: 'page', operation: 'scrape', url });
		expect(JSON.stringify(parametersOf('Page').formats)).toContain('html');
	},
);

describe('Code in a JSON template', () => {
	it('within a text is a part of it', () => {
		const { parametersOf } = converted([
			['Node', 'POST /v2/agent', '={"prompt": "say \\"hi\\" {{ $json.name }}"}'],
		]);

		expect(parametersOf('Node').prompt).toBe('=say "hi" {{ $json.name }}');
	});

	it.each([
		'{"urls": [ {{ $json.list.map((u) => `"${u}"`).join(",") }} ]}',
		'{"prompt": "{{ JSON.stringify($json.text).slice(1, -1) }}"}',
		'{"prompt": "{{ $json.text.replace(/"/g, \'\\\\"\') }}"}',
	])('that makes JSON has its node stay: %s', (body) => {
		const { report } = converted([['Node', 'POST /v2/agent', `=${body}`]]);

		expect(report.rows).toMatchObject([{ state: 'kept' }]);
	});
});

describe('A node of the official package', () => {
	it.each(tables.firstOperations)(
		'without a stored operation does the first one: %j',
		(stored, expected) => {
			const { resource, operation } = converted([
				['Node', 'firecrawl', { url, ...stored }],
			]).parametersOf('Node');

			expect(`${String(resource)}.${String(operation)}`).toBe(expected);
		},
	);

	it.each(tables.computedGroups)(
		'loses an expression for the group %s, and says so: %j',
		(name, parameters) => {
			const { report } = converted([['Page', 'firecrawl', parameters]]);

			const reasons = [`The expression for "${name}" has no counterpart.`];
			expect(report.rows).toMatchObject([{ state: 'part', reasons }]);
		},
	);

	it.each(tables.keeps)('keeps %s', (_what, given, parameters) => {
		const { report, parametersOf } = converted([['Node', 'firecrawl', given]]);

		expect(report.rows).toMatchObject([{ state: 'whole' }]);
		expect(parametersOf('Node')).toMatchObject(parameters);
	});
});

it.each([
	[
		'crawl/0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b?limit=20&skip=40',
		{ returnAll: false, limit: 20, additionalFields: { skip: 40 } },
	],
	['crawl/0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b?skip=07', { additionalFields: { skip: '07' } }],
	['interact?status=active', { returnAll: true, additionalFields: { status: 'active' } }],
	['team/credit-usage/historical?byApiKey=true', { additionalFields: { byApiKey: true } }],
])('The query of a GET is fields of its node: %s', (path, parameters) => {
	const { report, parametersOf } = converted([['Node', `GET /v2/${path}`]]);

	expect(report.rows).toMatchObject([{ state: 'whole', reasons: [] }]);
	expect(parametersOf('Node')).toMatchObject(parameters);
});

describe('Of a node it is said', () => {
	it.each(tables.said)(
		'why it stays or what it lost, also beside it: %s %j',
		(type, given, state, reason) => {
			const { report, workflow, parametersOf } = converted([['Node', type, given]]);

			const why = expect.stringContaining(reason);
			expect(report.rows).toMatchObject([{ node: 'Node', state, reasons: [why] }]);
			expect(parametersOf('Note on Node')).toMatchObject({ content: why });
			expect(workflow.nodes[2].type).toBe('n8n-nodes-base.stickyNote');
			const [, { type: after }] = workflow.nodes;
			expect(after === 'n8n-nodes-web-data.webData').toBe(state === 'part');
		},
	);

	it.each(tables.otherwise)('what it does otherwise: %s %j', (type, given, note) => {
		const { report } = converted([['Node', type, given]]);

		expect(report.rows).toMatchObject([{ state: 'whole' }]);
		expect(report.rows[0].notes).toContainEqual(expect.stringContaining(note));
	});

	it('nothing, if it asks another service, or a server that is not named', () => {
		const urls = ['https://example.com/v2/scrape', 'http://crawler.local:3002/v1/scrape'];
		const requests = urls.map(
			(to, index): Sketch => [
				`Request ${index}`,
				'n8n-nodes-base.httpRequest',
				{ url: to },
				{ typeVersion: 4.2 },
			],
		);

		expect(converted(requests).report.rows).toEqual([]);
		const { report } = convert(workflowOf(requests), { hosts: ['crawler.local:3002'] });
		expect(report.rows).toMatchObject([{ node: 'Request 1' }]);
	});
});

it.each(['constructor', '__proto__', 'toString'])(
	'A name that every object has goes along in a body: %s',
	(name) => {
		const body = `{"url":"${url}","${name}":{"a":1},"formats":[{"type":"${name}","x":1}]}`;
		const { additionalFields } = converted([['Node', 'POST /v2/scrape', body]]).parametersOf(
			'Node',
		);

		const { requestJson } = Object(additionalFields);
		expect(Object.getOwnPropertyNames(JSON.parse(requestJson))).toEqual(
			expect.arrayContaining([name, 'formats']),
		);
	},
);
