import { NodeApiError, NodeOperationError, type INodeProperties } from 'n8n-workflow';
import { redactor } from '../../../../nodes/runtime/errors/redact';
import {
	asNodeError,
	inputError,
	operationError,
	serviceError,
	serviceWords,
	type Attempts,
} from '../../../../nodes/runtime/errors/errors';
import type { Failure } from '../../../../nodes/runtime/retry/retry';
import { node, errorSource } from '../../verdict.cjs';

const once: Attempts = { tries: 1, elapsed: 0, retrySafety: 'mayChargeTwice' };

const answered = (
	status: number,
	body?: unknown,
	headers: Record<string, unknown> = {},
): Failure => ({
	answer: { status, headers, body },
});

const silent = (code: string, words = 'x'): Failure => ({ networkError: { code, words } });

const errorFor = (
	failure: Failure,
	attempts: Partial<Attempts> = {},
	where: Parameters<typeof errorSource>[0] = {},
) => serviceError(failure, { ...once, ...attempts }, errorSource(where));

const messageFor = (status: number, body?: unknown) => errorFor(answered(status, body)).message;

describe("what happened, in the service's own words", () => {
	it.each<[string, number, unknown, string]>([
		['JSON', 403, { success: false, error: 'Forbidden' }, 'Forbidden (HTTP 403) [item 0]'],
		[
			'JSON with a code',
			500,
			{ success: false, code: 'UNKNOWN_ERROR', error: 'It broke.' },
			'It broke (HTTP 500, UNKNOWN_ERROR) [item 0]',
		],
		[
			'message in the place of error',
			404,
			{ message: 'Job not found.' },
			'Job not found (HTTP 404) [item 0]',
		],
		[
			'an error that is an object',
			400,
			{ error: { message: 'No good' } },
			'No good (HTTP 400) [item 0]',
		],
		[
			'RFC 7807',
			429,
			{ type: 'about:blank', title: 'Too Many Requests', status: 429, detail: 'Ten a minute' },
			'Ten a minute (HTTP 429) [item 0]',
		],
		[
			'RFC 7807 without detail',
			503,
			{ title: 'Down for repairs' },
			'Down for repairs (HTTP 503) [item 0]',
		],
		[
			'HTML with a title',
			502,
			'<html><head><title>502 Bad Gateway</title></head><body><h1>x</h1></body></html>',
			'502 Bad Gateway (HTTP 502) [item 0]',
		],
		['HTML without', 502, '<h1>Bad\n gateway</h1><hr>', 'Bad gateway (HTTP 502) [item 0]'],
		[
			'HTML with an empty title',
			502,
			'<title> </title><body>Bad gateway</body>',
			'Bad gateway (HTTP 502) [item 0]',
		],
		['plain text', 504, 'upstream timed out', 'upstream timed out (HTTP 504) [item 0]'],
		['an empty body', 502, '', 'The service gave no reason (HTTP 502) [item 0]'],
		['no body', 504, undefined, 'The service gave no reason (HTTP 504) [item 0]'],
		['an empty object', 500, {}, 'The service gave no reason (HTTP 500) [item 0]'],
		['a list', 500, [], 'The service gave no reason (HTTP 500) [item 0]'],
		[
			'a 200 that failed',
			200,
			{ success: false, code: 'SCRAPE_DNS_RESOLUTION_ERROR', error: 'No such host' },
			'No such host (SCRAPE_DNS_RESOLUTION_ERROR) [item 0]',
		],
		[
			'a 200 that is no JSON',
			200,
			'<html>login</html>',
			'The service answered with something that is not JSON [item 0]',
		],
	])('%s', (_, status, body, message) => {
		expect(messageFor(status, body)).toBe(message);
	});

	it('names the fields in details as the user sees them', () => {
		const body = {
			success: false,
			code: 'BAD_REQUEST',
			error: 'Invalid request body',
			details: [
				{ code: 'too_big', path: ['limit'], message: 'Number must be at most 100' },
				{ code: 'custom', path: ['scrapeOptions', 'formats', 0, 'prompt'], message: 'Too long' },
				{ code: 'custom', message: 'includeDomains and excludeDomains cannot both be specified' },
			],
		};
		expect(messageFor(400, body)).toBe(
			`Invalid request body: 'Limit': Number must be at most 100; 'Formats > entry 1 > prompt': Too long; includeDomains and excludeDomains cannot both be specified (HTTP 400, BAD_REQUEST) [item 0]`,
		);
	});

	it.each<[string, unknown, string]>([
		['a text', 'query is too long', 'Bad Request: query is too long (HTTP 400) [item 0]'],
		[
			'a list of texts',
			['query is too long', 'limit is wrong'],
			'Bad Request: query is too long; limit is wrong (HTTP 400) [item 0]',
		],
		['null', null, 'Bad Request (HTTP 400) [item 0]'],
	])('takes details that are %s', (_, details, message) => {
		expect(messageFor(400, { error: 'Bad Request', details })).toBe(message);
	});

	it.each<[string, unknown, string]>([
		[
			'an object',
			{
				browserErrorCode: 'ERR_TUNNEL_CONNECTION_FAILED',
				retryable: true,
				origin: 'provider_proxy',
			},
			'Details: {"browserErrorCode":"ERR_TUNNEL_CONNECTION_FAILED","retryable":true,"origin":"provider_proxy"}',
		],
		['a list of objects without words', [{ url: 'a' }], 'Details: [{"url":"a"}]'],
	])('shows details that are %s', (_, details, words) => {
		const { description } = errorFor(answered(500, { error: 'It broke', details }));
		expect(description).toContain(words);
	});

	it('does not repeat details that the message tells', () => {
		for (const details of ['too long', [{ path: ['limit'], message: 'too high' }], [], {}, null]) {
			const { description } = errorFor(answered(400, { error: 'It broke', details }));
			expect(description).not.toContain('Details');
		}
	});

	it('cuts details, and takes secrets out of them first', () => {
		const key = 'fc-0123456789abcdef';
		const redact = (text: string) => text.replaceAll(key, '***');
		const details = { text: `${'x'.repeat(570)}${key}${'y'.repeat(90_000)}` };
		const { description } = errorFor(answered(500, { error: 'x', details }), {}, { redact });
		expect(description).not.toContain('fc-');
		expect(description?.length).toBeLessThan(1500);
	});

	it('cuts long words and never carries the body along', () => {
		const error = errorFor(answered(500, { error: 'long '.repeat(5000), data: 'the body itself' }));
		expect(error.message).toMatch(/^(long ){120}… \[item 0\]$/);
		expect(JSON.stringify(error)).not.toContain('the body itself');
	});

	it('takes secrets out before it cuts, so that no half of one is left', () => {
		const key = 'fc-0123456789abcdef';
		const redact = (text: string) => text.replaceAll(key, '***');
		for (const start of [580, 590, 599]) {
			const { message } = errorFor(
				answered(500, { error: `${'x'.repeat(start)}${key} and more ${'y'.repeat(50)}` }),
				{},
				{ redact },
			);
			expect(message).not.toContain('fc-');
			expect(message).toContain('…');
		}
		const problem = (length: number) => ({
			code: 'custom' as const,
			path: ['limit'],
			message: `is not ${'x'.repeat(length)}${key}`,
		});
		expect(inputError([problem(582)], errorSource({ redact })).message).not.toContain('fc-');
	});

	it.each<[string, string, RegExp]>([
		[
			'a code in the place of words',
			'SCRAPE_PROMPT_INJECTION_DETECTED',
			/^SCRAPE_PROMPT_INJECTION_DETECTED \(HTTP 403\)/,
		],
		['words in capitals', 'FORBIDDEN', /^FORBIDDEN \(HTTP 403\)/],
		['words beside a code', 'Not allowed', /^Not allowed \(HTTP 403\)/],
	])('does not say twice: %s', (_, error, message) => {
		expect(messageFor(403, { success: false, error })).toMatch(message);
	});

	it.each([
		'getaddrinfo ENOTFOUND is what the page says',
		'A preexisting job blocks this',
		'ECONNREFUSED by the upstream, ETIMEDOUT later',
		'The existing monitor is busy: ENOENT',
	])('keeps "%s", though n8n would swap it', (words) => {
		expect(messageFor(409, { error: words })).toBe(`${words} (HTTP 409) [item 0]`);
		const failure: Failure = { networkError: { code: 'ECONNRESET', words } };
		expect(errorFor(failure).message).toBe(`The service did not answer: ${words} [item 0]`);
		expect(asNodeError(new Error(words), errorSource()).message).toBe(`${words} [item 0]`);
	});
});

