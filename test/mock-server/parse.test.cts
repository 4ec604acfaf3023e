import type { Document } from './scrape/document.cjs';
import { useService } from '../useService.cjs';
import type { Service } from './service.cjs';
import { keys } from './teams.cjs';
import { type Answered, request } from './testClient.cjs';

let service: Service;
useService((started) => (service = started), { keyless: true });

type Parsed = Answered<{ data: Document }>;
type Content = string | Buffer;

/** Sends a file with its options; `null` as key: without one. */
async function parse(
	name: string,
	content: Content,
	options?: unknown,
	{
		key = keys.full,
		type = 'application/octet-stream',
	}: { key?: string | null; type?: string } = {},
): Promise<Parsed> {
	const form = new FormData();
	if (options !== undefined) form.append('options', JSON.stringify(options));
	const bytes = typeof content === 'string' ? content : new Uint8Array(content);
	form.append('file', new Blob([bytes], { type }), name);
	return send(form, key);
}

async function send(form: FormData, key: string | null = keys.full): Promise<Parsed> {
	const headers = key === null ? undefined : { authorization: `Bearer ${key}` };
	const response = await fetch(`${service.url}/v2/parse`, { method: 'POST', body: form, headers });
	const text = await response.text();
	const body = JSON.parse(text) as Parsed['body'];
	return { status: response.status, headers: response.headers, text, body };
}

const page =
	'<html lang="en"><head><title>Fees</title></head><body><header>Menu</header><main>' +
	'<h1>Harbour fees</h1><p>A berth costs 12 euros. Write to office@portoffice.example.</p>' +
	'<a href="https://portoffice.example/visit">Visit</a><a href="/inside">Inside</a>' +
	'<img src="https://portoffice.example/map.png" alt="Map" data-scale="2"></main></body></html>';

describe('a PDF', () => {
	test.each([
		[
			'of lines: Name: value',
			'emberroast.example/account/invoice-2041.pdf',
			{ invoiceNumber: 'ER-2041', supplier: 'Ember Roast', currency: 'GBP', total: 287.88 },
		],
		[
			'of rows of a table, on two pages',
			'relayworks.example/admin/invoice-0093.pdf',
			{
				invoiceNumber: 'RW-2026-0093',
				supplier: 'Relayworks Inc.',
				currency: 'USD',
				total: 441,
			},
		],
	])('%s, is read line by line', async (_how, path, json) => {
		const { body: file } = await service.site.render(`https://${path}`);
		const properties = Object.fromEntries(
			Object.entries(json).map(([name, value]) => [name, { type: typeof value }]),
		);
		const schema = { type: 'object', properties };
		const { body } = await parse('invoice.pdf', file, { formats: [{ type: 'json', schema }] });
		expect(body.data).toMatchObject({ json });
	});
});

describe('what is refused', () => {
	test.each([
		['photo.png', 'UNSUPPORTED_FILE_TYPE'],
		['old.doc', 'UNSUPPORTED_FILE_TYPE'],
		['program.exe', 'UNSUPPORTED_FILE_TYPE'],
		['noextension', 'UNSUPPORTED_FILE_TYPE'],
	])('%s', async (name, code) => {
		const { status, body } = await parse(name, 'x');
		expect([status, body.code]).toEqual([400, code]);
	});

	test.each<[string, Record<string, unknown>]>([
		['an action', { actions: [{ type: 'scrape' }] }],
		['a wait', { waitFor: 100 }],
		['a place', { location: { country: 'DE' } }],
		['another proxy', { proxy: 'enhanced' }],
		['a screenshot', { formats: ['markdown', 'screenshot'] }],
		['change tracking', { formats: ['markdown', { type: 'changeTracking' }] }],
	])('%s: PARSE_UNSUPPORTED_OPTIONS', async (_name, options) => {
		const { status, body } = await parse('a.html', page, options);
		expect([status, body.code]).toEqual([400, 'PARSE_UNSUPPORTED_OPTIONS']);
	});

	test('the file itself, in words of its own', async () => {
		const { status, body } = await parse('a.html', page, { formats: ['rawBase64'] });
		const error = 'The rawBase64 format is not supported for parse uploads';
		expect([status, body.error]).toEqual([400, error]);
	});

	test.each<[string, unknown]>([
		['an unknown option', { colour: 'red' }],
		['a wrong type', { onlyMainContent: 'yes' }],
		['null', { timeout: null }],
		['a list', []],
		['a JSON format without schema and prompt', { formats: [{ type: 'json' }] }],
	])('%s', async (_name, options) => {
		const { status, body } = await parse('a.html', page, options);
		expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
	});

	test('an empty file, one over 50 MB, one that is not what its name says', async () => {
		expect((await parse('a.html', '')).body).toMatchObject({
			error: expect.stringContaining('empty'),
		});
		const large = await parse('a.html', Buffer.alloc(50 * 1024 * 1024 + 1, 32));
		expect([large.status, large.body.error]).toEqual([400, expect.stringContaining('50 MB')]);
		const broken = await parse('a.docx', 'not a ZIP container');
		expect([broken.status, broken.body.code]).toEqual([500, 'SCRAPE_UNSUPPORTED_FILE_ERROR']);
		expect(service.ledger.entries).toEqual([]);
	});

	test('forms that are none', async () => {
		const only = new FormData();
		only.append('options', '{}');
		expect((await send(only)).status).toBe(400);

		const broken = new FormData();
		broken.append('options', '{');
		broken.append('file', new Blob([page]), 'a.html');
		expect((await send(broken)).status).toBe(400);

		const fields = new FormData();
		fields.append('file', new Blob([page]), 'a.html');
		fields.append('onlyMainContent', 'true');
		expect((await send(fields)).status).toBe(400);

		const twice = new FormData();
		twice.append('file', new Blob([page]), 'a.html');
		twice.append('file', new Blob([page]), 'b.html');
		expect((await send(twice)).status).toBe(400);

		const asText = new FormData();
		asText.append('file', page);
		expect((await send(asText)).status).toBe(400);
	});

	test('zero data retention without the feature, no credits, a key of another scope', async () => {
		const asked = { zeroDataRetention: true };
		expect((await parse('a.html', page, asked, { key: keys.plain })).status).toBe(403);
		expect((await parse('a.html', page, {}, { key: keys.empty })).status).toBe(402);
		expect((await parse('a.html', page, {}, { key: keys.scrapeOnly })).status).toBe(403);
	});

	test('the request’s own timeout is kept', async () => {
		service.clock.hold();
		service.faults.add({ kind: 'delay', path: '/v2/parse', stage: 'during', delayMs: 60_000 });
		const late = parse('a.html', page, { timeout: 2000 });
		await service.clock.untilWaiting(2);
		await service.clock.advance(2000);
		expect((await late).body).toMatchObject({ success: false, code: 'SCRAPE_TIMEOUT' });
		expect(service.ledger.entries).toEqual([]);
	});
});

