import {
	bookFile,
	openDocumentFile,
	presentationFile,
	wordFile,
	workbookFile,
} from '../site/officeFiles.cjs';
import { request, type Answered } from './request.cjs';
import type { Document } from './scrape/document.cjs';
import { startService, type Service } from './service.cjs';
import { keys } from './teams.cjs';

let service: Service;
beforeAll(async () => {
	service = await startService({ keyless: true });
});
afterAll(() => service.close());
beforeEach(() => service.reset());

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

describe('what comes out', () => {
	test('markdown by default, of the main content', async () => {
		const { status, body } = await parse('fees.html', page, undefined, { type: 'text/html' });
		expect([status, body.success]).toEqual([200, true]);
		expect(body.data.markdown).toContain('# Harbour fees');
		expect(body.data.markdown).not.toContain('Menu');
		expect(Object.keys(body.data)).toEqual(['markdown', 'metadata']);
		expect(body.data.metadata).toMatchObject({
			title: 'Fees',
			sourceURL: 'fees.html',
			statusCode: 200,
			contentType: 'text/html',
			creditsUsed: 1,
		});
	});

	test('every format that files have', async () => {
		const { body } = await parse('fees.html', page, {
			formats: [
				'html',
				'rawHtml',
				'links',
				'images',
				'summary',
				{ type: 'json', schema: { type: 'object', properties: { title: { type: 'string' } } } },
				{ type: 'attributes', selectors: [{ selector: 'img', attribute: 'data-scale' }] },
				{ type: 'question', question: 'What does a berth cost?' },
				{ type: 'highlights', query: 'berth' },
			],
		});
		const { data } = body;
		expect(data.markdown).toBeUndefined();
		expect(data.html).toContain('<h1>Harbour fees</h1>');
		expect(data.rawHtml).toBe(page);
		expect(data.links).toEqual(['https://portoffice.example/visit']);
		expect(data.images).toEqual(['https://portoffice.example/map.png']);
		expect(data.summary).toContain('A berth costs 12 euros.');
		expect(data.json).toEqual({ title: 'Fees' });
		expect(data.attributes).toMatchObject([{ selector: 'img', values: ['2'] }]);
		expect(data.answer).toBe('A berth costs 12 euros.');
		expect(data.highlights).toContain('A berth costs 12 euros.');
	});

	test.each([
		['emberroast.example/account/invoice-2041.pdf', 'Ember Roast', 'ER-2041', '2026-02-27', 287.88],
		[
			'relayworks.example/admin/invoice-0093.pdf',
			'Relayworks Inc.',
			'RW-2026-0093',
			'2026-03-13',
			441,
		],
	])('what %s states by name, in its text or in a table', async (path, ...stated) => {
		const { body: pdf } = await service.site.render(`https://${path}`);
		const text = { type: 'string' };
		const properties = {
			supplier: text,
			invoiceNumber: text,
			invoice_date: text,
			total: { type: 'number' },
		};
		const formats = [{ type: 'json', schema: { type: 'object', properties } }];
		const { body } = await parse('invoice.pdf', pdf, { formats });
		expect(Object.values(body.data.json as object)).toEqual(stated);
	});

	test('tags, personal data', async () => {
		const { body } = await parse('fees.html', page, { includeTags: ['p'], redactPII: true });
		expect(body.data.markdown).toBe('A berth costs 12 euros. Write to <EMAIL>.');
	});

	test('a PDF, page by page, and whole as base64', async () => {
		const { body: pdf } = await service.site.render(
			'https://tidewatch.example/reports/annual-report.pdf',
		);
		const whole = await parse('report.pdf', pdf, {
			parsers: [{ type: 'pdf', pages: true, maxPages: 1 }],
		});
		expect(whole.body.data.metadata).toMatchObject({ numPages: 1, creditsUsed: 1 });
		expect(whole.body.data.metadata.totalPages).toBeGreaterThan(1);
		expect(whole.body.data.pages).toHaveLength(1);
		const raw = await parse('report.pdf', pdf, { parsers: [] });
		expect(raw.body.data.markdown).toBe(pdf.toString('base64'));
		expect(raw.body.data.metadata.creditsUsed).toBe(1);
	});

	const text = { title: 'Tide log', paragraphs: ['High water at 6.'] };
	const table = [
		['Port', 'Metres'],
		['Ansel', '5'],
	];
	const tableText = '| Port | Metres |\n| --- | --- |\n| Ansel | 5 |';
	test.each<[string, Content, string[]]>([
		[
			'log.docx',
			wordFile({ ...text, table, link: { text: 'Source', url: 'https://tidewatch.example/' } }),
			['# Tide log', 'High water at 6.', '[Source](https://tidewatch.example/)', tableText],
		],
		['log.odt', openDocumentFile({ ...text, table }), ['# Tide log', 'High water', tableText]],
		[
			'log.xlsx',
			workbookFile([
				{
					name: 'Heights',
					rows: [
						['Port', 'Metres'],
						['Ansel', 5],
					],
				},
				{ name: 'Notes', rows: [['None']] },
			]),
			['## Heights', tableText, '## Notes'],
		],
		['log.csv', 'Port,Metres\r\n"Ansel",5\r\n', [tableText]],
		[
			'log.pptx',
			presentationFile([{ title: 'Tide log', text: 'High water' }]),
			['## Tide log', 'High water'],
		],
		[
			'log.epub',
			bookFile('Tides', [
				{ title: 'First', text: 'High water' },
				{ title: 'Second', text: 'Low water' },
			]),
			['# First\n\nHigh water\n\n# Second\n\nLow water'],
		],
	])('%s', async (name, content, expected) => {
		const { status, body } = await parse(name, content);
		expect([status, body.error]).toEqual([200, undefined]);
		for (const part of expected) expect(body.data.markdown).toContain(part);
	});

	test('quoted fields of comma-separated text', async () => {
		const { body } = await parse('a.CSV', 'a,b\n"1, ""x""\nz",\n');
		expect(body.data.markdown).toContain('| 1, "x" z |  |');
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
		['the cache', { maxAge: 0 }],
		['another proxy', { proxy: 'enhanced' }],
		['a screenshot', { formats: ['markdown', 'screenshot'] }],
		['change tracking', { formats: ['markdown', { type: 'changeTracking' }] }],
		['the file itself', { formats: ['rawBase64'] }],
	])('%s: PARSE_UNSUPPORTED_OPTIONS', async (_name, options) => {
		const { status, body } = await parse('a.html', page, options);
		expect([status, body.code]).toEqual([400, 'PARSE_UNSUPPORTED_OPTIONS']);
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

	test('a parsed file can be read again by its id, unless nothing was to be kept', async () => {
		const kept = (await parse('a.html', page)).body.data;
		const again = await request<{ data: Document }>(
			service,
			'GET',
			`/v2/scrape/${kept.metadata.scrapeId}`,
		);
		expect(again.body.data).toEqual(kept);
		const gone = (await parse('a.html', page, { zeroDataRetention: true })).body.data;
		const none = await request(service, 'GET', `/v2/scrape/${gone.metadata.scrapeId}`);
		expect(none.status).toBe(400);
	});

	test('the free tier parses without a key', async () => {
		expect((await parse('a.html', page, {}, { key: null })).status).toBe(200);
	});
});

test('the formats say what can be read here', async () => {
	type Formats = { data: { formats: Array<{ extensions: string[]; available: boolean }> } };
	const { body } = await request<Formats>(service, 'GET', '/v2/parse/formats');
	const available = body.data.formats.filter((each) => each.available);
	expect(available.flatMap(({ extensions }) => extensions).sort()).toEqual(
		'.csv .docm .docx .epub .htm .html .odp .ods .odt .pdf .pptm .pptx .xhtml .xlsm .xlsx'.split(
			' ',
		),
	);
	expect(body.data.formats.length).toBeGreaterThan(available.length);
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

	test('PUT to a stranger, then parse', async () => {
		service.clock.hold();
		const { status, body } = await grant();
		expect([status, body.data.method, body.data.fields]).toEqual([200, 'PUT', undefined]);
		expect(new URL(body.data.uploadUrl).origin).not.toBe(service.url);
		expect(Date.parse(body.data.expiresAt)).toBe(service.clock.now() + 600_000);
		expect((await put(body.data)).status).toBe(200);
		const parsed = await parseRef(body.data.uploadRef, { formats: ['links'] });
		expect(parsed.body.data).toMatchObject({
			links: ['https://portoffice.example/visit'],
			metadata: { sourceURL: 'fees.html', contentType: 'text/html' },
		});
		expect(service.context.uploads.attempts).toMatchObject([
			{ method: 'PUT', authorization: false, bytes: size, status: 200 },
		]);
		expect((await parseRef(body.data.uploadRef)).status).toBe(404);
	});

	test('POST with fields', async () => {
		await request(service, 'POST', '/_control/uploads', { method: 'POST' });
		const { data } = (await grant()).body;
		const form = (order: Array<[string, string | Blob]>): FormData => {
			const made = new FormData();
			for (const [name, value] of order) made.append(name, value);
			return made;
		};
		const fields = Object.entries(data.fields ?? {});
		const file: [string, Blob] = ['file', new Blob([page], { type: 'text/html' })];
		const upload = (order: Array<[string, string | Blob]>) =>
			fetch(data.uploadUrl, { method: 'POST', body: form(order) });
		expect((await upload([file, ...fields])).status).toBe(403);
		expect((await upload([...fields.slice(1), file])).status).toBe(403);
		expect((await upload([...fields, ['extra', '1'], file])).status).toBe(403);
		expect((await upload([...fields, file])).status).toBe(204);
		expect((await parseRef(data.uploadRef)).body.data.markdown).toContain('# Harbour fees');
		const seen = await request<{ attempts: Array<{ status: number }> }>(
			service,
			'GET',
			'/_control/uploads',
		);
		expect(seen.body.attempts.map(({ status }) => status)).toEqual([403, 403, 403, 204]);
	});

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
		service.context.uploads.configured = false;
		expect((await grant()).status).toBe(503);
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
