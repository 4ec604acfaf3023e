import { PassThrough, Readable } from 'node:stream';
import { exchange, type Request } from '../../../../nodes/runtime/http/client';
import { asRequest } from '../../requests.cjs';
import { helpers, response } from './helpers.cjs';

const search = asRequest({ method: 'POST', path: '/search', body: { query: 'x' } });
const statusRequest = asRequest({ method: 'GET', path: '/agent/7' });
const lost = (error: unknown) => async () => await Promise.reject(error);

/** The result of an exchange that gets this response. */
const exchanged = async (answer: () => Promise<unknown>, request: Request = search) =>
	await exchange(helpers(answer).context, request);

describe('A request to the API', () => {
	it('goes through the credential, as JSON in bytes, and follows no redirect', async () => {
		const { asked, context } = helpers(response(200, { success: true }));
		const headers = { 'x-request-id': '1' };
		await exchange(context, { ...search, headers, query: { a: ['b', 'c'] } });
		expect(asked).toMatchObject([
			{
				credential: 'webDataApi',
				options: {
					method: 'POST',
					url: '/search',
					body: Buffer.from('{"query":"x"}'),
					qs: { a: ['b', 'c'] },
					headers: { ...headers, 'Content-Type': 'application/json' },
					disableFollowRedirect: true,
					encoding: 'stream',
				},
			},
		]);
	});

	it.each<[string, boolean]>([
		['/monitor/../checks/1', false],
		['/agent/.', false],
		['/agent/%2E%2e/x', false],
		['/x/.%2e?a=1', false],
		['/agent/...', true],
		['/papers/doi%3A10.1%2F..%2Fx', true],
		['/agent?before=../..', true],
	])('goes only to its own path: %s, %s', async (path, isSent) => {
		const { asked, context } = helpers(response(200, { success: true }));
		const reply = await exchange(context, asRequest({ method: 'GET', path }));
		expect(asked.map(({ options }) => options.url)).toEqual(isSent ? [path] : []);
		if (!isSent)
			expect(reply).toMatchObject({ failure: { networkError: { code: 'ERR_INVALID_PATH' } } });
	});

	it.each([
		[undefined, 300_000],
		[60_000, 300_000],
		[400_000, 430_000],
	])("waits longer than the service's own timeout of %s", async (serviceTimeout, timeout) => {
		const { asked, context } = helpers(response(200, { success: true }));
		await exchange(context, { ...search, serviceTimeout });
		expect(asked[0].options.timeout).toBe(timeout);
	});
});

