import { NodeApiError, NodeOperationError, type INodeProperties } from 'n8n-workflow';
import { redactor } from '../../../../nodes/runtime/http/credential';
import {
	asWebDataError,
	inputError,
	operationError,
} from '../../../../nodes/runtime/errors/webDataError';
import { serviceError, type Attempts } from '../../../../nodes/runtime/http/serviceError';
import type { Failure } from '../../../../nodes/runtime/errors/response';
import { node, errorSource } from '../../schemaAssertions.cjs';

const answered = (
	status: number,
	body: unknown = { success: false },
	headers: Record<string, unknown> = {},
): Failure => ({ response: { status, headers, body } });

const silent = (code: string, message = 'x'): Failure => ({ networkError: { code, message } });

const errorFor = (
	failure: Failure,
	attempts: Partial<Attempts> = {},
	where: Parameters<typeof errorSource>[0] = {},
) => {
	const once: Attempts = { failures: [failure], elapsed: 0, retrySafety: 'mayChargeTwice' };
	return serviceError(failure, { ...once, ...attempts }, errorSource(where)).render();
};

const messageFor = (status: number, body?: unknown) => errorFor(answered(status, body)).message;
const adviceFor = (status: number, body: unknown = {}) =>
	errorFor(answered(status, body)).description ?? '';

const key = 'fc-0123456789abcdef0123456789abcdef';
const redact = redactor([key]);

/** An issue of an input. */
const problem = (message: string, ...path: string[]) => ({
	code: 'custom' as const,
	path,
	message,
});

describe('The message of a failed request', () => {
	it.each<[number, unknown, string]>([
		[403, { success: false, error: 'Forbidden' }, 'Forbidden (HTTP 403)'],
		[404, { message: 'Job not found.' }, 'Job not found (HTTP 404)'],
		[400, { error: { message: 'No good' } }, 'No good (HTTP 400)'],
		[429, { title: 'Too Many', detail: 'Ten a minute' }, 'Ten a minute (HTTP 429)'],
		[503, { title: 'Down for repairs' }, 'Down for repairs (HTTP 503)'],
		[502, '<head><title>502 Bad</title></head><h1>x</h1>', '502 Bad (HTTP 502)'],
		[502, '<title> </title><h1>Bad\n gateway</h1><hr>', 'Bad gateway (HTTP 502)'],
		[504, 'upstream timed out', 'upstream timed out (HTTP 504)'],
		[504, undefined, 'The server returned no reason (HTTP 504)'],
		[500, [], 'The server returned no reason (HTTP 500)'],
		[500, { code: 'IT_BROKE', error: 'Oh.' }, 'Oh (HTTP 500, IT_BROKE)'],
		[403, { error: 'UNSUPPORTED_SITE' }, 'UNSUPPORTED_SITE (HTTP 403)'],
		[403, { error: 'UNSUPPORTED_SITE', message: 'No.' }, 'No (HTTP 403, UNSUPPORTED_SITE)'],
		[200, { success: false, code: 'NO_HOST', error: 'x' }, 'x (NO_HOST)'],
		[200, '<p>login', 'The response is not JSON'],
		[400, { error: 'limit <= 5 and 3 < 4' }, 'limit <= 5 and 3 < 4 (HTTP 400)'],
	])("has the service's own words: %d %j", (status, body, message) => {
		expect(messageFor(status, body)).toBe(`${message} [item 0]`);
	});

	it.each<[unknown, string]>([
		['query is too long', 'Bad Request: query is too long'],
		[['query is too long', 'limit is wrong'], 'Bad Request: query is too long; limit is wrong'],
		[
			[
				{ code: 'too_big', path: ['limit'], message: 'at most 100' },
				{ code: 'custom', path: ['scrapeOptions', 'formats', 0, 'prompt'], message: 'Too long' },
				{ code: 'custom', message: 'not both' },
			],
			`Bad Request: 'Limit': at most 100; 'Formats > entry 1 > prompt': Too long; not both`,
		],
		// A problem that repeats the message.
		[[{ path: ['waitFor'], message: 'Bad Request' }], `'Wait For': Bad Request`],
		[{ retryable: true }, 'Bad Request: {"retryable":true}'],
		[[{ url: 'a' }], 'Bad Request: [{"url":"a"}]'],
		[[], 'Bad Request'],
		[null, 'Bad Request'],
	])('names the fields in details %j', (details, words) => {
		expect(messageFor(400, { error: 'Bad Request', details })).toBe(`${words} (HTTP 400) [item 0]`);
	});

	it('keeps words that n8n would replace', () => {
		const words = 'ECONNREFUSED of a preexisting job';
		expect(messageFor(409, { error: words })).toBe(`${words} (HTTP 409) [item 0]`);
		expect(errorFor(silent('ECONNRESET', words)).message).toBe(
			`The server did not respond: ${words} [item 0]`,
		);
		expect(asWebDataError(new Error(words), errorSource()).render().message).toBe(
			`${words} [item 0]`,
		);
	});

	it.each<[number, object, RegExp]>([
		[402, { upgrade_url: 'https://help.example/1' }, /see https:\/\/help.example\/1/],
		[403, { login_url: 'https://help.example/1' }, /see https:\/\/help.example\/1/],
		[409, { runId: 'run-7', id: 'check-8' }, /run ID run-7; ID check-8/],
		[
			403,
			{ requiresAction: { terms: 'enrich', version: '2026-09', url: 'https://terms.example' } },
			/terms 'enrich'; version 2026-09; see https:\/\/terms.example/,
		],
	])('%d refers to what %j names, unless it is too long', (status, rest, words) => {
		expect(messageFor(status, { error: 'x', ...rest })).toMatch(words);
		const long = JSON.parse(
			JSON.stringify(rest).replace(/"([^"]+)"(?=[,}])/g, `"${'l'.repeat(3_000)}"`),
		);
		expect(messageFor(status, { error: 'x', ...long })).not.toContain('lll');
	});

	it('says where a redirect leads', () => {
		const error = errorFor(answered(301, '', { location: 'https://new.example/v2/search' }));
		expect(error.message).toContain('https://new.example/v2/search');
		expect(error.description).toContain(`'Base URL'`);
	});
});

