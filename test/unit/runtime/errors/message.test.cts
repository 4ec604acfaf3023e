import { NodeApiError, NodeOperationError, type INodeProperties } from 'n8n-workflow';
import { redactor } from '../../../../nodes/runtime/http/credential';
import { asNodeError, inputError, operationError } from '../../../../nodes/runtime/errors/message';
import { serviceError, type Attempts } from '../../../../nodes/runtime/http/serviceError';
import { messageOf, type Failure } from '../../../../nodes/runtime/errors/response';

import { node, errorSource } from '../../schemaAssertions.cjs';

const once: Attempts = { attemptCount: 1, elapsed: 0, retrySafety: 'mayChargeTwice' };

const answered = (
	status: number,
	body: unknown = { success: false },
	headers: Record<string, unknown> = {},
): Failure => ({
	response: { status, headers, body },
});

const silent = (code: string, message = 'x'): Failure => ({ networkError: { code, message } });

const errorFor = (
	failure: Failure,
	attempts: Partial<Attempts> = {},
	where: Parameters<typeof errorSource>[0] = {},
) => serviceError(failure, { ...once, ...attempts }, errorSource(where));

const messageFor = (status: number, body?: unknown) => errorFor(answered(status, body)).message;

const key = 'fc-0123456789abcdef';
const redact = (text: string) => text.replaceAll(key, '***');

/** A problem of the whole request. */
const problem = (message: string, ...path: string[]) => ({
	code: 'custom' as const,
	path,
	message,
});