describe('A response of the API', () => {
	it.each<[number, unknown]>([
		[200, { success: true, data: {} }],
		[200, { status: 'cancelled' }],
		[200, []],
		[201, { id: 'x' }],
	])('is a success with %i %j', async (status, body) => {
		expect(await exchanged(response(status, body, { 'x-a': '1' }))).toEqual({
			success: { status, headers: { 'x-a': '1' }, body },
			size: 0,
		});
	});

	it.each<[number, unknown]>([
		[200, { success: false, error: 'x' }],
		[200, '<html></html>'],
		[200, '{"success": tr'],
		[200, ''],
		[200, null],
		[302, ''],
		[429, { success: false }],
		[502, '<html></html>'],
	])('is a failure with %i %j', async (status, body) => {
		expect(await exchanged(response(status, body))).toEqual({
			failure: { response: { status, headers: {}, body } },
		});
	});

	it.each([
		['{"success":true}', { success: { body: { success: true } }, size: 16 }],
		['\ufeff{"success":true}', { success: { body: { success: true } } }],
		['{"success":true,"creditsUsed":-1}', { success: { body: { creditsUsed: null } } }],
		['Bad gateway', { failure: { response: { body: 'Bad gateway' } } }],
	])('is decoded from bytes: %j', async (text, expected) => {
		const bytes = Readable.from([Buffer.from(text)]);
		expect(await exchanged(response(200, bytes))).toMatchObject(expected);
	});

	const many = (length: number) => Array.from({ length }, (_, at) => [`key "${at}",`, [at, {}]]);
	const refused = { success: false, code: 'BAD', error: 'Say \\"no\\": [{' };

	it.each<[string, object]>([
		['a text', { ...refused, error: `Say "no" \u0001${'\\\u0002'.repeat(50_000)}` }],
		['a record', { ...refused, details: Object.fromEntries(many(30_000)) }],
		['a list', { ...refused, details: many(30_000) }],
	])('that fails is read as far as it is shown: %s', async (_name, body) => {
		const text = JSON.stringify(body);
		for (let more = 0; more < 40; more += 1) {
			const bytes = Buffer.from(' '.repeat(more) + text);
			const reply = await exchanged(response(400, Readable.from([bytes])));
			const read = 'failure' in reply && 'response' in reply.failure && reply.failure.response.body;
			expect(read).toMatchObject({ success: false, code: 'BAD' });
			const shown = JSON.stringify(read);
			expect(shown.length).toBeGreaterThan(99_000);
			expect(shown.length).toBeLessThan(100_100);
			expect(text.startsWith(shown.replace(/["\]}]+$/, ''))).toBe(true);
		}
	});

	it.each(['<p>Bad gateway', '{{', '"', ''])(
		'that fails and is not JSON is a text: %s',
		async (beginning) => {
			const text = beginning + '<'.repeat(200_000);
			const reply = await exchanged(response(502, Readable.from([Buffer.from(text)])));
			expect(reply).toMatchObject({ failure: { response: { body: text } } });
		},
	);

	it('that is large gives others a turn before it is used', async () => {
		let turns = 0;
		const bytes = Buffer.from(JSON.stringify({ data: many(10_000) }));
		const reply = exchanged(response(200, Readable.from([bytes])));
		const count = setInterval(() => (turns += 1), 0);
		await reply;
		clearInterval(count);
		expect(turns).toBeGreaterThan(0);
	});

	it('has at most 100 MB; a larger one ends its connection', async () => {
		const block = Buffer.alloc(10_000_000);
		const endless = Readable.from(Array.from({ length: 11 }, () => block));
		const { asked, context } = helpers(response(200, endless));
		expect(await exchange(context, search)).toMatchObject({
			failure: { networkError: { code: 'ERR_TOO_LARGE' } },
		});
		expect(endless.destroyed).toBe(true);
		expect(asked[0].options.abortSignal).toMatchObject({ aborted: true });
	});

	it.each<[string, Error | undefined, string]>([
		['is closed', undefined, 'ECONNRESET'],
		['fails', Object.assign(new Error('broken'), { code: 'EPIPE' }), 'EPIPE'],
	])('is missing if its connection %s before its end', async (_, error, code) => {
		const body = new PassThrough();
		body.write('{"success":');
		const reply = exchanged(response(200, body));
		setImmediate(() => body.destroy(error));
		expect(await reply).toMatchObject({ failure: { networkError: { code } } });
	});

	const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
	const ofReset = { code: 'ECONNRESET', message: 'read ECONNRESET' };
	// As n8n before 2.0, which keeps no cause.
	const closed = Object.assign(new Error('closed'), { httpCode: 'ECONNRESET' });
	const blocked = 'The request was blocked because it resolves to a restricted IP address';
	const ofBlock = { code: 'ERR_BLOCKED_BY_N8N', message: blocked };

	it.each<[string, unknown, { code: string; message: string }]>([
		["n8n's SSRF protection, in the cause", new Error('', { cause: new Error(blocked) }), ofBlock],
		["n8n's SSRF protection", new Error(blocked), ofBlock],
		['the code, in the cause', new Error('n8n says', { cause: reset }), ofReset],
		['the code', reset, ofReset],
		['the code of n8n before 2.0', closed, { code: 'ECONNRESET', message: 'closed' }],
		['no code', new Error('broken'), { code: 'UNKNOWN', message: 'broken' }],
		['no error', 'broken', { code: 'UNKNOWN', message: 'no response' }],
	])('is missing with %s', async (_, error, networkError) => {
		expect(await exchanged(lost(error))).toEqual({ failure: { networkError } });
	});
});

describe('A response that does not end', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it('is given up after the longest wait, counted from the request', async () => {
		const body = new PassThrough();
		body.write('{"success":');
		const begun = async () =>
			await new Promise<unknown>((resolve) =>
				setTimeout(() => resolve({ statusCode: 200, headers: {}, body }), 15_000),
			);

		const reply = exchanged(begun, { ...statusRequest, longestWait: 20_000 });
		await jest.advanceTimersByTimeAsync(19_999);
		expect(body.destroyed).toBe(false);
		await jest.advanceTimersByTimeAsync(1);

		expect(body.destroyed).toBe(true);
		expect(await reply).toMatchObject({ failure: { networkError: { code: 'ECONNABORTED' } } });
	});

	it.each(['too late', 'stopped'])('ends its connection if it is %s', async (why) => {
		const stop = new AbortController();
		const body = Readable.from(
			(async function* () {
				yield Buffer.from('{"success":');
				await new Promise(() => undefined);
			})(),
			{ objectMode: false },
		);
		const { asked, context } = helpers(response(200, body));
		Object.assign(context, { getExecutionCancelSignal: () => stop.signal });

		const reply = exchange(context, statusRequest);
		await jest.advanceTimersByTimeAsync(1);
		const { abortSignal } = asked[0].options;
		expect(abortSignal).toMatchObject({ aborted: false });
		if (why === 'stopped') stop.abort();
		await jest.advanceTimersByTimeAsync(300_000);

		expect(await reply).toMatchObject({ failure: { networkError: {} } });
		expect(abortSignal).toMatchObject({ aborted: true });
	});
});