/** The page of the service's web framework, as recorded from a real server. */
const framework = (text: string) =>
	`<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`;

const nginx = (title: string) =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n`;

describe("an answer that is not the API's", () => {
	it.each<[string, number, unknown, string, RegExp]>([
		[
			'a route that this server lacks',
			404,
			framework('Cannot POST /v2/agent'),
			'This server does not have this feature (HTTP 404)',
			/hosted service has it.*'Base URL'/,
		],
		[
			'a failure of the web framework',
			500,
			framework('RangeError: too deep'),
			'RangeError: too deep (HTTP 500)',
			/Try again later/,
		],
		[
			'the page of another server',
			404,
			nginx('404 Not Found'),
			'A page came in the place of an answer: 404 Not Found (HTTP 404)',
			/'Base URL'.*another server/,
		],
		[
			'plain text of another server',
			404,
			'404 page not found\n',
			'A page came in the place of an answer: 404 page not found (HTTP 404)',
			/'Base URL'/,
		],
		[
			'a proxy that refuses',
			403,
			'<title>Attention Required! | Cloudflare</title>',
			'A page came in the place of an answer: Attention Required! | Cloudflare (HTTP 403)',
			/proxy that refuses/,
		],
		[
			'a proxy that wants a login of its own',
			401,
			nginx('401 Authorization Required'),
			'A page came in the place of an answer: 401 Authorization Required (HTTP 401)',
			/proxy/,
		],
		[
			"n8n's proxy without its password",
			407,
			'<h1>ERR_CACHE_ACCESS_DENIED</h1>',
			'A proxy on the way to the service demands a login (HTTP 407)',
			/not reached.*HTTPS_PROXY.*user:password@/,
		],
		[
			"n8n's proxy that answers nothing",
			407,
			undefined,
			'A proxy on the way to the service demands a login (HTTP 407)',
			/HTTP_PROXY/,
		],
		[
			'a web server to which the request is too large',
			413,
			nginx('413 Request Entity Too Large'),
			'413 Request Entity Too Large (HTTP 413)',
			/too large. Split/,
		],
		['a gateway', 502, nginx('502 Bad Gateway'), '502 Bad Gateway (HTTP 502)', /gateway/],
	])('%s', (_, status, body, message, advice) => {
		const error = errorFor(answered(status, body));
		expect(error.message).toBe(`${message} [item 0]`);
		expect(error.description).toMatch(advice);
		expect(error.description).not.toMatch(/field it names|Jobs are gone/);
		// What is no answer of the API tells nothing of what was charged; a refusal does.
		expect(/may have been answered and charged/.test(error.description ?? '')).toBe(status >= 500);
	});

	it('is suspected where a 404 does not look like the API', () => {
		const advice = (body: unknown) => errorFor(answered(404, body)).description;
		expect(advice({ message: 'Route POST:/v2/search not found', error: 'Not Found' })).toMatch(
			/'Base URL'/,
		);
		expect(advice('')).toMatch(/'Base URL'/);
		expect(advice({ success: false, error: 'Agent job not found' })).not.toMatch(/Base URL/);
	});
});

const unknownKeys = (keys: string[], path: Array<string | number>, message: string) => ({
	code: 'unrecognized_keys' as const,
	keys,
	path,
	message,
});

describe('a field that the server does not know', () => {
	const fields: INodeProperties[] = [
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			default: {},
			options: [{ displayName: 'Effort Level', name: 'effort', type: 'string', default: '' }],
		},
		{
			displayName: 'Scrape Options',
			name: 'scrapeOptions',
			type: 'collection',
			default: {},
			options: [
				{ displayName: 'Redact PII', name: 'redactPII', type: 'boolean', default: false },
				{ displayName: 'PDF Parsers', name: 'parsers', type: 'json', default: '' },
			],
		},
	];
	const sentence =
		'Unrecognized key in body -- please review the v2 API documentation for request body changes';

	// The first and third are as recorded; the others as servers of 2025 say it.
	it.each<[string, unknown, string]>([
		[
			'zod 4',
			{ error: sentence, details: [unknownKeys(['effort'], [], 'Unrecognized key: "effort"')] },
			`This server does not know 'Effort Level'`,
		],
		[
			'zod 3',
			{ error: 'Bad Request', details: [unknownKeys(['redactPII'], ['scrapeOptions'], sentence)] },
			`This server does not know 'Scrape Options > Redact PII'`,
		],
		[
			'a union of zod 4',
			{
				error: 'Bad Request',
				details: [
					{
						code: 'invalid_union',
						errors: [
							[{ code: 'invalid_value', values: ['pdf'], path: [], message: 'expected "pdf"' }],
							[unknownKeys(['bogus'], [], 'Unrecognized key: "bogus"')],
						],
						path: ['parsers', 0],
						message: 'Invalid input',
					},
				],
			},
			`This server does not know 'PDF Parsers > entry 1 > bogus'`,
		],
		[
			'a union of zod 3',
			{
				error: 'Bad Request',
				details: [
					{
						code: 'invalid_union',
						unionErrors: [
							{ issues: [{ code: 'invalid_literal', path: ['parsers', 0], message: 'no' }] },
							{ issues: [unknownKeys(['bogus'], ['parsers', 0], sentence)] },
						],
						path: ['parsers', 0],
						message: 'Invalid input',
					},
				],
			},
			`This server does not know 'PDF Parsers > entry 1 > bogus'`,
		],
		[
			'several, beside another problem',
			{
				error: sentence,
				details: [
					{ code: 'invalid_type', path: ['url'], message: 'expected string' },
					unknownKeys(['effort', 'extra'], [], 'Unrecognized keys: "effort", "extra"'),
				],
			},
			`'url': expected string; This server does not know 'Effort Level'; This server does not know 'extra'`,
		],
	])('is named as the user sees it: %s', (_, body, words) => {
		const error = errorFor(
			answered(400, { success: false, code: 'BAD_REQUEST', ...(body as object) }),
			{},
			{ fields },
		);
		expect(error.message).toBe(`${words} (HTTP 400, BAD_REQUEST) [item 0]`);
		expect(error.description).toMatch(/older or newer.*Nothing was charged/);
	});

	it('is looked for in the branch of a union that was meant', () => {
		const invalid = (errors: unknown[]) =>
			messageFor(400, {
				error: 'Bad Request',
				details: [
					{ code: 'invalid_union', errors, path: ['parsers', 0], message: 'Invalid input' },
				],
			});
		const literal = [{ code: 'invalid_value', path: [], message: 'expected "pdf"' }];
		const mode = [
			{ code: 'invalid_value', path: ['mode'], message: 'expected one of "fast"|"auto"' },
		];
		const type = [{ code: 'invalid_value', path: ['type'], message: 'expected "wait"' }];
		expect(invalid([literal, mode])).toContain(`'Parsers > entry 1 > Mode': expected one of`);
		expect(invalid([type, literal])).toContain(`'Parsers > entry 1': Invalid input`);
		let deep: unknown = [{ code: 'custom', path: ['x'], message: 'at the bottom' }];
		for (let level = 0; level < 5000; level++) {
			deep = [{ code: 'invalid_union', errors: [deep], path: ['x'], message: 'deeper' }];
		}
		expect(invalid([deep])).toMatch(/deeper|Invalid input/);
	});

	it('does not say in words what a problem says as well', () => {
		const same = 'waitFor must not exceed half of timeout';
		expect(
			messageFor(400, {
				error: same,
				details: [{ code: 'custom', path: ['waitFor'], message: same }],
			}),
		).toBe(`'Wait For': ${same} (HTTP 400) [item 0]`);
	});
});

describe('markup of the service, which the editor would render', () => {
	const image = '<img src="https://evil.example/?x">';
	const link = '</b><a href="https://evil.example">Log in</a><!-- <?x';
	const shown = /<[a-z/!?]/i;

	it.each<[string, NodeApiError | NodeOperationError]>([
		['an answer', errorFor(answered(400, { error: image, details: link }))],
		['terms', errorFor(answered(403, { error: 'x', requiresAction: { url: image } }))],
		['a run', errorFor(answered(409, { error: 'x', runId: link, id: image }))],
		['a lost answer', errorFor({ networkError: { code: 'ECONNRESET', words: image } })],
		['what no request explains', operationError(image, link, errorSource())],
		[
			'any other error',
			asNodeError(Object.assign(new Error(image), { description: link }), errorSource()),
		],
		[
			'bad input',
			inputError([{ code: 'custom', path: [], message: `must be x, not ${image}` }], errorSource()),
		],
	])('is plain text in the error for %s', (_, { message, description }) => {
		expect(`${message} ${description}`).toContain('‹');
		expect(message).not.toMatch(shown);
		expect(description).not.toMatch(shown);
	});

	it('leaves comparisons as they are', () => {
		expect(messageFor(400, { error: 'limit <= 5 and 3 < 4' })).toContain('limit <= 5 and 3 < 4');
	});
});

describe('what an error carries', () => {
	it('status, item and node', () => {
		const error = errorFor(answered(429, { error: 'Rate limit exceeded' }), {}, { itemIndex: 7 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.httpCode).toBe('429');
		expect(error.context.itemIndex).toBe(7);
		expect(error.message).toBe('Rate limit exceeded (HTTP 429) [item 7]');
		expect(error.node).toBe(node);
	});

	it('no status when no answer came', () => {
		expect(
			errorFor({ networkError: { code: 'ECONNREFUSED', words: 'connect ECONNREFUSED' } }).httpCode,
		).toBeNull();
	});

	it('no key, no header and no body, wherever they stood', () => {
		const key = 'fc-0123456789abcdef';
		const redact = (text: string) => text.replaceAll(key, '***');
		const failures = [
			answered(
				401,
				{ error: `Unauthorized: ${key}`, code: key, details: [{ path: [key], message: key }] },
				{ authorization: `Bearer ${key}` },
			),
			answered(500, `<title>${key}</title>`),
			answered(302, '', { location: `https://elsewhere.example/?key=${key}` }),
			answered(403, { error: 'Terms', requiresAction: { url: `https://terms.example/${key}` } }),
			answered(500, { error: `${'x'.repeat(490)}${key}` }),
			{ networkError: { code: 'ECONNRESET', words: `socket hang up ${key}` } },
		];
		for (const failure of failures) {
			const error = errorFor(failure, {}, { redact });
			const all = [JSON.stringify(error), error.message, error.description, error.stack].join('\n');
			expect(all).not.toContain(key);
			expect(all).not.toContain(key.slice(0, 8));
		}
	});

	it('passes errors of ours as they are', () => {
		const ours = new NodeOperationError(node, 'ours');
		expect(asNodeError(ours, errorSource())).toBe(ours);
		const other = asNodeError('just words', errorSource({ itemIndex: 2 }));
		expect(other).toBeInstanceOf(NodeOperationError);
		expect(other.message).toBe('just words [item 2]');
	});
});

