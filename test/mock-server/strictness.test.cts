import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { unknownKey } from './schemas/body.cjs';
import { TestClient } from './testClient.cjs';

let service: Service;
let client: TestClient;
useService((started) => {
	service = started;
	client = new TestClient(service);
});

const scraping = (options: Record<string, unknown>): Record<string, unknown> => ({
	scrapeOptions: { formats: ['markdown'], ...options },
});

describe('POST /search refuses', () => {
	test.each<[string, Record<string, unknown>, string]>([
		['no query', { query: undefined }, 'query'],
		['an empty query', { query: '' }, 'query'],
		['a blank query', { query: '   ' }, 'query'],
		['a query that is no string', { query: 5 }, 'query'],
		['an unknown key', { q: 'x' }, ''],
		['a key of the server source that it no longer reads', { asyncScraping: true }, ''],
		['the gov category beside another', { categories: ['gov', 'pdf'] }, ''],
		['a blank objective', { objective: '' }, 'objective'],
		['null for a missing value', { tbs: null }, 'tbs'],
		['limit 1.5', { limit: 1.5 }, 'limit'],
		['limit as text', { limit: '10' }, 'limit'],
		['no sources', { sources: [] }, 'sources'],
		['an unknown source', { sources: ['videos'] }, 'sources'],
		['sources of both forms', { sources: ['web', { type: 'news' }] }, 'sources'],
		['tbs on news', { sources: [{ type: 'news', tbs: 'qdr:d' }] }, 'sources'],
		[
			'a property on alexandria',
			{ sources: [{ type: 'web' }, { type: 'alexandria', x: 1 }] },
			'sources',
		],
		['a bad tbs on web', { sources: [{ type: 'web', tbs: 'qdr:x' }] }, 'sources'],
		['an unknown category', { categories: ['github'] }, 'categories'],
		['an unknown category object', { categories: [{ type: 'pdf', x: 1 }] }, 'categories'],
		['developer beside another category', { categories: ['developer', 'pdf'] }, ''],
		['a domain with scheme', { includeDomains: ['https://tidewatch.example'] }, 'includeDomains.0'],
		['a domain with path', { excludeDomains: ['tidewatch.example/a'] }, 'excludeDomains.0'],
		[
			'both domain lists',
			{ includeDomains: ['a.example'], excludeDomains: ['b.example'] },
			'excludeDomains',
		],
		['an unknown time range', { tbs: 'qdr:q' }, 'tbs'],
		['a custom range without its end', { tbs: 'cdr:1,cd_min:01/01/2024' }, 'tbs'],
		[
			'a range that ends before it starts',
			{ tbs: 'cdr:1,cd_min:02/01/2024,cd_max:01/01/2024' },
			'tbs',
		],
		['a date that does not exist', { tbs: 'cdr:1,cd_min:02/30/2024,cd_max:03/30/2024' }, 'tbs'],
		['sbd:2', { tbs: 'sbd:2' }, 'tbs'],
		['timeout 0', { timeout: 0 }, 'timeout'],
		['an unknown enterprise mode', { enterprise: ['full'] }, 'enterprise.0'],
		['a format that no search makes', scraping({ formats: ['audio'] }), 'scrapeOptions.formats.0'],
		['safe as text', { safe: 'true' }, 'safe'],
		['an unknown integration', { integration: 'my-own-thing' }, 'integration'],
		[
			'a blacklist entry with scheme',
			{ threatProtection: { blacklist: ['http://a.example'] } },
			'threatProtection.blacklist.0',
		],
		[
			'a TLD with a dot',
			{ threatProtection: { blockedTlds: ['.zip'] } },
			'threatProtection.blockedTlds.0',
		],
		['an unknown scrape option', scraping({ fast: true }), 'scrapeOptions'],
		['url among scrape options', scraping({ url: 'https://a.example' }), 'scrapeOptions'],
		['an unknown format', scraping({ formats: ['pdf'] }), 'scrapeOptions.formats.0'],
		[
			'an unknown key in a format',
			scraping({ formats: [{ type: 'markdown', x: 1 }] }),
			'scrapeOptions.formats.0',
		],
		['json as a string', scraping({ formats: ['json'] }), 'scrapeOptions.formats.0'],
		[
			'json without schema or prompt',
			scraping({ formats: [{ type: 'json' }] }),
			'scrapeOptions.formats.0',
		],
		[
			'a schema as text',
			scraping({ formats: [{ type: 'json', schema: '{}' }] }),
			'scrapeOptions.formats.0',
		],
		[
			'two screenshots',
			scraping({ formats: ['screenshot', { type: 'screenshot', fullPage: true }] }),
			'scrapeOptions.formats',
		],
		[
			'half a viewport',
			scraping({ formats: [{ type: 'screenshot', viewport: { width: 100 } }] }),
			'scrapeOptions.formats.0',
		],
		[
			'changeTracking, which no search makes',
			scraping({ formats: ['changeTracking', 'markdown'] }),
			'scrapeOptions.formats.0',
		],
		[
			'an empty question',
			scraping({ formats: [{ type: 'question', question: '' }] }),
			'scrapeOptions.formats.0.question',
		],
		[
			'wait with both',
			scraping({ actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] }),
			'scrapeOptions.actions.0',
		],
		[
			'wait with neither',
			scraping({ actions: [{ type: 'scrape' }, { type: 'wait' }] }),
			'scrapeOptions.actions.1',
		],
		[
			'more than 60 s of waiting',
			scraping({ waitFor: 1000, actions: [{ type: 'wait', milliseconds: 59_500 }] }),
			'actions',
		],
		[
			'click without selector',
			scraping({ actions: [{ type: 'click' }] }),
			'scrapeOptions.actions.0',
		],
		['waitFor over half the timeout', scraping({ waitFor: 6000, timeout: 10_000 }), 'waitFor'],
		['country UK', scraping({ location: { country: 'UK' } }), 'scrapeOptions.location.country'],
		['country XX', scraping({ location: { country: 'XX' } }), 'scrapeOptions.location.country'],
		['a profile in lockdown', scraping({ profile: { name: 'a' }, lockdown: true }), 'profile'],
		[
			'an unknown entity',
			scraping({ redactPII: { entities: ['NAME'] } }),
			'scrapeOptions.redactPII',
		],
		['a profile without name', scraping({ profile: {} }), 'scrapeOptions.profile.name'],
		[
			'a profile name of 129',
			scraping({ profile: { name: 'a'.repeat(129) } }),
			'scrapeOptions.profile.name',
		],
		[
			'auditMetadata without username',
			scraping({ auditMetadata: {} }),
			'scrapeOptions.auditMetadata.username',
		],
		['headers that are no strings', scraping({ headers: { a: 1 } }), 'scrapeOptions.headers.a'],
	])('%s', async (_name, change, path) => {
		const { status, body } = await client.search({ query: 'tide', ...change });
		// A search's refusal has no code.
		expect([status, body.success, body.code]).toEqual([400, false, undefined]);
		expect(body.error).toBe('Invalid request body');
		expect(body.details.map((detail) => detail.path.join('.'))).toContain(path);
	});

	test('a blank query for tools, in its own words', async () => {
		const { status, body } = await client.search({ query: ' ', sources: ['alexandria'] });
		expect([status, body.error]).toEqual([400, 'A query is required for tool search.']);
	});

	test('every fault at once, each with its path', async () => {
		const { body } = await client.search({ query: '', limit: 0, tbs: 'x' });
		expect(body.details.map(({ path }) => path.join('.')).sort()).toEqual([
			'limit',
			'query',
			'tbs',
		]);
	});
});