describe('price and retention', () => {
	test('one credit per PDF page, extras as for pages, one more for zero retention', async () => {
		const { body: pdf } = await service.site.render(
			'https://tidewatch.example/reports/annual-report.pdf',
		);
		const { body } = await parse('r.pdf', pdf);
		const pages = Number(body.data.metadata.totalPages);
		expect(body.data.metadata.creditsUsed).toBe(pages);
		await parse('a.html', page, {
			formats: [{ type: 'question', question: 'Why?' }],
			redactPII: true,
			zeroDataRetention: true,
		});
		expect(service.ledger.entries.map(({ credits }) => credits)).toEqual([pages, 1 + 4 + 4 + 1]);
	});

	test('the free tier parses without a key', async () => {
		expect((await parse('a.html', page, {}, { key: null })).status).toBe(200);
	});
});

describe('uploads', () => {
	interface Grant {
		uploadUrl: string;
		uploadRef: string;
		method: string;
		headers: Record<string, string>;
		fields?: Record<string, string>;
		expiresAt: string;
		maxSizeBytes: number;
	}
	const size = Buffer.byteLength(page);
	const wanted = { filename: 'fees.html', contentType: 'text/html', declaredSizeBytes: size };

	const grant = (body: unknown = wanted, key: string | null = keys.full) =>
		request<{ data: Grant }>(service, 'POST', '/v2/parse/upload-url', body, key);
	const put = (
		{ uploadUrl, method, headers }: Grant,
		body: string = page,
		extra: Record<string, string> = {},
	) => fetch(uploadUrl, { method, headers: { ...headers, ...extra }, body });
	const parseRef = (uploadRef: string, options = {}, key: string = keys.full) =>
		request<{ data: Document }>(service, 'POST', '/v2/parse', { uploadRef, ...options }, key);

	test('the key must not go there', async () => {
		const { data } = (await grant()).body;
		const { status } = await put(data, page, { authorization: `Bearer ${keys.full}` });
		expect(status).toBe(400);
		expect(service.context.uploads.attempts).toMatchObject([{ authorization: true, status: 400 }]);
		expect((await parseRef(data.uploadRef)).body.error).toMatch(/not been uploaded/);
	});

	test('another size, another type, too late, an unknown place', async () => {
		service.clock.hold();
		const { data } = (await grant()).body;
		expect((await put(data, `${page} `)).status).toBe(400);
		expect((await put(data, page, { 'Content-Type': 'text/plain' })).status).toBe(403);
		expect((await put({ ...data, uploadUrl: `${data.uploadUrl}0` })).status).toBe(403);
		expect((await put({ ...data, method: 'POST' })).status).toBe(405);
		await service.clock.advance(600_000);
		expect((await put(data)).status).toBe(403);
	});

	test('another team’s upload, no storage, wrong requests', async () => {
		const { data } = (await grant()).body;
		await put(data);
		expect((await parseRef(data.uploadRef, {}, keys.plain)).status).toBe(403);
		expect((await parseRef('nothing')).status).toBe(404);
		expect((await parseRef(data.uploadRef, { actions: [] })).body.code).toBe(
			'PARSE_UNSUPPORTED_OPTIONS',
		);
		expect((await grant({ filename: 'a.exe' })).body.code).toBe('UNSUPPORTED_FILE_TYPE');
		expect((await grant({ ...wanted, declaredSizeBytes: 50 * 1024 * 1024 + 1 })).status).toBe(400);
		expect((await grant({ filename: '' })).status).toBe(400);
		expect((await grant({ ...wanted, size: 1 })).status).toBe(400);
		expect((await grant(wanted, null)).status).toBe(401);
	});

	test('ten that were never parsed, per day', async () => {
		service.clock.hold();
		for (let count = 0; count < 10; count++) expect((await grant()).status).toBe(200);
		const { status, body } = await grant();
		expect([status, body.code]).toEqual([429, 'PARSE_UPLOAD_UNPARSED_LIMIT_REACHED']);
		expect((await grant(wanted, keys.plain)).status).toBe(200);
		await service.clock.advance(86_400_000);
		expect((await grant()).status).toBe(200);
	});
});
