import { ExpressionParser } from 'n8n-workflow';
import { convert } from '../../../tools/convert/convert.cjs';
import { chunksOf } from '../../../tools/convert/expressions.cjs';
import { objectOf, textOf, type JsonObject } from '../../../tools/convert/json.cjs';
import { reportText } from '../../../tools/convert/report.cjs';
import { InputError, parseWorkflow, readWorkflow } from '../../../tools/convert/workflow.cjs';
import { host, http, official, other, set, splitOut, workflowOf, type Sketch } from './build.cjs';

const url = 'https://tidewatch.example/';
const page = official('Page', { operation: 'scrape', url });

/** The nodes after the conversion, by name. */
function converted(sketches: Sketch[], links?: string[]) {
	const { workflow, report } = convert(workflowOf(sketches, links));
	const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
	const parametersOf = (name: string): JsonObject => nodes.get(name)?.parameters ?? {};
	const outputOf = (name: string) => objectOf(parametersOf(name).options).output;
	return { parametersOf, outputOf, nodes, report, workflow };
}

/** An expression behind a converted scrape. */
function behindPage(expression: string): string {
	const { parametersOf, outputOf } = converted([page, set('Result', { value: expression })]);
	const { assignments } = parametersOf('Result').assignments as { assignments: JsonObject[] };
	return `${outputOf('Page') ?? 'results'}: ${textOf(assignments[0].value)}`;
}

describe('An expression that reads a converted node', () => {
	it.each([
		['={{ $json.data.markdown }}', 'results: ={{ $json.markdown }}'],
		[
			'=A {{ $json.data.markdown }} B {{ $json["data"].html }}',
			'results: =A {{ $json.markdown }} B {{ $json.html }}',
		],
		['={{ $json.data.metadata.title }}', 'results: ={{ $json.title }}'],
		['={{ $json.data.metadata.sourceURL }}', 'results: ={{ $json.metadata.sourceURL }}'],
		['={{ $json.data.json.a[0]["b c"] }}', 'results: ={{ $json.json.a[0]["b c"] }}'],
		['={{ $json.data?.markdown }}', 'results: ={{ $json?.markdown }}'],
		["={{ $('Page').item.json.data.markdown }}", "results: ={{ $('Page').item.json.markdown }}"],
		[
			"={{ $('Page').first().json.data.links.length }}",
			"results: ={{ $('Page').first().json.links.length }}",
		],
		[
			'={{ $node["Page"].json.data.html.trim() }}',
			'results: ={{ $node["Page"].json.html.trim() }}',
		],
		['={{ $input.item.json.data.html }}', 'results: ={{ $input.item.json.html }}'],
		[
			'={{ $json.data.links.filter((link) => link.startsWith($json.data.metadata.url)) }}',
			'results: ={{ $json.links.filter((link) => link.startsWith($json.url)) }}',
		],
		['={{ $json.success ? 1 : 2 }}', 'results: ={{ true ? 1 : 2 }}'],
		// What a page's item does not have stays true with the whole response.
		['={{ $json.data.metadata["og:title"] }}', 'raw: ={{ $json.data.metadata["og:title"] }}'],
		['={{ JSON.stringify($json) }}', 'raw: ={{ JSON.stringify($json) }}'],
		['={{ $json.data[$json.name] }}', 'raw: ={{ $json.data[$json.name] }}'],
		['={{ $input.all() }}', 'raw: ={{ $input.all() }}'],
		["={{ $('Page').all().length }}", "raw: ={{ $('Page').all().length }}"],
		['={{ broken( }}', 'raw: ={{ broken( }}'],
	])('%s', (before, after) => {
		expect(behindPage(before)).toBe(after);
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
		['status', '$json.status.replace("scraping", "active").replace("cancelled", "failed")'],
		['current', '$json.completed'],
		['data[0].content', '$json.data[0].markdown'],
		['data[0].metadata.pageStatusCode', '$json.data[0].metadata.statusCode'],
		['data[0].metadata.screenshot', '$json.data[0].screenshot'],
		['data[0].linksOnPage', '$json.data[0].links'],
	])('has the names and states of v0: %s', (field, after) => {
		const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';
		const { parametersOf } = converted([
			http('Status', 'GET', `/v0/crawl/status/${id}`),
			set('Result', { value: `={{ $json.${field} }}` }),
		]);

		const { assignments } = parametersOf('Result').assignments as { assignments: JsonObject[] };
		expect(assignments[0].value).toBe(`={{ ${after} }}`);
	});

	it('is left alone where other nodes also lead to its node', () => {
		const { parametersOf, outputOf, report } = converted(
			[page, set('Free', { data: '1' }), set('Result', { text: '={{ $json.data.markdown }}' })],
			['Start > Page', 'Start > Free', 'Page > Result', 'Free > Result'],
		);

		expect(outputOf('Page')).toBe('raw');
		expect(JSON.stringify(parametersOf('Result'))).toContain('$json.data.markdown');
		expect(report.rows[0].state).toBe('whole');
	});

	it('keeps its meaning when a start gets another name for its ID', () => {
		const { parametersOf } = converted([
			official('Crawl', { resource: 'Crawling', operation: 'crawl', url }),
			set('Result', { id: '={{ $json.id }}', ok: '={{ $json.success }}' }),
		]);

		expect(JSON.stringify(parametersOf('Result'))).toContain('={{ $json.jobId }}');
		expect(JSON.stringify(parametersOf('Result'))).toContain('={{ true }}');
	});
});