describe('POST /search accepts', () => {
	test.each<[string, Record<string, unknown>]>([
		['country UK at top level', { country: 'UK' }],
		['categories as objects', { categories: [{ type: 'pdf' }] }],
		['a domain in capitals', { includeDomains: ['Tidewatch.Example'] }],
		['an empty parser list', scraping({ parsers: [] })],
		['origin and a known integration', { origin: 'js-sdk@4.42.0', integration: 'n8n' }],
		[
			'zeros and falses',
			{ safe: false, ignoreInvalidURLs: false, ...scraping({ maxAge: 0, waitFor: 0 }) },
		],
		['location.country GB', scraping({ location: { country: 'GB', languages: ['en-GB'] } })],
	])('%s', async (_name, change) => {
		const { status, body } = await client.search({ query: 'tide', limit: 1, ...change });
		expect([status, body.success]).toEqual([200, true]);
	});
});

describe('POST /scrape accepts', () => {
	test('a null tag', async () => {
		const { status } = await client.scrape({
			url: 'https://tidewatch.example/',
			formats: ['markdown', { type: 'changeTracking', tag: null }],
		});
		expect(status).toBe(200);
	});
});

describe('POST /scrape refuses', () => {
	test.each<[string, Record<string, unknown>, string]>([
		['no url', {}, 'Bad Request'],
		['another scheme', { url: 'ftp://tidewatch.example/' }, 'Bad Request'],
		[
			'a host without top-level domain',
			{ url: 'http://intranet/' },
			'URL must have a valid top-level domain or be an IP address',
		],
		['two schemes', { url: 'http://http://tidewatch.example/' }, 'Invalid URL'],
		[
			'changeTracking without markdown',
			{ url: 'https://tidewatch.example/', formats: ['changeTracking'] },
			'The changeTracking format requires the markdown format to be specified as well',
		],
		[
			'rawBase64 beside another',
			{ url: 'https://tidewatch.example/', formats: ['rawBase64', 'markdown'] },
			'The rawBase64 format cannot be combined with other formats',
		],
		[
			'json beside deterministicJson',
			{
				url: 'https://tidewatch.example/',
				formats: ['json', 'deterministicJson'].map((type) => ({ type, prompt: 'a' })),
			},
			'json and deterministicJson exclude each other',
		],
		[
			'a scrapeOptions wrapper',
			{ url: 'https://tidewatch.example/', scrapeOptions: {} },
			unknownKey,
		],
		['search keys', { url: 'https://tidewatch.example/', limit: 5 }, unknownKey],
	])('%s', async (_name, request, error) => {
		const { status, body } = await client.scrape(request);
		expect([status, body.code, body.error]).toEqual([400, 'BAD_REQUEST', error]);
	});

	test('a schema that is no JSON Schema, with 422', async () => {
		const { status } = await client.scrape({
			url: 'https://tidewatch.example/',
			formats: [{ type: 'json', schema: { type: 'text' } }],
		});
		expect(status).toBe(422);
	});

	test('a job id that is no UUID', async () => {
		const { status, body } = await client.get('/v2/scrape/123');
		expect([status, body.error]).toEqual([
			400,
			'Invalid job ID format. Job ID must be a valid UUID.',
		]);
	});
});