describe('The message of any response', () => {
	const million = (text: string) => text.repeat(1_000_000 / text.length);

	it.each<[string, unknown]>([
		['opening brackets', million('<')],
		['opened titles', million('<title>')],
		['full stops', { error: `x${million('.')}y` }],
		['problems', { error: 'x', details: million('ab').split('b') }],
		['a deep path', { error: 'x', details: [{ path: million('ab').split('b'), message: 'y' }] }],
		['details', { error: 'x', details: { text: million('y') } }],
		['secrets', { error: million(`${key} `) }],
	])('is short, though it has a million %s', (_, body) => {
		const { message, description } = errorFor(answered(502, body), {}, { redact });
		expect(message.length).toBeLessThan(700);
		expect(message).not.toMatch(/fc-\d/);
		expect(description).toBeTruthy();
	});

	it('ignores what follows 100,000 characters, and 50 problems', () => {
		const late = `${' '.repeat(100_000)}late`;
		for (const body of [late, { error: late }, { message: late }, { details: late }]) {
			expect(messageFor(502, body)).toBe('The server returned no reason (HTTP 502) [item 0]');
		}
		const details = Array.from({ length: 1000 }, (_, index) => ({ message: `#${index}` }));
		expect(messageFor(400, { details })).toMatch(/#49 /);
	});

	it('is redacted before it is cut, so that no part of a secret remains', () => {
		for (const start of [565, 580, 599]) {
			const words = `${'x'.repeat(start)}${key}${'y'.repeat(50)}`;
			expect(errorFor(answered(500, { error: words }), {}, { redact }).message).not.toContain(
				'fc-',
			);
			expect(inputError([problem(words)], errorSource({ redact })).message).not.toContain('fc-');
		}
	});

	it('and the rest of the error hold no key, header or body', () => {
		const failures = [
			answered(
				401,
				{ error: `Unauthorized: ${key}`, code: key, details: [{ path: [key], message: key }] },
				{ authorization: `Bearer ${key}` },
			),
			answered(500, `<title>${key}</title>`),
			answered(500, { error: 'x', data: 'the body itself' }),
			answered(302, '', { location: `https://elsewhere.example/?key=${key}` }),
			answered(403, { error: 'Terms', requiresAction: { url: `https://terms.example/${key}` } }),
			silent('ECONNRESET', `socket hang up ${key}`),
		];
		for (const failure of failures) {
			const error = errorFor(failure, {}, { redact });
			const all = [JSON.stringify(error), error.message, error.description, error.stack].join('\n');
			expect(all).not.toMatch(/fc-\d|the body itself/);
		}
	});

	const image = '<img src="https://evil.example/?x">';
	const link = '</b><a href="https://evil.example">Log in</a><!-- <?x';

	it.each<[string, NodeApiError | NodeOperationError]>([
		['a response', errorFor(answered(400, { error: image, details: link }))],
		['references', errorFor(answered(409, { error: 'x', runId: link, id: image }))],
		['a lost response', errorFor(silent('ECONNRESET', image))],
		['a failed job', operationError(image, link, errorSource()).render()],
		[
			'another error',
			asWebDataError(
				Object.assign(new Error(image), { description: link }),
				errorSource(),
			).render(),
		],
		['invalid input', inputError([problem(`must be x, not ${image}`)], errorSource()).render()],
	])('is no markup, which the editor would render: %s', (_, { message, description }) => {
		expect(`${message} ${description}`).toContain('‹');
		expect(`${message} ${description}`).not.toMatch(/<[a-z/!?]/i);
	});
});

/** The page of the service's web framework, as recorded from a real server. */
const framework = (text: string) =>
	`<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Error</title>\n</head>\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`;

const nginx = (title: string) =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n`;

describe('A response that is not from the API', () => {
	const aPage = 'HTML page instead of JSON';
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
		[403, '<title>Attention</title>', `${aPage}: Attention`, /proxy that rejects/],
		[401, nginx('401 Authorization Required'), `${aPage}: 401 Authorization Required`, /proxy/],
		[407, undefined, login, /not reached.*HTTPS_PROXY.*user:password@/],
		[413, nginx('413 Too Large'), '413 Too Large', /too large: split/],
		[502, nginx('502 Bad Gateway'), '502 Bad Gateway', /gateway/],
	])('is named as such: %d %j', (status, body, words, advice) => {
		const error = errorFor(answered(status, body));
		expect(error.message).toBe(`${words} (HTTP ${status}) [item 0]`);
		expect(error.description).toMatch(advice);
		// Only a rejection proves that nothing was charged.
		expect(/may have been processed and charged/.test(error.description ?? '')).toBe(status >= 500);
	});

	it('is suspected for a 404 unlike those of the API', () => {
		expect(adviceFor(404, { message: 'Route not found', error: 'Not Found' })).toMatch(
			/'Base URL'/,
		);
		expect(adviceFor(404, { success: false, error: 'Not found' })).not.toMatch(/Base URL/);
	});
});

describe('A field that the server does not know', () => {
	const fields: INodeProperties[] = [
		{ displayName: 'Effort Level', name: 'effort', type: 'string', default: '' },
		{
			displayName: 'Scrape Options',
			name: 'scrapeOptions',
			type: 'collection',
			default: {},
			options: [{ displayName: 'PDF Parsers', name: 'parsers', type: 'string', default: '' }],
		},
	];
	const unknown = (keys: string[], path: Array<string | number> = []) => ({
		code: 'unrecognized_keys',
		keys,
		path,
		message: 'Unrecognized key',
	});
	const union = (errors: unknown[]) => ({
		code: 'invalid_union',
		errors,
		path: ['scrapeOptions', 'parsers', 0],
		message: 'Invalid input',
	});
	const literal = { code: 'invalid_value', path: [], message: 'expected "pdf"' };
	const isUnknown = (name: string) => `This server does not support '${name}'`;

	it.each<[string, object[], string]>([
		['at the top', [unknown(['effort'])], isUnknown('Effort Level')],
		[
			'in a group',
			[unknown(['parsers'], ['scrapeOptions'])],
			isUnknown('Scrape Options > PDF Parsers'),
		],
		[
			'in the branch of a union that was meant',
			[union([[literal], [unknown(['bogus'])]])],
			isUnknown('Scrape Options > PDF Parsers > entry 1 > bogus'),
		],
		[
			'beside others',
			[{ path: ['url'], message: 'expected string' }, unknown(['effort', 'extra'])],
			`'url': expected string; ${isUnknown('Effort Level')}; ${isUnknown('extra')}`,
		],
	])('is named as the editor names it: %s', (_, details, words) => {
		const body = {
			success: false,
			code: 'BAD_REQUEST',
			error: 'Unrecognized key in body',
			details,
		};
		const { message, description } = errorFor(answered(400, body), {}, { fields });
		expect(message).toBe(`${words} (HTTP 400, BAD_REQUEST) [item 0]`);
		expect(description).toMatch(/does not support.*Nothing was charged/);
	});

	it('is told apart from a wrong one, however deep unions are', () => {
		const invalid = (errors: unknown[]) => messageFor(400, { details: [union(errors)] });
		const mode = [{ ...literal, path: ['mode'], message: 'expected "fast"' }];
		const type = [{ ...literal, path: ['type'], message: 'expected "wait"' }];
		expect(invalid([[literal], mode])).toContain(
			`'Scrape Options > PDF > entry 1 > Mode': expected "fast"`,
		);
		expect(invalid([type, [literal]])).toContain(`'Scrape Options > PDF > entry 1': Invalid input`);
		let deep: unknown = [problem('at the bottom', 'x')];
		for (let level = 0; level < 5000; level++) {
			deep = [{ code: 'invalid_union', errors: [deep], path: ['x'], message: 'deeper' }];
		}
		expect(invalid([deep])).toMatch(/deeper|Invalid input/);
	});
});

describe('An error', () => {
	it('has status, item and node; no status without a response', () => {
		const error = errorFor(answered(429, { error: 'Too many' }), {}, { itemIndex: 7 });
		expect(error).toMatchObject({ httpCode: '429', context: { itemIndex: 7 }, node });
		expect(error.message).toBe('Too many (HTTP 429) [item 7]');
		expect(errorFor(silent('ECONNREFUSED'))).toMatchObject({ httpCode: null });
	});

	it('of the node passes as it is, any other gets the item', () => {
		const own = operationError('own', '', errorSource());
		expect(asWebDataError(own, errorSource({ itemIndex: 2 }))).toBe(own);
		for (const other of ['text', new NodeOperationError(node, 'text')]) {
			const error = asWebDataError(other, errorSource({ itemIndex: 2 })).render();
			expect(error.message).toBe('text [item 2]');
			expect(error.context.itemIndex).toBe(2);
		}
	});

	it('about a job names it once, and how to get its result', () => {
		const job = { id: 'job-7', noun: 'agent run' };
		const error = errorFor(answered(404, { error: 'Not Found.' }), {}, { job });
		expect(error.message).toBe('Not Found (HTTP 404) (agent run job-7) [item 0]');
		expect(error.description).toContain(`'Get'`);
		const source = errorSource({ job, itemIndex: 3, redact });
		const failed = operationError('It failed.', `Change ${key}.`, source).render();
		expect(failed.message).toBe('It failed (agent run job-7) [item 3]');
		expect(failed.description).toMatch(/^Change \*\*\*\. .*'Get'/);
		const ended = errorSource({ job: { ...job, hasEnded: true } });
		const known = operationError('The agent run job-7 failed', 'Change it.', ended).render();
		expect(known).toMatchObject({
			message: 'The agent run job-7 failed [item 0]',
			description: 'Change it.',
		});
	});

	it('for invalid input names each field once, ends with the value, and says that nothing was charged', () => {
		const error = inputError(
			[problem('must be an object', 'scrapeOptions'), problem('is not ..'), problem('is not ..')],
			errorSource({ itemIndex: 2 }),
		).render();
		expect(error.message).toBe(
			`'Scrape Options' must be an object; The request is not .. [item 2]`,
		);
		expect(error.description).toBe('Nothing was sent and nothing was charged.');
	});
});

describe('The attempts in the advice of an error', () => {
	const noteOf = (failure: Failure, attempts: Partial<Attempts>) =>
		errorFor(failure, attempts).description ?? '';
	const running = /It may have been processed/;
	const charged = /may have been processed and charged/;
	const page = '<p>Hi</p>';

	it('are counted, with their time and that of the next', () => {
		const failures = [1, 2, 3, 4, 5].map(() => answered(503));
		const [down] = failures;
		const note = noteOf(down, { failures, elapsed: 62_400, tooLong: 3_600_000 });
		expect(note).toMatch(/5 attempts in 62 s\..*due in 3600 s.*'Max Retry Time'/);
		expect(note).not.toMatch(/allows none before/);
		const named = answered(429, { error: 'Retry after 60s' });
		expect(noteOf(named, { tooLong: 60_000 })).toMatch(/allows none before/);
	});

	const notStarted = { success: false, error: 'Failed to passthrough agent request.' };

	it.each<[Attempts['retrySafety'], Failure, RegExp?]>([
		['mayStartTwice', answered(500), running],
		['mayStartTwice', silent('ECONNRESET'), running],
		['mayStartTwice', answered(503, page), running],
		['mayStartTwice', answered(200, ''), running],
		['mayStartTwice', answered(301, ''), running],
		['mayStartTwice', answered(429)],
		['mayStartTwice', silent('ECONNREFUSED')],
		['mayStartTwice', answered(500, notStarted)],
		['mayStartTwice', answered(200, { success: false })],
		['idempotencyKey', answered(200, page), running],
		['mayChargeTwice', silent('ETIMEDOUT'), charged],
		['mayChargeTwice', answered(502), charged],
		['mayChargeTwice', answered(308, ''), charged],
		['mayChargeTwice', silent('ENOTFOUND')],
		['mayChargeTwice', answered(500)],
		['free', silent('ECONNRESET')],
	])('warn of what is uncertain: %s after %j', (...given) => {
		const [retrySafety, failure, words] = given;
		const note = noteOf(failure, { retrySafety });
		expect([running, charged].filter((warning) => warning.test(note))).toEqual(
			words ? [words] : [],
		);
	});

	const known = answered(409, { error: 'Idempotency key' });

	it.each<[Attempts['retrySafety'], Failure, RegExp?]>([
		['idempotencyKey', answered(401), running],
		['idempotencyKey', known, running],
		['free', answered(401)],
	])('remember a lost response when a later one ends: %s after %j', (...given) => {
		const [retrySafety, failure, words] = given;
		const noteAfter = (...earlier: Failure[]) =>
			noteOf(failure, { retrySafety, failures: [...earlier, failure] });
		const note = noteAfter(answered(429), silent('ECONNRESET'));
		expect(running.test(note)).toBe(words === running);
		if (words) expect(note).toMatch(words);
		expect(note).not.toMatch(/so it was not retried/);
		expect(noteAfter(answered(429))).not.toMatch(running);
	});

	it('say of a start that was sent once that it was not retried, and what to correct', () => {
		const note = noteOf(answered(200, page), { retrySafety: 'mayStartTwice' });
		expect(note).toMatch(/Base URL.*may have been processed anyway, so it was not retried/);
	});

	it.each<[string, Attempts['retrySafety'], Failure[], boolean]>([
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'mayStartTwice', [], true],
		['ECONNREFUSED', 'mayStartTwice', [answered(429)], true],
		['ECONNREFUSED', 'mayChargeTwice', [answered(502)], false],
		['ECONNREFUSED', 'free', [], false],
		['ECONNRESET', 'mayChargeTwice', [], false],
	])('claim that nothing was sent only if it is sure: %s, %s after %j', (...given) => {
		const [code, retrySafety, earlier, sure] = given;
		const note = noteOf(silent(code), { retrySafety, failures: earlier });
		expect(note.includes('Nothing was sent, and nothing was charged.')).toBe(sure);
	});
});