describe('Extracted data', () => {
	const json = [{ type: 'json', prompt: 'Title' }];
	const nested = ['json', 'markdown'];

	it.each<[string, object, string | undefined]>([
		['/v2/scrape', { url, formats: json }, 'raw'],
		['/v1/scrape', { url, formats: ['extract'], extract: { prompt: 'Title' } }, 'raw'],
		['/v2/scrape', { url, formats: '={{ $json.formats }}' }, 'raw'],
		['/v2/scrape', { url, formats: [...json, 'markdown'] }, undefined],
		['/v2/scrape', { url, formats: ['markdown'] }, undefined],
	])('stays where the response has it, if it is the only format: %s %j', (path, body, expected) => {
		const { outputOf } = converted([http('Page', 'POST', path, JSON.stringify(body))]);

		expect(outputOf('Page')).toEqual(expected);
	});

	it('stays under json in the entries of a split list', () => {
		const body = { query: 'tide', scrapeOptions: { formats: json } };
		const { parametersOf } = converted([
			http('Search', 'POST', '/v2/search', JSON.stringify(body)),
			splitOut('Each', 'data.web'),
			set('Result', { title: '={{ $json.json.title }}' }),
		]);

		expect(parametersOf('Search').formats).toEqual(nested);
	});
});

describe('A node of the official package without a stored operation', () => {
	it.each([
		[{}, 'page.scrape'],
		[{ resource: 'Scraping' }, 'page.scrape'],
		[{ resource: 'Crawling' }, 'crawl.start'],
		[{ resource: 'MapSearch' }, 'map.get'],
		[{ resource: 'Agent' }, 'agent.run'],
		[{ resource: 'Account' }, 'account.getCreditUsage'],
		[{ resource: 'Default' }, 'map.get'],
		[{ limit: 5 }, 'map.get'],
	])('%j does the first one', (stored, expected) => {
		const { resource, operation } = converted([official('Node', { url, ...stored })]).parametersOf(
			'Node',
		);

		expect(`${String(resource)}.${String(operation)}`).toBe(expected);
	});
});

describe('What has no counterpart', () => {
	it('stays, with a sticky note beside it and a line in the report', () => {
		const { nodes, report } = converted([official('Tokens', { operation: 'teamTokenUsage' })]);

		expect(nodes.get('Tokens')?.type).toBe('@mendable/n8n-nodes-firecrawl.firecrawl');
		const note = nodes.get('Note on Tokens');
		expect(note?.type).toBe('n8n-nodes-base.stickyNote');
		expect(note?.parameters.content).toContain('The service counts credits');
		expect(report.rows).toMatchObject([{ node: 'Tokens', state: 'kept' }]);
	});

	it('is counted as lost where the rest of the node converts', () => {
		const { nodes, report } = converted([official('Page', { url, unheardOf: 1 })]);

		expect(report.rows[0]).toMatchObject({
			state: 'part',
			reasons: ['The parameter "unheardOf" has no counterpart.'],
		});
		expect(nodes.get('Note on Page')?.parameters.content).toContain('unheardOf');
	});

	it('is no other service', () => {
		const foreign = other(
			'Other',
			'n8n-nodes-base.httpRequest',
			{ url: 'https://example.com/v2/scrape' },
			4.2,
		);

		expect(converted([foreign]).report.rows).toEqual([]);
	});

	it('is a server of your own only if it is named', () => {
		const workflow = workflowOf([
			other(
				'Own',
				'n8n-nodes-base.httpRequest',
				{
					method: 'POST',
					url: 'http://crawler.local:3002/v1/scrape',
					sendBody: true,
					specifyBody: 'json',
					jsonBody: `{"url":"${url}"}`,
				},
				4.2,
			),
		]);

		expect(convert(workflow).report.rows).toEqual([]);
		expect(convert(workflow, { hosts: ['crawler.local:3002'] }).report.rows).toMatchObject([
			{ after: 'Page: Scrape' },
		]);
	});
});

