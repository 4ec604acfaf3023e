import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';

import type { FaultInput } from '../../mock-server/faults.cjs';
import { startForeignHost } from '../../mock-server/loopback.cjs';
import { startService } from '../../mock-server/service.cjs';
import { useDrivenTime } from '../drivenTime.cjs';
import { type SearchOptions, useTestBed } from '../testBed.cjs';
import { inMemory, itemWith, page, stored } from './inputFiles.cjs';

const html = '<h1>Harbour fees</h1><p>A berth costs 12 euros.</p>';

/** The upload to an address of its own, and then the request that names it. */
describe('a file that is uploaded first', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const separate: INodeParameters = { uploadMethod: 'presigned' };
	const begin = (parameters: INodeParameters = {}, options: SearchOptions = {}) =>
		testBed.begin(
			'file',
			'parse',
			{ binaryPropertyName: 'data', additionalFields: separate, ...parameters },
			{ input: [page(html)], ...options },
		);
	const parse = async (parameters?: INodeParameters, options?: SearchOptions) =>
		await time.drive(begin(parameters, options).done);
	const requests = () => testBed.service.log.entries.map(({ path }) => path);
	const wholeWay = ['/v2/parse/upload-url', '/v2/parse'];
	const attempts = () => testBed.service.context.uploads.attempts;

	/** Where the service wants the file, in place of its own upload host. */
	const wanted = (data: object): FaultInput => ({
		kind: 'status',
		status: 200,
		path: '/v2/parse/upload-url',
		body: { success: true, data: { uploadRef: 'upload_1', ...data } },
	});

	const closedHost = async () => {
		const { url, close } = await startService();
		await close();
		return url;
	};

	describe.each<['PUT' | 'POST', number]>([
		['PUT', 200],
		['POST', 204],
	])('by %s', (method, status) => {
		it.each<[string, () => Promise<INodeExecutionData> | INodeExecutionData]>([
			['in memory', () => page(html)],
			['on disk', async () => itemWith(await stored('fees.html', 'text/html', Buffer.from(html)))],
		])('arrives whole and without the key (%s)', async (_place, item) => {
			testBed.service.context.uploads.method = method;
			const account = testBed.account();

			const run = await parse({}, { account, input: [await item()] });

			expect(run.error).toBeUndefined();
			expect(run.output()[0].json.markdown).toMatch(/^# Harbour fees/);
			expect(run.output()[0].json.metadata).toMatchObject({ sourceURL: 'fees.html' });
			expect(requests()).toEqual(wholeWay);
			expect(attempts()).toMatchObject([{ method, authorization: false, status }]);
			expect(JSON.stringify(attempts())).not.toContain(account.key);
			expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
		});
	});

	it('is announced by name, type and size, and named with the options at top level', async () => {
		await parse({
			formats: ['links'],
			additionalFields: { ...separate, onlyMainContent: false, timeout: 20_000 },
		});

		const [announced, named] = testBed.service.log.entries.map(({ body }) => body);
		expect(announced).toEqual({
			filename: 'fees.html',
			contentType: 'text/html',
			declaredSizeBytes: html.length,
		});
		expect(named).toEqual({
			uploadRef: expect.stringMatching(/^upload_/),
			formats: [{ type: 'links' }],
			onlyMainContent: false,
			timeout: 20_000,
		});
	});

	it('goes out under the headers that the service prescribes', async () => {
		const foreign = await startForeignHost();
		const headers = { 'Content-Type': 'application/octet-stream', 'x-amz-meta-team': '1' };
		testBed.service.faults.add(
			wanted({ uploadUrl: `${foreign.url}/up?sig=1`, method: 'PUT', headers }),
		);

		await parse();

		const sent = { 'content-type': 'application/octet-stream', 'x-amz-meta-team': '1' };
		expect(foreign.requests).toMatchObject([
			{ method: 'PUT', path: '/up?sig=1', headers: sent, body: html },
		]);
		await foreign.close();
	});

	it('leaves the secrets nowhere', async () => {
		const { key, credentials } = testBed.account();
		const webhookSecret = 'whsec-ca9a91-c0ffee';
		const account = { credentials: { webDataApi: { ...credentials.webDataApi, webhookSecret } } };
		const foreign = await startForeignHost();
		const uploadUrl = `${foreign.url}/up`;
		testBed.service.faults.add(wanted({ uploadUrl, method: 'POST', fields: { policy: 'p' } }));

		const good = await parse({}, { account });
		const bad = await parse(
			{ additionalFields: { ...separate, zeroDataRetention: true } },
			{ account },
		);

		const everything = [good, bad, foreign.requests, attempts()]
			.map((part) => inspect(part, { depth: Infinity, showHidden: true, maxStringLength: null }))
			.join('\n');
		expect(everything).toContain('policy');
		expect([key, webhookSecret].filter((secret) => everything.includes(secret))).toEqual([]);
		await foreign.close();
	});

	it('is uploaded again when the connection was closed, and the address is asked for again', async () => {
		testBed.service.faults.add(
			{ kind: 'reset', stage: 'after', path: '/v2/parse/upload-url' },
			{ kind: 'status', status: 502, path: '/v2/parse' },
		);

		const run = await parse();

		expect(run.status).toBe('success');
		expect(requests()).toEqual([
			'/v2/parse/upload-url',
			'/v2/parse/upload-url',
			'/v2/parse',
			'/v2/parse',
		]);
		expect(attempts()).toHaveLength(1);
	});

	it('is not paid twice when the answer was lost', async () => {
		const account = testBed.account();
		testBed.service.faults.add({ kind: 'reset', stage: 'after', path: '/v2/parse' });

		const run = await parse({}, { account });

		expect(run.error?.description).toMatch(/may have been processed and charged/);
		expect(requests()).toEqual(wholeWay);
		expect(testBed.service.ledger.spent(account.team.id)).toBe(1);
	});

	it.each<[string, () => string | Promise<string>, RegExp, string[]]>([
		['an address that has expired', () => `${testBed.service.url}/v2/up`, /HTTP 403/, ['/v2/up']],
		['a host that is down', closedHost, /ECONNREFUSED/, []],
	])('to %s is an error that names the host, not the key', async (_name, address, why, seen) => {
		const uploadUrl = await address();
		testBed.service.faults.add(wanted({ uploadUrl, method: 'PUT' }), {
			kind: 'status',
			status: 403,
			path: '/v2/up',
			body: '<Code>ExpiredToken</Code>',
		});

		const run = await parse();

		expect(run.error?.message).toMatch(/^The file could not be uploaded to /);
		expect(run.error?.message).toMatch(why);
		expect(run.error?.message).toContain(new URL(uploadUrl).host);
		expect(run.error?.message).not.toContain('ExpiredToken');
		expect(run.error?.description).toMatch(/Nothing was charged.*'Upload Method'/);
		expect(run.error?.description).not.toMatch(/API Key|scopes|credential/);
		expect(requests()).toEqual(['/v2/parse/upload-url', ...seen]);
	});

	it.each([[{}], [{ uploadUrl: '' }], [{ uploadUrl: 'file:///etc/passwd' }], [{ uploadUrl: 5 }]])(
		'to no address is an error: %j',
		async (data) => {
			testBed.service.faults.add(wanted(data));

			const run = await parse();

			expect(run.error?.message).toMatch(/returned no URL for the upload/);
			expect(requests()).toEqual(['/v2/parse/upload-url']);
		},
	);

	it('is no redirect followed with', async () => {
		const foreign = await startForeignHost();
		testBed.service.faults.add(
			wanted({ uploadUrl: `${testBed.service.url}/v2/up`, method: 'PUT' }),
			{
				kind: 'redirect',
				path: '/v2/up',
				location: foreign.url,
			},
		);

		const run = await parse();

		expect(run.error?.message).toMatch(/could not be uploaded.*redirects/);
		expect(run.error?.description).not.toMatch(/Base URL/);
		expect(foreign.requests).toEqual([]);
		await foreign.close();
	});

	it('ends at once when the execution is stopped', async () => {
		testBed.service.faults.add(
			wanted({ uploadUrl: `${testBed.service.url}/v2/up`, method: 'PUT' }),
			{
				kind: 'status',
				status: 503,
				path: '/v2/up',
				count: 9,
			},
		);
		const execution = begin();
		await time.until(() => requests().includes('/v2/up'));
		await time.untilPaused();
		execution.cancel();

		const run = await execution.done;

		expect(run.status).toBe('canceled');
		expect(requests()).toEqual(['/v2/parse/upload-url', '/v2/up']);
	});
});

