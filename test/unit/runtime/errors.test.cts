import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	asNodeError,
	inputError,
	operationError,
	serviceError,
	serviceWords,
	type Attempts,
} from '../../../nodes/runtime/errors';
import type { Failure } from '../../../nodes/runtime/retry';
import { node, place } from '../verdict.cjs';

const once: Attempts = { tries: 1, elapsed: 0, cost: 'paid answer' };

const answered = (
	status: number,
	body?: unknown,
	headers: Record<string, unknown> = {},
): Failure => ({
	answer: { status, headers, body },
});

const errorFor = (
	failure: Failure,
	attempts: Partial<Attempts> = {},
	where: Parameters<typeof place>[0] = {},
) => serviceError(failure, { ...once, ...attempts }, place(where));

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
			'No such host (HTTP 200, SCRAPE_DNS_RESOLUTION_ERROR) [item 0]',
		],
		[
			'a 200 that is no JSON',
			200,
			'<html>login</html>',
			'The service answered with something that is not JSON (HTTP 200) [item 0]',
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
			`Invalid request body: 'Limit': Number must be at most 100; 'Scrape Options > Formats > entry 1 > Prompt': Too long; includeDomains and excludeDomains cannot both be specified (HTTP 400, BAD_REQUEST) [item 0]`,
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

	it('cuts long words and never carries the body along', () => {
		const error = errorFor(answered(500, { error: 'long '.repeat(5000), data: 'the body itself' }));
		expect(error.message).toMatch(/^(long ){120}… \[item 0\]$/);
		expect(JSON.stringify(error)).not.toContain('the body itself');
	});

	it('takes secrets out before it cuts, so that no half of one is left', () => {
		const key = 'fc-0123456789abcdef';
		const conceal = (text: string) => text.replaceAll(key, '***');
		for (const start of [580, 590, 599]) {
			const { message } = errorFor(
				answered(500, { error: `${'x'.repeat(start)}${key} and more ${'y'.repeat(50)}` }),
				{},
				{ conceal },
			);
			expect(message).not.toContain('fc-');
			expect(message).toContain('…');
		}
		const problem = (length: number) => ({
			code: 'custom' as const,
			path: ['limit'],
			message: `is not ${'x'.repeat(length)}${key}`,
		});
		expect(inputError([problem(582)], place({ conceal })).message).not.toContain('fc-');
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
		const failure: Failure = { silence: { code: 'ECONNRESET', words } };
		expect(errorFor(failure).message).toBe(`The service did not answer: ${words} [item 0]`);
		expect(asNodeError(new Error(words), place()).message).toBe(`${words} [item 0]`);
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
			errorFor({ silence: { code: 'ECONNREFUSED', words: 'connect ECONNREFUSED' } }).httpCode,
		).toBeNull();
	});

	it('no key, no header and no body, wherever they stood', () => {
		const key = 'fc-0123456789abcdef';
		const conceal = (text: string) => text.replaceAll(key, '***');
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
			{ silence: { code: 'ECONNRESET', words: `socket hang up ${key}` } },
		];
		for (const failure of failures) {
			const error = errorFor(failure, {}, { conceal });
			const all = [JSON.stringify(error), error.message, error.description, error.stack].join('\n');
			expect(all).not.toContain(key);
			expect(all).not.toContain(key.slice(0, 8));
		}
	});

	it('passes errors of ours as they are', () => {
		const ours = new NodeOperationError(node, 'ours');
		expect(asNodeError(ours, place())).toBe(ours);
		const other = asNodeError('just words', place({ itemIndex: 2 }));
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

	it('reads the code where the base spec puts it: in error', () => {
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
		expect(errorFor({ silence: { code, words: code } }).description).toMatch(words);
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
		const silent = errorFor({ silence: { code: 'ECONNRESET', words: 'gone' } }, {}, { job });
		expect(silent.message).toBe('The service did not answer: gone (agent run job-7) [item 0]');
		expect(asNodeError(new Error('odd'), place({ job })).message).toBe(
			'odd (agent run job-7) [item 0]',
		);
	});

	it('does not name it twice', () => {
		const error = operationError(
			'The agent run job-7 failed.',
			'Try again.',
			place({ job, itemIndex: 3 }),
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('The agent run job-7 failed [item 3]');
		expect(error.description).toMatch(/^Try again\. .*'Get'/);
		expect(error.context.itemIndex).toBe(3);
	});

	it('keeps secrets out of words and advice', () => {
		const conceal = (text: string) => text.replaceAll('fc-key', '***');
		const error = operationError('fc-key failed', 'Change fc-key.', place({ conceal, job }));
		expect(`${error.message} ${error.description}`).not.toContain('fc-key');
	});
});

describe('the error for bad input', () => {
	it('names unknown fields where they stand, and says that nothing was charged', () => {
		const error = inputError(
			[
				{ code: 'unrecognized_keys', keys: ['a', 'b'], path: ['scrapeOptions'], message: '' },
				{ code: 'custom', path: [], message: 'must be an object' },
				{ code: 'custom', path: [], message: 'must be an object' },
			],
			place({ itemIndex: 2 }),
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

	it.each<[string, Failure, Attempts['cost'], RegExp | undefined]>([
		['a start after 500', answered(500), 'paid start', running],
		[
			'a start after a lost answer',
			{ silence: { code: 'ECONNRESET', words: 'x' } },
			'paid start',
			running,
		],
		['a start after 429', answered(429), 'paid start', undefined],
		['a start after 400', answered(400), 'paid start', undefined],
		[
			'a start that never arrived',
			{ silence: { code: 'ECONNREFUSED', words: 'x' } },
			'paid start',
			undefined,
		],
		[
			'a start rejected on submission',
			answered(500, { error: 'Failed to passthrough agent request.' }),
			'paid start',
			undefined,
		],
		[
			'a paid answer that was lost',
			{ silence: { code: 'ETIMEDOUT', words: 'x' } },
			'paid answer',
			charged,
		],
		[
			'a paid answer that never arrived',
			{ silence: { code: 'ENOTFOUND', words: 'x' } },
			'paid answer',
			undefined,
		],
		['a paid answer refused', answered(500), 'paid answer', undefined],
		['a start answered by a page', answered(200, '<html>Hi</html>'), 'paid start', running],
		['a start answered by nothing', answered(200, ''), 'paid start', running],
		['a start that is redirected', answered(301, ''), 'paid start', running],
		['a keyed start answered by a page', answered(200, '<p>Hi</p>'), 'keyed start', running],
		['a start that the service failed', answered(200, { success: false }), 'paid start', undefined],
		[
			'a paid answer in the place of which a page came',
			answered(200, '<p>Hi</p>'),
			'paid answer',
			charged,
		],
		['a paid answer that is redirected', answered(308, ''), 'paid answer', charged],
		['a paid answer that failed', answered(200, { success: false }), 'paid answer', undefined],
		['a read that was lost', { silence: { code: 'ECONNRESET', words: 'x' } }, 'read', undefined],
	])('warns of what is uncertain: %s', (_, failure, cost, words) => {
		const note = noteOf(failure, { cost });
		for (const warning of [running, charged]) {
			if (warning === words) expect(note).toMatch(warning);
			else expect(note).not.toMatch(warning);
		}
	});

	it.each<[string, Failure, Attempts['cost'], RegExp | undefined]>([
		['a keyed start that is refused', answered(401), 'keyed start', running],
		['a keyed start in conflict', answered(409), 'keyed start', running],
		["a start repeated at the user's risk", answered(401), 'paid start', running],
		[
			'a keyed start that is known',
			answered(409, { error: 'Idempotency key' }),
			'keyed start',
			/charged once/,
		],
		['a read', answered(401), 'read', undefined],
	])(
		'remembers a try whose answer was lost, when a later one ends: %s',
		(_, failure, cost, words) => {
			const earlier = [answered(429), { silence: { code: 'ECONNRESET', words: 'x' } }];
			const note = noteOf(failure, { cost, tries: 3, earlier });
			if (words === running) expect(note).toMatch(running);
			else expect(note).not.toMatch(running);
			if (words) expect(note).toMatch(words);
			expect(noteOf(failure, { cost, tries: 2, earlier: [answered(429)] })).not.toMatch(running);
		},
	);

	it('does not say of a start that was repeated at the risk of the user that it was not', () => {
		const earlier = [answered(502)];
		const note = noteOf(answered(401), { cost: 'paid start', tries: 2, earlier });
		expect(note).toMatch(/API Key.*may have been carried out all the same\. Look/);
		expect(noteOf(answered(502), { cost: 'paid start' })).toContain('so it was not sent again');
	});

	it('says both what to correct and what may be running where another than the service answered', () => {
		const note = noteOf(answered(200, '<html>Hi</html>'), { cost: 'paid start' });
		expect(note).toMatch(/Base URL.*may have been carried out/);
	});
});
