import { PassThrough, Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { exchange, type HttpFunctions } from '../../../../nodes/runtime/http/client';
import { download } from '../../../../nodes/runtime/http/download';
import { asRequest } from '../../requests.cjs';

/** n8n's HTTP helpers, which note what they are asked for and give these answers, the last one for ever. */
function helpers(...answers: Array<() => Promise<unknown>>) {
	const asked: Array<{ credential?: string; options: IHttpRequestOptions }> = [];
	const answer = async () => await answers[Math.min(asked.length, answers.length) - 1]();
	const context = {
		getCredentials: async () => await Promise.resolve({}),
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				asked.push({ options });
				return await answer();
			},
			httpRequestWithAuthentication: async (credential: string, options: IHttpRequestOptions) => {
				asked.push({ credential, options });
				return await answer();
			},
		},
	} as unknown as HttpFunctions;
	return { asked, context };
}

const response =
	(statusCode: number, body: unknown, headers: Record<string, unknown> = {}) =>
	async () =>
		await Promise.resolve({ statusCode, headers, body });

const search = asRequest({ method: 'POST', path: '/search', body: { query: 'x' } });

const statusRequest = asRequest({ method: 'GET', path: '/agent/7' });

describe('an exchange with the API', () => {
	it("reads the network's code where n8n keeps no cause, as before 2.0", async () => {
		const closed = new Error('The connection to the server was closed unexpectedly');
		const lost = Object.assign(closed, { httpCode: 'ECONNRESET' });
		const { context } = helpers(async () => await Promise.reject(lost));

		expect(await exchange(context, search)).toMatchObject({
			failure: { networkError: { code: 'ECONNRESET' } },
		});
	});

	it('lets an answer go that is not whole after the longest wait, counted from the request', async () => {
		jest.useFakeTimers();
		const body = new PassThrough();
		body.write('{"success":');
		const begun = async () =>
			await new Promise<unknown>((resolve) =>
				setTimeout(() => resolve({ statusCode: 200, headers: {}, body }), 15_000),
			);
		const { context } = helpers(begun);

		const reply = exchange(context, { ...statusRequest, longestWait: 20_000 });
		await jest.advanceTimersByTimeAsync(19_999);
		expect(body.destroyed).toBe(false);
		await jest.advanceTimersByTimeAsync(1);

		expect(body.destroyed).toBe(true);
		expect(await reply).toMatchObject({ failure: { networkError: { code: 'ECONNABORTED' } } });
		jest.useRealTimers();
	});

	it.each(['too late', 'stopped'])('ends the connection of an answer that is %s', async (why) => {
		jest.useFakeTimers();
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
		jest.useRealTimers();
	});

	it.each(['/monitor/../checks/1', '/agent/..', '/agent/.', '/agent/%2E%2e/x', '/x/.%2e?a=1'])(
		'does not go where %s leads',
		async (path) => {
			const { asked, context } = helpers(response(200, { success: true }));

			const reply = await exchange(context, asRequest({ method: 'GET', path }));

			expect(asked).toEqual([]);
			expect(reply).toMatchObject({ failure: { networkError: { code: 'ERR_INVALID_PATH' } } });
		},
	);

	it.each(['/agent/...', '/papers/doi%3A10.1%2F..%2Fx', '/agent?before=../..', '/a/.b/..c'])(
		'goes to %s',
		async (path) => {
			const { asked, context } = helpers(response(200, { success: true }));

			await exchange(context, asRequest({ method: 'GET', path }));

			expect(asked.map(({ options }) => options.url)).toEqual([path]);
		},
	);

	it('answers no number where the service does not know the credits', async () => {
		const { context } = helpers(response(200, { success: true, creditsUsed: -1 }));

		expect(await exchange(context, search)).toMatchObject({
			success: { body: { success: true, creditsUsed: null } },
		});
	});

	it('goes through the credential and follows no redirect', async () => {
		const { asked, context } = helpers(response(200, { success: true }));
		const headers = { 'x-request-id': '1' };
		await exchange(context, { ...search, headers, query: { a: ['b', 'c'] } });
		expect(asked).toMatchObject([
			{
				credential: 'webDataApi',
				options: {
					method: 'POST',
					url: '/search',
					body: '{"query":"x"}',
					qs: { a: ['b', 'c'] },
					headers: { ...headers, 'Content-Type': 'application/json' },
					disableFollowRedirect: true,
				},
			},
		]);
	});

	it.each([
		[undefined, 300_000],
		[60_000, 300_000],
		[400_000, 430_000],
	])("waits longer than the service's own time of %s", async (serviceTimeout, timeout) => {
		const { asked, context } = helpers(response(200, { success: true }));
		await exchange(context, { ...search, serviceTimeout });
		expect(asked[0].options.timeout).toBe(timeout);
	});

	it.each<[string, number, unknown]>([
		['JSON', 200, { success: true, data: {} }],
		['JSON without flag', 200, { status: 'cancelled' }],
		['a list', 200, []],
		['created', 201, { id: 'x' }],
	])('succeeds with %s', async (_, status, body) => {
		const { context } = helpers(response(status, body, { 'x-a': '1' }));
		expect(await exchange(context, search)).toEqual({
			success: { status, headers: { 'x-a': '1' }, body },
			size: 0,
		});
	});

	it.each<[string, number, unknown]>([
		['a 200 that says it failed', 200, { success: false, error: 'x' }],
		['a 200 of HTML', 200, '<html></html>'],
		['a 200 of broken JSON', 200, '{"success": tr'],
		['an empty 200', 200, ''],
		['null', 200, null],
		['a redirect', 302, ''],
		['a refusal', 429, { success: false }],
		['a gateway page', 502, '<html></html>'],
	])('fails with %s', async (_, status, body) => {
		const { context } = helpers(response(status, body));
		expect(await exchange(context, search)).toEqual({
			failure: { response: { status, headers: {}, body } },
		});
	});

	it.each<[string, string, unknown]>([
		['JSON', '{"success":true}', { success: true }],
		['JSON after a byte order mark', '\ufeff{"success":true}', { success: true }],
		['text', 'Bad gateway', 'Bad gateway'],
		['nothing', '', ''],
	])('reads %s from the bytes that come', async (_, text, body) => {
		const { asked, context } = helpers(response(200, Readable.from([Buffer.from(text)])));

		const reply = await exchange(context, search);

		expect(asked[0].options.encoding).toBe('stream');
		expect(reply).toMatchObject(
			typeof body === 'string' ? { failure: { response: { body } } } : { success: { body } },
		);
	});

	it('is a network error when the answer is larger than 100 MB', async () => {
		const block = Buffer.alloc(10_000_000);
		const endless = Readable.from(Array.from({ length: 11 }, () => block));
		const { context } = helpers(response(200, endless));

		expect(await exchange(context, search)).toMatchObject({
			failure: { networkError: { code: 'ERR_TOO_LARGE' } },
		});
	});

	const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
	const ofReset = { code: 'ECONNRESET', message: 'read ECONNRESET' };

	/** As n8n's SSRF protection words it. */
	const blocked = 'The request was blocked because it resolves to a restricted IP address';
	const ofBlock = { code: 'ERR_BLOCKED_BY_N8N', message: blocked };

	it.each<[string, unknown, { code: string; message: string }]>([
		[
			"n8n's SSRF protection in the cause",
			new Error('n8n', { cause: new Error(blocked) }),
			ofBlock,
		],
		["n8n's SSRF protection", new Error(blocked), ofBlock],
		["the network's code in the cause", new Error('n8n says', { cause: reset }), ofReset],
		['the code on the error', reset, ofReset],
		['no code', new Error('broken'), { code: 'UNKNOWN', message: 'broken' }],
		['no error at all', 'broken', { code: 'UNKNOWN', message: 'no response' }],
	])('is a network error with %s', async (_, error, networkError) => {
		const { context } = helpers(async () => await Promise.reject(error));
		expect(await exchange(context, search)).toEqual({ failure: { networkError } });
	});
});

