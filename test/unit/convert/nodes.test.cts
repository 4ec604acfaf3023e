import { convert } from '../../../tools/convert/convert.cjs';
import type { JsonObject } from '../../../tools/convert/json.cjs';
import { converted, host, workflowOf, type Sketch } from './build.cjs';

/** What a node becomes, and what is said of it. */
const url = 'https://tidewatch.example/';

describe('An HTTP Request node of version', () => {
	const json = JSON.stringify({ url, formats: ['html'] });
	const pairs = [
		{ name: 'url', value: url },
		{ name: 'formats', value: '={{ ["html"] }}' },
	];
	const post = { method: 'POST', sendBody: true };
	const former = { requestMethod: 'POST' };

	it.each<[version: number, form: string, parameters: JsonObject]>([
		[1, 'JSON', { ...former, jsonParameters: true, bodyParametersJson: json }],
		[1, 'key and value', { ...former, bodyParametersUi: { parameter: pairs } }],
		[2, 'JSON', { ...former, jsonParameters: true, bodyParametersJson: json }],
		[3, 'key and value', { ...post, bodyParameters: { parameters: pairs } }],
		[3, 'JSON', { ...post, specifyBody: 'json', jsonBody: json }],
		[4, 'text', { ...post, contentType: 'raw', rawContentType: 'application/json', body: json }],
		[4.1, 'an expression', { ...post, specifyBody: 'json', jsonBody: `={{ ${json} }}` }],
		[4.2, 'a template', { ...post, specifyBody: 'json', jsonBody: `=${json}` }],
		[4.3, 'key and value', { ...post, bodyParameters: { parameters: pairs } }],
	])('%d converts, its body as %s', (typeVersion, _form, given) => {
		const parameters = { url: `${host}/v2/scrape`, ...given };
		const { report, parametersOf } = converted([
			['Page', 'n8n-nodes-base.httpRequest', parameters, { typeVersion }],
		]);

		expect(report.rows).toMatchObject([{ state: 'whole', after: 'Page: Scrape' }]);
		expect(parametersOf('Page')).toMatchObject({ resource: 'page', operation: 'scrape', url });
		expect(JSON.stringify(parametersOf('Page').formats)).toContain('html');
	});
});

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
	const expression = '={{ $json.x }}';
	const group = (options: JsonObject): JsonObject => ({ scrapeOptions: { options } });
	const custom = (customProperties: string): JsonObject => ({
		additionalFields: { customProperties },
	});

	it.each([
		[{}, 'page.scrape'],
		[{ resource: 'Scraping' }, 'page.scrape'],
		[{ resource: 'Crawling' }, 'crawl.start'],
		[{ resource: 'MapSearch' }, 'map.get'],
		[{ resource: 'Agent' }, 'agent.run'],
		[{ resource: 'Account' }, 'account.getCreditUsage'],
		[{ resource: 'Default' }, 'map.get'],
		[{ limit: 5 }, 'map.get'],
	])('without a stored operation does the first one: %j', (stored, expected) => {
		const { resource, operation } = converted([
			['Node', 'firecrawl', { url, ...stored }],
		]).parametersOf('Node');

		expect(`${String(resource)}.${String(operation)}`).toBe(expected);
	});

	it.each<[string, JsonObject]>([
		['scrapeOptions', { scrapeOptions: expression }],
		['scrapeOptions', { scrapeOptions: { options: expression } }],
		['formats', group({ formats: expression })],
		['formats', group({ formats: { format: expression } })],
		['headers', group({ headers: expression })],
		['actions', group({ actions: { items: expression } })],
		['location', group({ location: expression })],
		['includeTags', group({ includeTags: expression })],
	])('loses an expression for the group %s, and says so: %j', (name, parameters) => {
		const { report } = converted([
			['Page', 'firecrawl', { operation: 'scrape', url, ...parameters }],
		]);

		const reasons = [`The expression for "${name}" has no counterpart.`];
		expect(report.rows).toMatchObject([{ state: 'part', reasons }]);
	});

	it.each<[what: string, given: JsonObject, parameters: JsonObject]>([
		[
			'an expression for parsers',
			{ operation: 'scrape', url, parsers: expression },
			{ additionalFields: { requestJson: '={{ { "parsers": ($json.x) } }}' } },
		],
		[
			'the fields of a map in the group of its first version',
			{ operation: 'map', url, mapOptions: { options: { limit: 100 } }, ignoreSitemap: true },
			{ limit: 100, additionalFields: { sitemap: 'skip' } },
		],
		[
			'the custom properties of a map beside no custom body',
			{ operation: 'map', url, useCustomBody: true, ...custom('{"limit":20,"search":"tide"}') },
			{ url, limit: 20, additionalFields: { search: 'tide' } },
		],
		[
			'the custom properties below a custom body',
			{
				...{ operation: 'crawl', url, useCustomBody: true, customBody: '{"limit":5}' },
				...custom('{"limit":20,"delay":1}'),
			},
			{ url, limit: 5, additionalFields: { delay: 1 } },
		],
		[
			'the custom properties of a batch and of a search, whose own body the node does not send',
			{
				...{ operation: 'batchScrape', useCustomBody: true, customBody: '{"urls":[]}' },
				...custom(`{"urls":["${url}"]}`),
			},
			{ urls: url },
		],
		[
			'the first form of the URLs of a batch',
			{ operation: 'batchScrape', urls: { urlValues: [{ url }] } },
			{ urls: url },
		],
		[
			'an expression that switches a custom body on',
			{ operation: 'map', url, limit: 9, useCustomBody: expression, customBody: '{"limit":5}' },
			{
				limit: 9,
				additionalFields: {
					requestJson: '={{ ({ ...{}, ...(($json.x) ? { "limit": 5 } : {}) }) }}',
				},
			},
		],
		[
			'a delay in milliseconds, as seconds',
			{ operation: 'crawl', url, delay: 2000 },
			{ additionalFields: { delay: 2 } },
		],
	])('keeps %s', (_what, given, parameters) => {
		const { report, parametersOf } = converted([['Node', 'firecrawl', given]]);

		expect(report.rows).toMatchObject([{ state: 'whole' }]);
		expect(parametersOf('Node')).toMatchObject(parameters);
	});
});

