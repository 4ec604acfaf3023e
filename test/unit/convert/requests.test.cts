import type { INode, INodeParameters } from 'n8n-workflow';
import { convert } from '../../../tools/convert/convert.cjs';
import { useTestBed } from '../../engine/testBed.cjs';
import { http, workflowOf } from './build.cjs';

const testBed = useTestBed();
const url = 'https://tidewatch.example/guides/spring-tides';
const schema = { type: 'object', properties: { title: { type: 'string' } } };
const markdown = [{ type: 'markdown' }];
const links = [{ type: 'links' }];

/** The body that the converted node sends; the mock server accepts only what the API's documentation allows. */
async function sentFor(path: string, body: object, input: object): Promise<unknown> {
	const { workflow } = convert(workflowOf([http('Node', 'POST', path, JSON.stringify(body))]));
	const node = workflow.nodes.find(({ name }) => name === 'Node');
	expect(node?.type).toBe('n8n-nodes-web-data.webData');
	const { credentials } = testBed.account();

	const run = await testBed.engine.runNode({
		credentials,
		parameters: node?.parameters as INodeParameters,
		input: [{ ...input }],
		node: { typeVersion: 1 } satisfies Partial<INode>,
	});

	expect(run.error?.message).toBeUndefined();
	const [request] = testBed.service.log.entries.filter(({ method }) => method === 'POST');
	const { origin: _origin, integration: _integration, ...sent } = Object(request.body);
	return sent;
}