describe("what happened, in the service's own words", () => {
	it.each<[string, number, unknown, string]>([
		['JSON', 403, { success: false, error: 'Forbidden' }, 'Forbidden'],
		['message in the place of error', 404, { message: 'Job not found.' }, 'Job not found'],
		['an error that is an object', 400, { error: { message: 'No good' } }, 'No good'],
		['RFC 7807', 429, { title: 'Too Many', status: 429, detail: 'Ten a minute' }, 'Ten a minute'],
		['RFC 7807 without detail', 503, { title: 'Down for repairs' }, 'Down for repairs'],
		['HTML with a title', 502, '<head><title>502 Bad</title></head><h1>x</h1>', '502 Bad'],
		['HTML without', 502, '<h1>Bad\n gateway</h1><hr>', 'Bad gateway'],
		['HTML with an empty title', 502, '<title> </title><body>Bad gateway</body>', 'Bad gateway'],
		['plain text', 504, 'upstream timed out', 'upstream timed out'],
		['an empty body', 502, '', 'The server returned no reason'],
		['no body', 504, undefined, 'The server returned no reason'],
		['an empty object', 500, {}, 'The server returned no reason'],
		['a list', 500, [], 'The server returned no reason'],
	])('%s', (_, status, body, words) => {
		expect(messageFor(status, body)).toBe(`${words} (HTTP ${status}) [item 0]`);
	});

	it.each<[string, number, unknown, string]>([
		['JSON with a code', 500, { code: 'IT_BROKE', error: 'Oh.' }, 'Oh (HTTP 500, IT_BROKE)'],
		['a 200 that failed', 200, { success: false, code: 'NO_HOST', error: 'x' }, 'x (NO_HOST)'],
		['a 200 that is no JSON', 200, '<p>login', 'The response is not JSON'],
	])('%s', (_, status, body, message) => {
		expect(messageFor(status, body)).toBe(`${message} [item 0]`);
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

	it.each<[unknown, string]>([
		['query is too long', 'Bad Request: query is too long'],
		[['query is too long', 'limit is wrong'], 'Bad Request: query is too long; limit is wrong'],
		[null, 'Bad Request'],
	])('takes details that are %j', (details, words) => {
		const message = messageFor(400, { error: 'Bad Request', details });
		expect(message).toBe(`${words} (HTTP 400) [item 0]`);
	});

	it.each<[string, unknown]>([
		['an object', { browserErrorCode: 'ERR_TUNNEL_CONNECTION_FAILED', retryable: true }],
		['a list of objects without words', [{ url: 'a' }]],
	])('shows details that are %s', (_, details) => {
		expect(messageFor(500, { error: 'It broke', details })).toContain(JSON.stringify(details));
	});

	it('does not repeat details that the message tells', () => {
		for (const details of ['too long', [{ path: ['limit'], message: 'too high' }], [], {}, null]) {
			const message = messageFor(400, { error: 'It broke', details });
			expect(message.match(/too/g)?.length ?? 0).toBeLessThan(2);
			expect(message).not.toMatch(/[[{]\W*[\]}]/);
		}
	});

	it('cuts details, and takes secrets out of them first', () => {
		const details = { text: `${'x'.repeat(570)}${key}${'y'.repeat(90_000)}` };
		const { message } = errorFor(answered(500, { error: 'x', details }), {}, { redact });
		expect(message).not.toContain('fc-');
		expect(message.length).toBeLessThan(700);
	});

	it('cuts long words and never carries the body along', () => {
		const error = errorFor(answered(500, { error: 'long '.repeat(5000), data: 'the body itself' }));
		expect(error.message).toMatch(/^(long ){120}… \[item 0\]$/);
		expect(JSON.stringify(error)).not.toContain('the body itself');
	});

	it('takes secrets out before it cuts, so that no half of one is left', () => {
		for (const start of [580, 590, 599]) {
			const words = `${'x'.repeat(start)}${key} and more ${'y'.repeat(50)}`;
			const { message } = errorFor(answered(500, { error: words }), {}, { redact });
			expect(message).not.toContain('fc-');
			expect(message).toContain('…');
		}
		const input = inputError([problem(`not ${'x'.repeat(585)}${key}`)], errorSource({ redact }));
		expect(input.message).toMatch(/xxx/);
		expect(input.message).not.toContain('fc-');
	});

	it.each([
		['a code in the place of words', 'SCRAPE_PROMPT_INJECTION_DETECTED'],
		['words in capitals', 'FORBIDDEN'],
		['words beside a code', 'Not allowed'],
	])('does not say twice: %s', (_, error) => {
		expect(messageFor(403, { success: false, error })).toBe(`${error} (HTTP 403) [item 0]`);
	});

	it.each([
		'getaddrinfo ENOTFOUND is what the page says',
		'A preexisting job blocks this',
		'ECONNREFUSED by the upstream, ETIMEDOUT later',
		'The existing monitor is busy: ENOENT',
	])('keeps "%s", though n8n would swap it', (words) => {
		expect(messageFor(409, { error: words })).toBe(`${words} (HTTP 409) [item 0]`);
		const failure: Failure = { networkError: { code: 'ECONNRESET', message: words } };
		expect(errorFor(failure).message).toBe(`The server did not respond: ${words} [item 0]`);
		expect(asNodeError(new Error(words), errorSource()).message).toBe(`${words} [item 0]`);
	});
});

/** The page of the service's web framework, as recorded from a real server. */
const framework = (text: string) =>
	`<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`;

const nginx = (title: string) =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n`;

describe("an answer that is not the API's", () => {
	const aPage = 'HTML error page instead of JSON';
	const login = 'The proxy requires authentication';

	it.each<[number, unknown, string, RegExp]>([
		[
			404,
			framework('Cannot POST /v2/agent'),
			'This server does not have this feature',
			/hosted service supports it.*'Base URL'/,
		],
		[500, framework('RangeError: too deep'), 'RangeError: too deep', /try again later/],
		[404, nginx('404 Not Found'), `${aPage}: 404 Not Found`, /'Base URL'.*another server/],
		[404, '404 page not found\n', `${aPage}: 404 page not found`, /'Base URL'/],
		[
			403,
			'<title>Attention Required!</title>',
			`${aPage}: Attention Required!`,
			/proxy that rejects/,
		],
		// A proxy that wants a login of its own, and n8n's without its password.
		[401, nginx('401 Authorization Required'), `${aPage}: 401 Authorization Required`, /proxy/],
		[407, '<h1>ERR_CACHE_ACCESS_DENIED</h1>', login, /not reached.*HTTPS_PROXY.*user:password@/],
		[407, undefined, login, /HTTP_PROXY/],
		[
			413,
			nginx('413 Request Entity Too Large'),
			'413 Request Entity Too Large',
			/too large: split/,
		],
		[502, nginx('502 Bad Gateway'), '502 Bad Gateway', /gateway/],
	])('%d %j', (status, body, words, advice) => {
		const error = errorFor(answered(status, body));
		expect(error.message).toBe(`${words} (HTTP ${status}) [item 0]`);
		expect(error.description).toMatch(advice);
		expect(error.description).not.toMatch(/field it names|Jobs are gone/);
		// What is no answer of the API tells nothing of what was charged; a refusal does.
		expect(/may have been processed and charged/.test(error.description ?? '')).toBe(status >= 500);
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
	const field = (displayName: string, name: string, options?: INodeProperties[]) => ({
		displayName,
		name,
		type: options ? ('collection' as const) : ('string' as const),
		default: {},
		options,
	});
	const fields: INodeProperties[] = [
		field('Additional Fields', 'additionalFields', [field('Effort Level', 'effort')]),
		field('Scrape Options', 'scrapeOptions', [
			field('Redact PII', 'redactPII'),
			field('PDF Parsers', 'parsers'),
		]),
	];
	const sentence =
		'Unrecognized key in body -- please review the v2 API documentation for request body changes';

	/** What a union says of the first parser, in its own member for the problems of its branches. */
	const union = (branches: object) => ({
		code: 'invalid_union',
		...branches,
		path: ['parsers', 0],
		message: 'Invalid input',
	});
	const literal = { code: 'invalid_value', path: [], message: 'expected "pdf"' };

	// The first and third are as recorded; the others as servers of 2025 say it.
	it.each<[string, string, object[], string]>([
		[
			'zod 4',
			sentence,
			[unknownKeys(['effort'], [], 'Unrecognized key: "effort"')],
			`This server does not support 'Effort Level'`,
		],
		[
			'zod 3',
			'Bad Request',
			[unknownKeys(['redactPII'], ['scrapeOptions'], sentence)],
			`This server does not support 'Scrape Options > Redact PII'`,
		],
		[
			'a union of zod 4',
			'Bad Request',
			[union({ errors: [[literal], [unknownKeys(['bogus'], [], 'Unrecognized key: "bogus"')]] })],
			`This server does not support 'PDF Parsers > entry 1 > bogus'`,
		],
		[
			'several, beside another problem',
			sentence,
			[
				{ code: 'invalid_type', path: ['url'], message: 'expected string' },
				unknownKeys(['effort', 'extra'], [], 'Unrecognized keys: "effort", "extra"'),
			],
			`'url': expected string; This server does not support 'Effort Level'; This server does not support 'extra'`,
		],
	])('is named as the user sees it: %s', (_, error, details, words) => {
		const body = { success: false, code: 'BAD_REQUEST', error, details };
		const { message, description } = errorFor(answered(400, body), {}, { fields });
		expect(message).toBe(`${words} (HTTP 400, BAD_REQUEST) [item 0]`);
		expect(description).toMatch(/does not support.*Nothing was charged/);
	});

	it('is looked for in the branch of a union that was meant', () => {
		const invalid = (errors: unknown[]) =>
			messageFor(400, { error: 'Bad Request', details: [union({ errors })] });
		const mode = [{ ...literal, path: ['mode'], message: 'expected one of "fast"|"auto"' }];
		const type = [{ ...literal, path: ['type'], message: 'expected "wait"' }];
		expect(invalid([[literal], mode])).toContain(`'PDF > entry 1 > Mode': expected one of`);
		expect(invalid([type, [literal]])).toContain(`'PDF > entry 1': Invalid input`);
		let deep: unknown = [{ code: 'custom', path: ['x'], message: 'at the bottom' }];
		for (let level = 0; level < 5000; level++) {
			deep = [{ code: 'invalid_union', errors: [deep], path: ['x'], message: 'deeper' }];
		}
		expect(invalid([deep])).toMatch(/deeper|Invalid input/);
	});

	it('does not say in words what a problem says as well', () => {
		const same = 'waitFor must not exceed half of timeout';
		const details = [{ code: 'custom', path: ['waitFor'], message: same }];
		const message = messageFor(400, { error: same, details });
		expect(message).toBe(`'Wait For': ${same} (HTTP 400) [item 0]`);
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
		['a lost answer', errorFor({ networkError: { code: 'ECONNRESET', message: image } })],
		['what no request explains', operationError(image, link, errorSource())],
		[
			'any other error',
			asNodeError(Object.assign(new Error(image), { description: link }), errorSource()),
		],
		['bad input', inputError([problem(`must be x, not ${image}`)], errorSource())],
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
		expect(errorFor(silent('ECONNREFUSED')).httpCode).toBeNull();
	});

	it('no key, no header and no body, wherever they stood', () => {
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
			{ networkError: { code: 'ECONNRESET', message: `socket hang up ${key}` } },
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

	it('is another for each status', () => {
		const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504];
		const advice = statuses.map((status) => adviceFor(status));
		expect(advice).not.toContain('');
		expect(new Set(advice).size).toBe(statuses.length);
	});

	it.each<[number, string, RegExp]>([
		[404, 'SCRAPE_NO_CACHED_DATA', /'minAge'/],
		[404, 'SCRAPE_LOCKDOWN_CACHE_MISS', /'lockdown'/],
		[403, 'SCRAPE_PROMPT_INJECTION_DETECTED', /'checkPromptInjection'/],
		[403, 'unsafe_domain_blocked', /'threatProtection'/],
		[408, 'SCRAPE_TIMEOUT', /'Timeout'/],
		[500, 'SCRAPE_SSL_ERROR', /'skipTlsVerification'/],
		[500, 'SCRAPE_ACTION_ERROR', /'Actions'/],
		[400, 'SCRAPE_ACTIONS_NOT_SUPPORTED', /'Actions'/],
		[403, 'THIRD_PARTY_DATA_TERMS_REQUIRED', /accept.*terms.*run it again/],
		[403, 'UNSUPPORTED_SITE', /site is not supported/],
		[500, 'SCRAPE_ALL_ENGINES_FAILED', /block.*'Location'/],
		[500, 'SCRAPE_PDF_OCR_REQUIRED', /OCR/],
		[500, 'SCRAPE_ZDR_VIOLATION_ERROR', /would fail again/],
		[500, 'UNKNOWN_ERROR', /error ID.*database/],
		[404, 'thread_not_found', /'Thread ID'/],
		[409, 'duplicate_request', /'Request ID'/],
	])('of %i %s says what its message does not', (status, code, advice) => {
		expect(adviceFor(status, { success: false, code, error: 'x' })).toMatch(advice);
		// Some have the code instead of the message, with what happened under `message`.
		const bare = errorFor(answered(status, { success: false, error: code, message: 'Not now.' }));
		expect(bare.description).toMatch(advice);
		expect(bare.message).toBe(`Not now (HTTP ${status}, ${code}) [item 0]`);
	});

	it.each<[number, string, RegExp]>([
		[403, 'Forbidden: Account suspended', /permissions/],
		[403, 'We apologize for the inconvenience but we do not support this site.', /not supported/],
		[503, 'Browser feature is not configured (BROWSER_SERVICE_URL is missing).', /hosted service/],
		[429, 'Queue limit reached: 2000 jobs', /Wait until jobs/],
		[429, 'You have too many open browser sessions.', /'Delete'/],
		[409, 'Idempotency key already used', /used before/],
	])('of %i "%s" goes by its beginning', (status, error, advice) => {
		expect(adviceFor(status, { success: false, error })).toMatch(advice);
	});

	it('keeps the error ID', () => {
		const words = 'An error occurred. Error ID: 01a201ea-e1b6-7489-a5fb-2639a7000000';
		const message = messageFor(500, { success: false, code: 'UNKNOWN_ERROR', error: words });
		expect(message).toContain(words);
	});

	it.each<[number, string, object]>([
		[402, 'unverified_credit_limit_reached', { upgrade_url: 'https://help.example/1' }],
		[403, 'AGENT_INDEX_ONLY', { login_url: 'https://help.example/1' }],
		[403, 'THIRD_PARTY_DATA_TERMS_REQUIRED', { requiresAction: { url: 'https://help.example/1' } }],
	])('%i %s gives the link that helps: %j', (status, code, link) => {
		expect(messageFor(status, { code, error: 'x', ...link })).toContain('https://help.example/1');
	});

	it('names no link, run, check or terms of more characters than a URL has', () => {
		const long = 'l'.repeat(3_000);
		const requiresAction = { url: long, terms: long };
		const body = { error: 'x', runId: long, id: long, upgrade_url: long, login_url: long };

		expect(messageFor(409, { ...body, requiresAction })).not.toContain('lll');
	});

	it('names the terms that must be accepted, and where', () => {
		const code = 'THIRD_PARTY_DATA_TERMS_REQUIRED';
		const requiresAction = {
			type: 'accept_terms',
			terms: 'firecrawl-enrich',
			version: '2026-09',
			url: 'https://dashboard.example/app/alexandria/firecrawl-enrich',
		};
		expect(messageFor(403, { code, error: 'x', requiresAction })).toMatch(
			/terms 'firecrawl-enrich'; version 2026-09; see https:\/\/dashboard\.example/,
		);
		expect(adviceFor(403, { code, error: 'x' })).toMatch(/administrator.*accept/);
	});

	it.each(['SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_RETRY_LIMIT', 'SCRAPE_PDF_ANTIBOT_ERROR'])(
		'advises no proxy that does not differ from others: %s',
		(code) => {
			expect(adviceFor(500, { code, error: 'x' })).not.toMatch(/enhanced|'Proxy'/);
		},
	);

	it('names the run or the check that is in the way', () => {
		const message = messageFor(409, { error: 'x', runId: 'run-7', id: 'check-8' });
		expect(message).toMatch(/run-7.*check-8/);
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

	it.each([
		['ENOTFOUND', /'Base URL'/],
		['ECONNREFUSED', /'Base URL'/],
		['CERT_HAS_EXPIRED', /certificate/],
		['ECONNRESET', /connection was closed/],
		['ECONNABORTED', /The request timed out/],
		['ETIMEDOUT', /The request timed out/],
	])('%s has advice', (code, words) => {
		expect(errorFor(silent(code, code)).description).toMatch(words);
	});

	it.each<[string, Attempts['retrySafety'], Failure[], boolean]>([
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'mayChargeTwice', [], true],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'mayStartTwice', [], true],
		['ECONNREFUSED', 'mayStartTwice', [answered(429)], true],
		['ECONNREFUSED', 'mayChargeTwice', [answered(502)], false],
		['ECONNREFUSED', 'free', [], false],
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
		expect(unanswered.message).toBe('The server did not respond: gone (agent run job-7) [item 0]');
		expect(asNodeError(new Error('odd'), errorSource({ job })).message).toBe(
			'odd (agent run job-7) [item 0]',
		);
	});

	it('does not name it twice', () => {
		const source = errorSource({ job, itemIndex: 3 });
		const error = operationError('The agent run job-7 failed.', 'Try again.', source);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('The agent run job-7 failed [item 3]');
		expect(error.description).toMatch(/^Try again\. .*'Get'/);
		expect(error.context.itemIndex).toBe(3);
	});

	it('keeps secrets out of words and advice', () => {
		const source = errorSource({ redact, job });
		const error = operationError(`${key} failed`, `Change ${key}.`, source);
		expect(`${error.message} ${error.description}`).not.toContain(key);
	});
});

describe('the error for bad input', () => {
	it('names unknown fields where they stand, and says that nothing was charged', () => {
		const error = inputError(
			[
				problem('must be an object', 'scrapeOptions'),
				problem('must be an object'),
				problem('must be an object'),
			],
			errorSource({ itemIndex: 2 }),
		);
		expect(error.message).toBe(
			`'Scrape Options' must be an object; The request must be an object [item 2]`,
		);
		expect(error.description).toMatch(/Nothing was sent.*nothing was charged/);
	});

	it('ends with the value that it quotes', () => {
		const error = inputError([problem('must be a number, not ..')], errorSource());
		expect(error.message).toBe('The request must be a number, not .. [item 0]');
	});
});

it("the service's words can be had without a place", () => {
	const wordsOf = (body: unknown) => messageOf({ status: 500, headers: {}, body });
	expect(wordsOf({ error: ' It broke ' })).toBe('It broke');
	expect(wordsOf(undefined)).toMatch(/no reason/);
});

describe('what was tried', () => {
	const noteOf = (failure: Failure, attempts: Partial<Attempts>) =>
		errorFor(failure, attempts).description ?? '';
	const running = /It may have been processed/;
	const charged = /may have been processed and charged/;

	it('says how often and how long', () => {
		const note = noteOf(answered(503), { attemptCount: 5, elapsed: 62_400 });
		expect(note).toContain('5 attempts in 62 s.');
		expect(noteOf(answered(503), { attemptCount: 1 })).not.toContain('Tried');
	});

	it('says when the next try would be due', () => {
		const note = noteOf(answered(429), { tooLong: 3_600_000 });
		expect(note).toMatch(/due in 3600 s.*'Max Retry Time'/);
	});

	const notStarted = { success: false, error: 'Failed to passthrough agent request.' };

	it.each<[string, Failure, Attempts['retrySafety'], RegExp?]>([
		['a start after 500', answered(500), 'mayStartTwice', running],
		['a start after a lost answer', silent('ECONNRESET'), 'mayStartTwice', running],
		['a start after 429', answered(429), 'mayStartTwice'],
		['a start after 400', answered(400), 'mayStartTwice'],
		['a start that never arrived', silent('ECONNREFUSED'), 'mayStartTwice'],
		['a start rejected on submission', answered(500, notStarted), 'mayStartTwice'],
		['a paid answer that was lost', silent('ETIMEDOUT'), 'mayChargeTwice', charged],
		['a paid answer that never arrived', silent('ENOTFOUND'), 'mayChargeTwice'],
		['a paid answer refused', answered(500), 'mayChargeTwice'],
		['a start after a page with 503', answered(503, '<p>Hi</p>'), 'mayStartTwice', running],
		['a paid answer that a gateway lost', answered(502), 'mayChargeTwice', charged],
		['a start answered by a page', answered(200, '<html>Hi</html>'), 'mayStartTwice', running],
		['a start answered by nothing', answered(200, ''), 'mayStartTwice', running],
		['a start that is redirected', answered(301, ''), 'mayStartTwice', running],
		['a keyed start answered by a page', answered(200, '<p>Hi</p>'), 'idempotencyKey', running],
		['a start that the service failed', answered(200, { success: false }), 'mayStartTwice'],
		['a page instead of a paid answer', answered(200, '<p>Hi</p>'), 'mayChargeTwice', charged],
		['a paid answer that is redirected', answered(308, ''), 'mayChargeTwice', charged],
		['a paid answer that failed', answered(200, { success: false }), 'mayChargeTwice'],
		['a read that was lost', silent('ECONNRESET'), 'free'],
	])('warns of what is uncertain: %s', (...given) => {
		const [, failure, retrySafety, words] = given;
		const note = noteOf(failure, { retrySafety });
		expect([running, charged].filter((warning) => warning.test(note))).toEqual(
			words ? [words] : [],
		);
	});

	const known = answered(409, { error: 'Idempotency key' });

	it.each<[string, Failure, Attempts['retrySafety'], RegExp?]>([
		['a keyed start that is refused', answered(401), 'idempotencyKey', running],
		['a keyed start in conflict', answered(409), 'idempotencyKey', running],
		["a start repeated at the user's risk", answered(401), 'mayStartTwice', running],
		['a keyed start that is known', known, 'idempotencyKey', /used before/],
		['a read', answered(401), 'free'],
	])('remembers a try without answer, when a later one ends: %s', (...given) => {
		const [, failure, retrySafety, words] = given;
		const noteAfter = (...earlier: Failure[]) =>
			noteOf(failure, { retrySafety, attemptCount: earlier.length + 1, earlier });
		const note = noteAfter(answered(429), silent('ECONNRESET'));
		expect(running.test(note)).toBe(words === running);
		if (words) expect(note).toMatch(words);
		expect(noteAfter(answered(429))).not.toMatch(running);
	});

	it('does not say of a start that was repeated at the risk of the user that it was not', () => {
		const earlier = [answered(502)];
		const note = noteOf(answered(401), { retrySafety: 'mayStartTwice', attemptCount: 2, earlier });
		expect(note).toMatch(/API Key.*may have been processed anyway\. Look/);
		expect(noteOf(answered(502), { retrySafety: 'mayStartTwice' })).toContain(
			'so it was not retried',
		);
	});

	it('says both what to correct and what may be running where another than the service answered', () => {
		const note = noteOf(answered(200, '<html>Hi</html>'), { retrySafety: 'mayStartTwice' });
		expect(note).toMatch(/Base URL.*may have been processed/);
	});
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
			expect(messageFor(502, body)).toBe('The server returned no reason (HTTP 502) [item 0]');
		}
	});

	it('lists 50 problems at the most', () => {
		const details = Array.from({ length: 1000 }, (_, index) => ({ message: `#${index}` }));
		const words = messageOf({ status: 400, headers: {}, body: { error: 'x', details } });
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