describe('Of a node it is said', () => {
	const body = { url };

	it.each<[type: string, given: JsonObject | string, state: string, reason: string]>([
		['firecrawl', { operation: 'teamTokenUsage' }, 'kept', 'The service counts credits'],
		['firecrawl', { url, unheardOf: 1 }, 'part', 'The parameter "unheardOf" has no counterpart.'],
		['POST /v2/scrape', '={"{{ $json.name }}": 1}', 'kept', 'is not JSON that can be read'],
		['POST /v2/toString', body, 'kept', 'no operation for POST /toString'],
		[
			'firecrawl',
			{ operation: 'crawl', url, delay: -5 },
			'part',
			'"Delay" must be a number from 0 to 60 seconds',
		],
		[
			'firecrawl',
			{ useCustomBody: true, additionalFields: { customProperties: '={{ $json.more }}' } },
			'kept',
			'Its custom properties are no JSON object that can be read.',
		],
		[
			'firecrawl',
			{
				...{ operation: 'crawl', useCustomBody: '={{ $json.own }}' },
				scrapeOptions: { options: { waitFor: 5 } },
				customBody: '{"scrapeOptions":{"waitFor":9}}',
			},
			'kept',
			'An expression decides whether groups',
		],
		['POST /v2/scrape?page=1', body, 'part', 'The query parameter "page" has no counterpart.'],
		[
			'n8n-nodes-base.httpRequest',
			{ url: `={{ "${host}/v1/crawl/" + $json.id }}` },
			'kept',
			'Its URL',
		],
		['GET /v9/scrape', {}, 'kept', 'Its URL is no endpoint of the API.'],
		[
			'@n8n/n8n-nodes-langchain.toolHttpRequest',
			{ method: 'POST', url: `${host}/v2/search` },
			'kept',
			'add the Web Data node as a tool instead',
		],
	])('why it stays or what it lost, also beside it: %s %j', (type, given, state, reason) => {
		const { report, workflow, parametersOf } = converted([['Node', type, given]]);

		const why = expect.stringContaining(reason);
		expect(report.rows).toMatchObject([{ node: 'Node', state, reasons: [why] }]);
		expect(parametersOf('Note on Node')).toMatchObject({ content: why });
		expect(workflow.nodes[2].type).toBe('n8n-nodes-base.stickyNote');
		const [, { type: after }] = workflow.nodes;
		expect(after === 'n8n-nodes-web-data.webData').toBe(state === 'part');
	});

	it.each<[type: string, given: JsonObject, note: string]>([
		['firecrawl', { operation: 'agent', prompt: 'Tides' }, 'After Max Wait it cancels the job'],
		['POST /v2/batch/scrape', { urls: [url] }, 'one batch of all items'],
		['firecrawl', { operation: 'crawl', delay: 2000 }, 'Its delay is taken for milliseconds'],
		['firecrawl', { operation: 'map', useCustomBody: true }, 'the placeholder of Custom Body'],
		[
			'firecrawl',
			{ requestOptions: { proxy: 'http://x' } },
			'Its request options (proxy) are left',
		],
	])('what it does otherwise: %s %j', (type, given, note) => {
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