describe('details of a refusal', () => {
	const url = 'https://tidewatch.example/';

	// As recorded from the server of 2026-08.
	test.each<[string, object, object]>([
		[
			'a wrong type',
			{ url, mobile: 1 },
			{ expected: 'boolean', code: 'invalid_type', path: ['mobile'] },
		],
		[
			'a value of none',
			{ url, proxy: 'fast' },
			{ code: 'invalid_value', values: ['basic', 'stealth', 'enhanced', 'auto'], path: ['proxy'] },
		],
		[
			'a number too big',
			{ url, waitFor: 60_001 },
			{ origin: 'number', code: 'too_big', maximum: 60_000, inclusive: true, path: ['waitFor'] },
		],
		[
			'of a union the branch that was meant',
			{ url, formats: [{ type: 'question', question: '' }] },
			{ origin: 'string', code: 'too_small', minimum: 1, path: ['formats', 0, 'question'] },
		],
		[
			'of a union all branches',
			{ url, parsers: ['docx'] },
			{
				code: 'invalid_union',
				path: ['parsers', 0],
				errors: expect.arrayContaining([
					[expect.objectContaining({ code: 'invalid_value', values: ['pdf'] })],
				]) as unknown,
			},
		],
	])('%s', async (_name, request, detail) => {
		const { body } = await client.scrape({ ...request });
		expect(body.details[0]).toMatchObject(detail);
	});
});

describe('bodies that cannot be read', () => {
	test.each(['null', '"x"', '5'])('JSON that is no object: %s', async (text) => {
		const { status, body } = await client.post('/v2/scrape', text);
		expect([status, body.code]).toEqual([400, 'BAD_REQUEST_INVALID_JSON']);
	});

	test('broken JSON', async () => {
		const { status, body } = await client.post('/v2/search', '{"query":');
		expect([status, body.code]).toEqual([400, 'BAD_REQUEST_INVALID_JSON']);
	});

	test('another content type: the body is not looked at', async () => {
		const headers = { 'content-type': 'text/plain' };
		const { status, body } = await client.post('/v2/search', 'query=a', headers);
		expect([status, body.details.map(({ path }) => path)]).toEqual([400, [['query']]]);
	});

	test('no body', async () => {
		const { status } = await client.post('/v2/search', undefined);
		expect(status).toBe(400);
	});

	test('more than 10 MB', async () => {
		const { status, body } = await client.search({ query: 'a'.repeat(10 * 1024 * 1024 + 1) });
		expect([status, body.success]).toEqual([413, false]);
	});
});

// As recorded from a real server: its web framework answers, and knows nothing of the API's errors.
test.each([
	['POST', '/v2/nothing'],
	['GET', '/v2/search'],
])('%s %s, which is no route, is answered with a page', async (method, path) => {
	const answer = await fetch(service.url + path, { method });

	expect(answer.status).toBe(404);
	expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
	const page = await answer.text();
	expect(page).toContain('<title>Error</title>');
	expect(page).toContain(`<pre>Cannot ${method} ${path}</pre>`);
});