/** A file with the request, sent again. */
describe('a file that is sent again', () => {
	const testBed = useTestBed();
	const time = useDrivenTime(() => testBed.service);
	const parse = async (input: INodeExecutionData[], retries: INodeParameters = {}) =>
		await time.drive(
			testBed.run('file', 'parse', { binaryPropertyName: 'data', retries }, { input }),
		);
	const forms = () => testBed.service.log.of('POST', '/v2/parse').map(({ body }) => body);

	it.each<[string, () => Promise<INodeExecutionData> | INodeExecutionData]>([
		['in memory', () => itemWith(inMemory('fees.html', 'text/html', html))],
		['on disk', async () => itemWith(await stored('fees.html', 'text/html', Buffer.from(html)))],
	])('is sent whole each time (%s)', async (_place, item) => {
		testBed.service.faults.add(
			{ kind: 'html', status: 502 },
			{ kind: 'status', status: 429, retryAfter: 9 },
			{ kind: 'status', status: 500 },
		);

		const run = await parse([await item()]);

		expect(run.status).toBe('success');
		expect(forms()).toHaveLength(4);
		for (const form of forms()) expect(form).toEqual(forms()[0]);
		expect(JSON.stringify(forms()[0])).toContain(`"bytes":${html.length}`);
		expect(testBed.service.ledger.entries).toHaveLength(1);
	});

	it('is sent whole while the service reads a large one, with a time limit of its own', async () => {
		const details = { state: 'processing_continues', retryAfterSeconds: 120 };
		const body = { success: false, error: 'Still at work.', details };
		testBed.service.faults.add({ kind: 'status', status: 408, body, count: 3 });

		const run = await parse([page(html)], { maxTries: 1, maxRetryTime: 1 });

		expect(run.status).toBe('success');
		expect(forms()).toHaveLength(4);
		for (const form of forms()) expect(form).toEqual(forms()[0]);
		const [first, , , last] = testBed.service.log.of('POST', '/v2/parse');
		expect(Math.floor((last.at - first.at) / 1000)).toBe(360);
	});
});