describe('A converted HTTP Request node', () => {
	it.each<[path: string, before: object, after: object]>([
		[
			'/v2/scrape',
			{ url, formats: ['markdown', 'links'], waitFor: 10 },
			{ url, formats: ['markdown', 'links'].map((type) => ({ type })), waitFor: 10 },
		],
		['/v1/scrape', { url }, { url }],
		[
			'/v1/scrape',
			{ url, formats: ['extract'], extract: { prompt: 'Title', schema } },
			{ url, formats: [{ type: 'json', prompt: 'Title', schema }] },
		],
		[
			'/v1/scrape',
			{ url, formats: ['markdown', 'json'], jsonOptions: { prompt: 'Title' } },
			{ url, formats: [...markdown, { type: 'json', prompt: 'Title' }] },
		],
		[
			'/v1/scrape',
			{ url, formats: ['screenshot@fullPage'] },
			{ url, formats: [{ type: 'screenshot', fullPage: true }] },
		],
		[
			'/v1/scrape',
			{ url, parsePDF: false, geolocation: { country: 'DE' } },
			{ url, parsers: [], location: { country: 'DE' } },
		],
		[
			'/v1/scrape',
			{
				url,
				formats: ['changeTracking', 'markdown'],
				changeTrackingOptions: { modes: ['git-diff'] },
			},
			{ url, formats: [{ type: 'changeTracking', modes: ['git-diff'] }, ...markdown] },
		],
		[
			'/v1/scrape',
			{ url, headers: { 'X-A': 'b' }, actions: [{ type: 'wait', milliseconds: 5 }] },
			{
				url,
				headers: { 'X-A': 'b' },
				actions: [{ type: 'wait', milliseconds: 5 }],
			},
		],
		[
			'/v1/search',
			{
				query: 'tide',
				limit: 2,
				lang: 'en',
				country: 'us',
				scrapeOptions: { formats: ['markdown'] },
			},
			{ query: 'tide', limit: 2, lang: 'en', country: 'us', scrapeOptions: { formats: markdown } },
		],
		[
			'/v1/map',
			{ url, search: 'tides', sitemapOnly: true, limit: 3 },
			{ url, search: 'tides', sitemap: 'only', limit: 3 },
		],
		[
			'/v1/crawl',
			{
				url,
				maxDepth: 1,
				limit: 1,
				allowBackwardLinks: true,
				ignoreSitemap: true,
				excludePaths: ['/a', '/b'],
				scrapeOptions: { onlyMainContent: false },
			},
			{
				url,
				maxDiscoveryDepth: 1,
				limit: 1,
				crawlEntireDomain: true,
				sitemap: 'skip',
				excludePaths: ['/a', '/b'],
				scrapeOptions: { onlyMainContent: false },
			},
		],
		[
			'/v1/batch/scrape',
			{ urls: [url], formats: ['html'], onlyMainContent: true },
			{ urls: [url], formats: [{ type: 'html' }], onlyMainContent: true },
		],
		[
			'/v0/scrape',
			{ url, pageOptions: { onlyMainContent: true, includeHtml: true } },
			{ url, onlyMainContent: true, formats: [...markdown, { type: 'html' }, ...links] },
		],
		[
			'/v0/scrape',
			{
				url,
				extractorOptions: {
					mode: 'llm-extraction',
					extractionPrompt: 'Title',
					extractionSchema: schema,
				},
			},
			{
				url,
				onlyMainContent: true,
				formats: [...markdown, ...links, { type: 'json', prompt: 'Title', schema }],
			},
		],
		[
			'/v0/crawl',
			{ url, crawlerOptions: { includes: ['guides/.*'], limit: 2 } },
			{
				url,
				includePaths: ['guides/.*'],
				limit: 2,
				scrapeOptions: { onlyMainContent: false, formats: [...markdown, ...links] },
			},
		],
		[
			'/v0/search',
			{ query: 'tide', searchOptions: { limit: 1 }, pageOptions: { fetchPageContent: false } },
			{ query: 'tide', limit: 1 },
		],
		[
			'/v0/search',
			{ query: 'tide', searchOptions: { tbs: 'qdr:d' }, pageOptions: { removeTags: 'nav' } },
			{
				query: 'tide',
				limit: 7,
				tbs: 'qdr:d',
				scrapeOptions: {
					formats: [...markdown, ...links],
					onlyMainContent: false,
					excludeTags: ['nav'],
				},
			},
		],
		[
			'/v2/agent',
			{ prompt: 'Next tide?', urls: [url], schema, maxCredits: 9 },
			{ prompt: 'Next tide?', urls: [url], schema, maxCredits: 9 },
		],
		// Without a limit the service has one of its own; the node has another.
		['/v2/map', { url }, { url, limit: 5000 }],
		['/v1/map', { url }, { url, limit: 5000 }],
		['/v2/search', { query: 'tide' }, { query: 'tide', limit: 10 }],
		['/v1/search', { query: 'tide' }, { query: 'tide', limit: 5 }],
		['/v2/crawl', { url }, { url, limit: 10_000 }],
		['/v2/batch/scrape', { urls: [url] }, { urls: [url] }],
		['/v2/interact', {}, { ttl: 600 }],
	])('sends %s of %j as %j', async (path, before, after) => {
		expect(await sentFor(path, before, {})).toEqual(after);
	});

	it.each<[name: string, body: string, input: object, after: object]>([
		[
			'a template',
			'={"url": "{{ $json.url }}", "waitFor": {{ $json.wait }}, "formats": {{ JSON.stringify($json.formats) }} }',
			{ url, wait: 7, formats: ['html'] },
			{ url, waitFor: 7, formats: [{ type: 'html' }] },
		],
		[
			'an object literal',
			'={{ { url: $json.url, formats: ["html", { type: "json", prompt: "Title of " + $json.name }] } }}',
			{ url, name: 'x' },
			{ url, formats: [{ type: 'html' }, { type: 'json', prompt: 'Title of x' }] },
		],
		[
			'a schema with an expression',
			'={{ { url: $json.url, formats: [{ type: "json", schema: { type: $json.kind } }] } }}',
			{ url, kind: 'object' },
			{ url, formats: [{ type: 'json', schema: { type: 'object' } }] },
		],
		[
			'two formats of one type',
			'={"url":"{{ $json.url }}","formats":[{"type":"json","prompt":"{{ $json.a }}"},{"type":"json","prompt":"b"}]}',
			{ url, a: 'say "a"' },
			{
				url,
				formats: [
					{ type: 'json', prompt: 'say "a"' },
					{ type: 'json', prompt: 'b' },
				],
			},
		],
	])('sends %s', async (_name, body, input, after) => {
		const { workflow } = convert(workflowOf([http('Node', 'POST', '/v2/scrape', body)]));
		const parameters = workflow.nodes[1].parameters as INodeParameters;

		const run = await testBed.engine.runNode({
			credentials: testBed.account().credentials,
			parameters,
			input: [{ ...input }],
		});

		const [request] = testBed.service.log.of('POST', '/v2/scrape');
		const { origin: _origin, integration: _integration, ...sent } = Object(request?.body);
		expect([run.error?.message, sent]).toEqual([undefined, after]);
	});
});