describe('what to do', () => {
	const adviceFor = (status: number, body: unknown = {}) =>
		errorFor(answered(status, body)).description ?? '';

	it.each([400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504])(
		'%i has advice of its own',
		(status) => {
			const others = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504].filter(
				(other) => other !== status,
			);
			expect(adviceFor(status)).not.toBe('');
			expect(others.map((other) => adviceFor(other))).not.toContain(adviceFor(status));
		},
	);

	it.each<[number, string, RegExp]>([
		[404, 'SCRAPE_NO_CACHED_DATA', /'Min Age'/],
		[404, 'SCRAPE_LOCKDOWN_CACHE_MISS', /'Lockdown'/],
		[403, 'SCRAPE_PROMPT_INJECTION_DETECTED', /'Check Prompt Injection'/],
		[403, 'unsafe_domain_blocked', /'Whitelist'/],
		[408, 'SCRAPE_TIMEOUT', /'Timeout'/],
		[408, 'CONCURRENCY_QUEUE_TIMEOUT', /'Requests in Flight'/],
		[500, 'SCRAPE_SSL_ERROR', /'Skip TLS Verification'/],
		[500, 'SCRAPE_ACTION_ERROR', /'Actions'/],
		[200, 'SCRAPE_DNS_RESOLUTION_ERROR', /host/],
		[500, 'SCRAPE_PDF_INSUFFICIENT_TIME_ERROR', /'Max Pages'/],
	])('%i %s has advice of its own', (status, code, words) => {
		expect(adviceFor(status, { code, error: 'x' })).toMatch(words);
	});

	// Codes of the service: each has words of its own, not those of its status.
	it.each<[number, string, RegExp]>([
		[400, 'THIRD_PARTY_DATA_UNSUPPORTED_URL', /record's own page/],
		[400, 'THIRD_PARTY_DATA_UNSUPPORTED_OPTION', /Remove the option/],
		[403, 'THIRD_PARTY_DATA_NOT_ENABLED', /administrator.*enable/],
		[403, 'THIRD_PARTY_DATA_ENRICHMENT_NOT_ENABLED', /administrator.*choose/],
		[403, 'THIRD_PARTY_DATA_TERMS_REQUIRED', /accept.*terms.*run it again/],
		[404, 'THIRD_PARTY_DATA_NOT_FOUND', /no data for this address/],
		[400, 'SCRAPE_ACTIONS_NOT_SUPPORTED', /'Actions'/],
		[400, 'SCRAPE_JSON_CONTENT_TOO_LARGE', /'Include Tags'/],
		[400, 'PARSE_UNSUPPORTED_OPTIONS', /Remove it/],
		[400, 'UNSUPPORTED_FILE_TYPE', /type/],
		[402, 'unverified_credit_limit_reached', /not verified/],
		[403, 'sponsor_verification_expired', /Confirm/],
		[403, 'AGENT_INDEX_ONLY', /owner has confirmed/],
		[403, 'UNSUPPORTED_SITE', /does not read this site/],
		[403, 'SAFE_MODE_BLOCKED', /safe mode/],
		[403, 'SCRAPE_SITE_RESTRICTION_BLOCKED', /does not allow this site/],
		[403, 'SCRAPE_MEDIA_ACCESS_DENIED', /file/],
		[408, 'CONCURRENCY_QUEUE_TIMEOUT', /batch.*wait/],
		[408, 'MAP_TIMEOUT', /narrow/],
		[500, 'MAP_FAILED', /narrow/],
		[500, 'SCRAPE_ALL_ENGINES_FAILED', /enhanced/],
		[500, 'SCRAPE_RETRY_LIMIT', /enhanced/],
		[500, 'SCRAPE_PROXY_SELECTION_ERROR', /'Proxy'/],
		[500, 'SCRAPE_PDF_PREFETCH_FAILED', /enhanced/],
		[500, 'SCRAPE_DOCUMENT_PREFETCH_FAILED', /enhanced/],
		[500, 'SCRAPE_PDF_FETCH_PROXY_ERROR', /enhanced/],
		[500, 'SCRAPE_DOCUMENT_FETCH_PROXY_ERROR', /enhanced/],
		[500, 'SCRAPE_PDF_ANTIBOT_ERROR', /enhanced/],
		[500, 'SCRAPE_DOCUMENT_ANTIBOT_ERROR', /enhanced/],
		[500, 'SCRAPE_PDF_OCR_REQUIRED', /OCR/],
		[500, 'SCRAPE_ZDR_VIOLATION_ERROR', /Remove the option/],
		[500, 'UNKNOWN_ERROR', /error ID.*database/],
		[503, 'PARSE_UPLOAD_REF_SECRET_MISSING', /'Upload'/],
		[503, 'PARSE_UPLOAD_STORAGE_DISABLED', /'Upload'/],
	])('%i %s has words that fit', (status, code, words) => {
		expect(adviceFor(status, { success: false, code, error: 'x' })).toMatch(words);
		// Some come in the place of words, with what happened under `message`.
		const bare = errorFor(answered(status, { success: false, error: code, message: 'Not now.' }));
		expect(bare.description).toMatch(words);
		expect(bare.message).toBe(`Not now (HTTP ${status}, ${code}) [item 0]`);
	});

	it.each<[number, string, RegExp]>([
		[403, 'Forbidden: Account suspended', /another account/],
		[403, 'Your account has been banned', /another account/],
		[403, 'Your IP address is not on the allow list of this key', /addresses only/],
		[403, 'Forbidden', /scopes/],
		[403, 'We apologize for the inconvenience but we do not support this site.', /does not read/],
		[
			403,
			'Zero Data Retention (ZDR) is not enabled for your team. Contact support@firecrawl.com to enable this feature.',
			/plan does not include this. Remove the option/,
		],
		[403, 'Zero data retention is not enabled for this team.', /Remove the option/],
		[
			403,
			'Threat protection is an enterprise feature and is not enabled for your team.',
			/Remove the option/,
		],
		[403, 'The ignoreRobotsTxt parameter is an enterprise feature.', /Remove the option/],
		[
			400,
			'Your team has zero data retention enabled. This is not supported on extract.',
			/keeps no data, and this needs some/,
		],
		[400, 'PARSE_UPLOAD_REF_SECRET is required for parse upload refs.', /'Upload'/],
		[503, 'Browser feature is not configured (BROWSER_SERVICE_URL is missing).', /not set up/],
		[
			503,
			'Feedback requires database authentication and is unavailable on this deployment.',
			/not set up/,
		],
		[429, 'Queue limit reached: 2000 jobs', /waiting/],
		[402, 'Payment Required: Insufficient credits', /credits/],
	])('%i "%s" has words that fit', (status, error, words) => {
		expect(adviceFor(status, { success: false, error })).toMatch(words);
	});

	it('keeps the error ID and the links that help', () => {
		const id = '01a201ea-e1b6-7489-a5fb-2639a7000000';
		const unknown = `An error occurred. Please check your logs for more details. Error ID: ${id}`;
		expect(messageFor(500, { success: false, code: 'UNKNOWN_ERROR', error: unknown })).toContain(
			id,
		);
		expect(
			adviceFor(402, {
				error: 'unverified_credit_limit_reached',
				message: 'Verify first',
				upgrade_url: 'https://pay.example/1',
			}),
		).toContain('https://pay.example/1');
		expect(
			adviceFor(403, {
				code: 'AGENT_INDEX_ONLY',
				error: 'x',
				login_url: 'https://login.example/2',
			}),
		).toContain('https://login.example/2');
	});

	it('reads the code where the public API reference puts it: in error', () => {
		expect(adviceFor(403, { success: false, error: 'SCRAPE_PROMPT_INJECTION_DETECTED' })).toMatch(
			/'Check Prompt Injection'/,
		);
	});

	it('names the API key for 401 and credits for 402', () => {
		expect(adviceFor(401)).toMatch(/'API Key'/);
		expect(adviceFor(402)).toMatch(/credits/i);
	});

	it.each(['constructor', '__proto__', 'toString', 'SOMETHING_NEW'])(
		'the code %s falls back on the status',
		(code) => {
			expect(adviceFor(429, { code })).toBe(adviceFor(429));
		},
	);

	it.each([418, 451, 520, 599])('%i, which the spec does not name, has some', (status) => {
		expect(adviceFor(status)).not.toBe('');
	});

	it('gives the address of terms to accept', () => {
		const body = {
			code: 'THIRD_PARTY_DATA_TERMS_REQUIRED',
			error: 'Terms',
			requiresAction: { type: 'accept', url: 'https://terms.example/1' },
		};
		expect(adviceFor(403, body)).toContain('https://terms.example/1');
	});

	it.each([
		['ENOTFOUND', /'Base URL'/],
		['ECONNREFUSED', /'Base URL'/],
		['CERT_HAS_EXPIRED', /certificate/],
		['ECONNRESET', /connection broke/],
		['ECONNABORTED', /No answer came in time/],
		['ETIMEDOUT', /No answer came in time/],
	])('%s has advice', (code, words) => {
		expect(errorFor(silent(code, code)).description).toMatch(words);
	});

	it.each<[string, Attempts['retrySafety'], Failure[], boolean]>([
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'mayChargeTwice', [], true],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'mayStartTwice', [], true],
		['ECONNREFUSED', 'mayStartTwice', [answered(429)], true],
		['ECONNREFUSED', 'mayChargeTwice', [answered(502)], false],
		['ECONNREFUSED', 'safe', [], false],
		['ECONNRESET', 'mayChargeTwice', [], false],
	])('%s at a %s after %j: whether nothing was sent is said only where it is sure', (...given) => {
		const [code, retrySafety, earlier, sure] = given;
		const { description } = errorFor(silent(code, code), { retrySafety, earlier });
		expect(description?.includes('Nothing was sent, and nothing was charged.')).toBe(sure);
	});

	it('tells of a redirect where it leads', () => {
		const error = errorFor(answered(301, '', { location: 'https://new.example/v2/search' }));
		expect(error.message).toContain('https://new.example/v2/search');
		expect(error.description).toContain(`'Base URL'`);
	});
});