describe('a download', () => {
	const picture = 'https://files.example/s.png';

	it('takes no credential along', async () => {
		const headers = { 'content-type': 'image/png' };
		const body = Buffer.from('x');
		const { asked, context } = helpers(response(200, body, headers));
		const success = { status: 200, headers, body };
		expect(await download(context, picture, 1)).toEqual({ success });
		expect(asked).toHaveLength(1);
		expect(asked[0].credential).toBeUndefined();
		expect(asked[0].options.url).toBe(picture);
		expect(asked[0].options.headers).toBeUndefined();
	});

	it.each<[string, string]>([
		['JSON', '{"error":"Link expired"}'],
		['text', 'No such file'],
		['nothing', ''],
	])("fails without the host's words, given as %s", async (_, content) => {
		const headers = { 'retry-after': '7', location: 'https://words.example' };
		const { context } = helpers(response(404, Buffer.from(content), headers));
		const body = { error: 'The host returned an error' };
		expect(await download(context, picture, 1)).toEqual({
			failure: { response: { status: 404, headers: { 'retry-after': '7' }, body } },
		});
	});

	it.each([
		'http://10.0.0.7/s.png',
		'http://localhost:5678/rest/settings',
		'http://[::1]/s.png',
		'http://169.254.169.254/latest/meta-data',
		'http://metadata.google.internal/',
		'file:///etc/passwd',
	])('asks no private address: %s', async (url) => {
		const { asked, context } = helpers(response(200, Buffer.from('x')));
		expect(await download(context, url, 1)).toMatchObject({
			failure: { networkError: { code: 'ERR_PRIVATE_ADDRESS' } },
		});
		expect(asked).toEqual([]);
	});

	it('asks one in the network of the service, but none that hands out a machine’s rights', async () => {
		const { asked, context } = helpers(response(200, Buffer.from('x')));
		const own = 'http://10.0.0.7/s.png';
		expect(await download(context, own, 1, true)).toHaveProperty('success');
		for (const host of ['169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal']) {
			expect(await download(context, `http://${host}/`, 1, true)).toHaveProperty(
				'failure.networkError',
			);
		}
		expect(asked.map(({ options }) => options.url)).toEqual([own]);
	});

	describe('that is redirected', () => {
		const to = (location: unknown, status = 302) => response(status, '', { location });
		const file = response(200, Buffer.from('x'));
		const urls = ({ asked }: ReturnType<typeof helpers>) => asked.map(({ options }) => options.url);

		it.each([301, 302, 303, 307, 308])('follows, and reads what is there: %i', async (status) => {
			const given = helpers(to('/b/s.png', status), to('http://other.example/c', status), file);
			expect(await download(given.context, 'https://files.example/a/s.png', 1)).toMatchObject({
				success: { status: 200, body: Buffer.from('x') },
			});
			expect(urls(given)).toEqual([
				'https://files.example/a/s.png',
				'https://files.example/b/s.png',
				'http://other.example/c',
			]);
			expect(given.asked.every(({ options }) => options.disableFollowRedirect)).toBe(true);
		});

		it.each([
			'http://127.0.0.1:5678/',
			'http://169.254.169.254/',
			'//localhost/',
			'ftp://a.example/',
		])('follows to no private address: %s', async (location) => {
			const given = helpers(response(302, '', { location }), file);
			expect(await download(given.context, picture, 1)).toMatchObject({
				failure: { networkError: { code: 'ERR_PRIVATE_ADDRESS' } },
			});
			expect(given.asked).toHaveLength(1);
		});

		it('follows five times at the most', async () => {
			const given = helpers(to('/again'));
			expect(await download(given.context, picture, 1)).toMatchObject({
				failure: { response: { status: 302 } },
			});
			expect(given.asked).toHaveLength(6);
		});

		it.each([undefined, '', 'http://', 5])('fails where it leads nowhere: %j', async (location) => {
			const given = helpers(to(location), file);
			expect(await download(given.context, picture, 1)).toHaveProperty('failure');
			expect(given.asked).toHaveLength(1);
		});
	});

	it('is no larger than allowed', async () => {
		const file = () => Readable.from([Buffer.alloc(1_000_001)]);

		const small = helpers(response(200, file()));
		const large = helpers(response(200, file()));

		const message = 'the response is larger than 1 MB';
		expect(await download(large.context, picture, 1)).toEqual({
			failure: { networkError: { code: 'ERR_TOO_LARGE', message } },
		});
		expect(await download(small.context, picture, 2)).toMatchObject({ success: { status: 200 } });
	});

	it('fails when what came are no bytes', async () => {
		const { context } = helpers(response(200, { not: 'bytes' }));
		expect(await download(context, picture, 1)).toMatchObject({
			failure: { response: { status: 200, body: { error: expect.any(String) as string } } },
		});
	});

	it('is a network error when no answer came', async () => {
		const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
		const { context } = helpers(async () => await Promise.reject(lost));
		expect(await download(context, picture, 1)).toEqual({
			failure: { networkError: { code: 'ECONNRESET', message: 'read ECONNRESET' } },
		});
	});
});