describe('A key in plain text', () => {
	const key = 'fc-0123456789abcdef0123456789abcdef';
	const places: Record<string, Sketch> = {
		'a header': other(
			'Page',
			'n8n-nodes-base.httpRequest',
			{
				method: 'POST',
				url: `${host}/v1/scrape`,
				sendHeaders: true,
				headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${key}` }] },
				sendBody: true,
				bodyParameters: { parameters: [{ name: 'url', value: url }] },
			},
			4.2,
		),
		'headers of a former version': other('Page', 'n8n-nodes-base.httpRequest', {
			requestMethod: 'POST',
			url: `${host}/v1/scrape`,
			jsonParameters: true,
			headerParametersJson: `{"Authorization":"Bearer ${key}"}`,
			bodyParametersJson: `{"url":"${url}"}`,
		}),
	};

	it.each(Object.keys(places))('in %s is named by its place, and not carried over', (place) => {
		const { workflow, report } = converted([places[place]]);

		expect(report.keys).toHaveLength(1);
		expect(report.keys[0]).toContain('"Page" › header');
		expect(JSON.stringify(workflow) + reportText(report)).not.toContain(key);
	});
});

describe('Input', () => {
	const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
	const twice = JSON.stringify({ nodes: [page, page] });

	it.each([
		['empty text', ' ', 'nothing to convert'],
		['other text', 'Hello', 'no JSON'],
		['other JSON', '{"name":"x"}', 'no list "nodes"'],
		['a list', '[1,2]', 'no list "nodes"'],
		['a node without type', '{"nodes":[{"name":"x"}]}', 'Node 1 has no name or no type'],
		['a node that is text', '{"nodes":["x"]}', 'Node 1 has no name or no type'],
		['two nodes of one name', twice, 'Two nodes have the name "Page"'],
		['deep JSON', deep, 'nested deeper'],
		[
			'many nodes',
			JSON.stringify({ nodes: Array.from({ length: 2001 }, () => page) }),
			'2001 nodes',
		],
		['much text', ' '.repeat(10_000_001) + '{}', 'more than 10,000,000 characters'],
	])('that is %s gives a clear error', (_name, text, message) => {
		expect(() => parseWorkflow(text)).toThrow(InputError);
		expect(() => parseWorkflow(text)).toThrow(message);
	});

	it('that contains itself gives a clear error', () => {
		const cyclic: Record<string, unknown> = { nodes: [] };
		cyclic.self = cyclic;

		expect(() => readWorkflow(cyclic)).toThrow('nested deeper');
	});

	it('with odd connections and parameters converts without an error', () => {
		const odd = parseWorkflow(
			JSON.stringify({
				nodes: [
					{ name: '__proto__', type: 'n8n-nodes-base.set', parameters: null, position: 'x' },
					{ ...page, parameters: { operation: 'constructor', url: 5 } },
					{ ...http('H', 'POST', '/v2/scrape'), parameters: { url: 5, options: [] } },
					{ ...http('I', 'POST', '/v2/toString', { url }), name: 'I' },
				],
				connections: {
					Page: { main: [null, [{ node: 'Page', type: 'main', index: 0 }, 7]] },
					X: 3,
				},
			}),
		);

		expect(convert(odd).report.rows.map(({ state }) => state)).toEqual(['kept', 'kept']);
	});

	it('is not changed', () => {
		const workflow = workflowOf([page, set('Result', { text: '={{ $json.data.markdown }}' })]);
		const before = structuredClone(workflow);

		convert(workflow);

		expect(workflow).toEqual(before);
	});
});