describe('an error about a job', () => {
	const job = { id: 'job-7', noun: 'agent run' };

	it('names it, and says how to read it later', () => {
		const error = errorFor(answered(404, { error: 'Not Found.' }), {}, { job });
		expect(error.message).toBe('Not Found (HTTP 404) (agent run job-7) [item 0]');
		expect(error.description).toContain(`'Get'`);
		const unanswered = errorFor(silent('ECONNRESET', 'gone'), {}, { job });
		expect(unanswered.message).toBe('The service did not answer: gone (agent run job-7) [item 0]');
		expect(asNodeError(new Error('odd'), errorSource({ job })).message).toBe(
			'odd (agent run job-7) [item 0]',
		);
	});

	it('does not name it twice', () => {
		const error = operationError(
			'The agent run job-7 failed.',
			'Try again.',
			errorSource({ job, itemIndex: 3 }),
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('The agent run job-7 failed [item 3]');
		expect(error.description).toMatch(/^Try again\. .*'Get'/);
		expect(error.context.itemIndex).toBe(3);
	});

	it('keeps secrets out of words and advice', () => {
		const redact = (text: string) => text.replaceAll('fc-key', '***');
		const error = operationError('fc-key failed', 'Change fc-key.', errorSource({ redact, job }));
		expect(`${error.message} ${error.description}`).not.toContain('fc-key');
	});
});

describe('the error for bad input', () => {
	it('names unknown fields where they stand, and says that nothing was charged', () => {
		const error = inputError(
			[
				unknownKeys(['a', 'b'], ['scrapeOptions'], ''),
				{ code: 'custom', path: [], message: 'must be an object' },
				{ code: 'custom', path: [], message: 'must be an object' },
			],
			errorSource({ itemIndex: 2 }),
		);
		expect(error.message).toBe(
			`'Scrape Options' has no field 'a', 'b'; The request must be an object [item 2]`,
		);
		expect(error.description).toMatch(/Nothing was sent.*nothing was charged/);
	});
});

it("the service's words can be had without a place", () => {
	expect(serviceWords({ status: 500, headers: {}, body: { error: ' It broke ' } })).toBe(
		'It broke',
	);
	expect(serviceWords({ status: 502, headers: {}, body: undefined })).toMatch(/no reason/);
});

describe('what was tried', () => {
	const noteOf = (failure: Failure, attempts: Partial<Attempts>) =>
		errorFor(failure, attempts).description ?? '';
	const running = /may have been carried out/;
	const charged = /may have been answered and charged/;

	it('says how often and how long', () => {
		expect(noteOf(answered(503), { tries: 5, elapsed: 62_400 })).toContain(
			'Tried 5 times in 62 s.',
		);
		expect(noteOf(answered(503), { tries: 1 })).not.toContain('Tried');
	});

	it('says when the next try would be due', () => {
		expect(noteOf(answered(429), { tooLong: 3_600_000 })).toMatch(
			/due in 3600 s.*'Max Retry Time'/,
		);
	});

	it.each<[string, Failure, Attempts['retrySafety'], RegExp | undefined]>([
		['a start after 500', answered(500), 'mayStartTwice', running],
		['a start after a lost answer', silent('ECONNRESET'), 'mayStartTwice', running],
		['a start after 429', answered(429), 'mayStartTwice', undefined],
		['a start after 400', answered(400), 'mayStartTwice', undefined],
		['a start that never arrived', silent('ECONNREFUSED'), 'mayStartTwice', undefined],
		[
			'a start rejected on submission',
			answered(500, { error: 'Failed to passthrough agent request.' }),
			'mayStartTwice',
			undefined,
		],
		['a paid answer that was lost', silent('ETIMEDOUT'), 'mayChargeTwice', charged],
		['a paid answer that never arrived', silent('ENOTFOUND'), 'mayChargeTwice', undefined],
		['a paid answer refused', answered(500, { error: 'Failed' }), 'mayChargeTwice', undefined],
		['a paid answer that a gateway lost', answered(502), 'mayChargeTwice', charged],
		['a start answered by a page', answered(200, '<html>Hi</html>'), 'mayStartTwice', running],
		['a start answered by nothing', answered(200, ''), 'mayStartTwice', running],
		['a start that is redirected', answered(301, ''), 'mayStartTwice', running],
		['a keyed start answered by a page', answered(200, '<p>Hi</p>'), 'idempotencyKey', running],
		[
			'a start that the service failed',
			answered(200, { success: false }),
			'mayStartTwice',
			undefined,
		],
		[
			'a paid answer in the place of which a page came',
			answered(200, '<p>Hi</p>'),
			'mayChargeTwice',
			charged,
		],
		['a paid answer that is redirected', answered(308, ''), 'mayChargeTwice', charged],
		['a paid answer that failed', answered(200, { success: false }), 'mayChargeTwice', undefined],
		['a read that was lost', silent('ECONNRESET'), 'safe', undefined],
	])('warns of what is uncertain: %s', (_, failure, retrySafety, words) => {
		const note = noteOf(failure, { retrySafety });
		for (const warning of [running, charged]) {
			if (warning === words) expect(note).toMatch(warning);
			else expect(note).not.toMatch(warning);
		}
	});

	it.each<[string, Failure, Attempts['retrySafety'], RegExp | undefined]>([
		['a keyed start that is refused', answered(401), 'idempotencyKey', running],
		['a keyed start in conflict', answered(409), 'idempotencyKey', running],
		["a start repeated at the user's risk", answered(401), 'mayStartTwice', running],
		[
			'a keyed start that is known',
			answered(409, { error: 'Idempotency key' }),
			'idempotencyKey',
			/used before/,
		],
		['a read', answered(401), 'safe', undefined],
	])(
		'remembers a try whose answer was lost, when a later one ends: %s',
		(_, failure, retrySafety, words) => {
			const earlier = [answered(429), silent('ECONNRESET')];
			const note = noteOf(failure, { retrySafety, tries: 3, earlier });
			if (words === running) expect(note).toMatch(running);
			else expect(note).not.toMatch(running);
			if (words) expect(note).toMatch(words);
			expect(noteOf(failure, { retrySafety, tries: 2, earlier: [answered(429)] })).not.toMatch(
				running,
			);
		},
	);

	it('does not say of a start that was repeated at the risk of the user that it was not', () => {
		const earlier = [answered(502)];
		const note = noteOf(answered(401), { retrySafety: 'mayStartTwice', tries: 2, earlier });
		expect(note).toMatch(/API Key.*may have been carried out all the same\. Look/);
		expect(noteOf(answered(502), { retrySafety: 'mayStartTwice' })).toContain(
			'so it was not sent again',
		);
	});

	it('says both what to correct and what may be running where another than the service answered', () => {
		const note = noteOf(answered(200, '<html>Hi</html>'), { retrySafety: 'mayStartTwice' });
		expect(note).toMatch(/Base URL.*may have been carried out/);
	});
});

it('the words about input end with the value that they quote', () => {
	const error = inputError(
		[{ code: 'custom', path: [], message: 'must be a number, not ..' }],
		errorSource(),
	);
	expect(error.message).toBe('The request must be a number, not .. [item 0]');
});

describe('an answer of any size', () => {
	const million = (text: string) => text.repeat(1_000_000 / text.length);

	it.each<[string, unknown]>([
		['HTML of opening brackets', million('<')],
		['HTML of opened titles', million('<title>')],
		['full stops', { error: `x${million('.')}y` }],
		['words of advice', { error: million('monitor check too many profile search target ') }],
		['a list of problems', { error: 'x', details: million('ab').split('b') }],
		['a deep path', { error: 'x', details: [{ path: million('ab').split('b'), message: 'y' }] }],
	])('is looked at up to a bound: %s', (_, body) => {
		const error = errorFor(answered(502, body));
		expect(error.message.length).toBeLessThan(700);
		expect(error.description).toBeTruthy();
	});

	it('has no words after the first 100,000 characters', () => {
		const late = `${' '.repeat(100_000)}late`;
		for (const body of [late, { error: late }, { message: late }, { details: late }]) {
			expect(messageFor(502, body)).toBe('The service gave no reason (HTTP 502) [item 0]');
		}
	});

	it('lists 50 problems at the most', () => {
		const details = Array.from({ length: 1000 }, (_, index) => ({ message: `#${index}` }));
		const words = serviceWords({ status: 400, headers: {}, body: { error: 'x', details } });
		expect(words).toContain('#49');
		expect(words).not.toContain('#50');
	});

	it('has no part of a secret at the end of its words', () => {
		const secret = 'fc-0123456789abcdef0123456789abcdef';
		const redact = redactor([secret]);
		const body = { error: Array.from({ length: 5000 }, () => secret).join(' ') };
		const { message } = errorFor(answered(502, body), {}, { redact });
		expect(message).not.toMatch(/fc-\d/);
	});
});
