import { createHmac, randomUUID } from 'node:crypto';
import {
	isSigned,
	parseWebhook,
	type ParsedWebhook,
	type WebhookRequest,
} from '../../../nodes/WebDataTrigger/webhookRequest';

const secret = 'whsec-1';
const signatureOf = (body: Buffer | string, key = secret) =>
	`sha256=${createHmac('sha256', key).update(body).digest('hex')}`;

const event = (change: object = {}) =>
	JSON.stringify({
		type: 'crawl.page',
		id: 'job-1',
		webhookId: 'w-1',
		data: [{ a: 1 }],
		...change,
	});

/** A webhook request with a body and, by default, a valid signature. */
const request = (
	body: Buffer | string,
	signature: unknown = signatureOf(body),
): WebhookRequest => ({
	rawBody: Buffer.from(body),
	headers: { 'x-firecrawl-signature': signature },
});
const strict = { secret, rejectUnsigned: true, needsSecret: false };
const lenient = { secret, rejectUnsigned: false, needsSecret: false };
const open = { secret: '', rejectUnsigned: true, needsSecret: false };

const statusOf = (result: ParsedWebhook) => ('status' in result ? result.status : 200);
const eventOf = (result: ParsedWebhook) => {
	if ('event' in result) return result.event;
	throw new Error(`rejected: ${result.status}`);
};

describe('the signature of a webhook request', () => {
	const body = event();
	const right = signatureOf(body);
	const hex = right.slice('sha256='.length);

	it.each([right, ` ${right}\n`])('is valid as %j', (signature) => {
		expect(isSigned(Buffer.from(body), signature, secret)).toBe(true);
		for (const options of [strict, lenient]) {
			expect(eventOf(parseWebhook(request(body, signature), options)).isVerified).toBe(true);
		}
		expect(eventOf(parseWebhook(request(body, signature), open)).isVerified).toBe(false);
	});

	it('is the known value of HMAC-SHA256', () => {
		// RFC 4231, test case 2.
		const known = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
		expect(isSigned(Buffer.from('what do ya want for nothing?'), known, 'Jefe')).toBe(true);
	});

	it.each<[string, unknown]>([
		['empty', ''],
		['without its kind', hex],
		['of another kind', `sha1=${hex}`],
		['cut short', right.slice(0, -1)],
		['with a tail', `${right}0`],
		['of the same length', `sha256=${'0'.repeat(64)}`],
		['of characters of several bytes', `sha256=${'é'.repeat(32)}`],
		['of another body', signatureOf(`${body} `)],
		['of another secret', signatureOf(body, 'whsec-2')],
		['twice', [right, right]],
	])('is invalid if it is %s, whatever is done without one', (_, signature) => {
		expect(isSigned(Buffer.from(body), signature, secret)).toBe(false);
		for (const options of [strict, lenient]) {
			expect(parseWebhook(request(body, signature), options)).toEqual({ status: 401 });
		}
	});

	it('is required, though no secret can verify it, where nothing else proves the event', () => {
		const options = { ...open, needsSecret: true };
		expect(parseWebhook(request(body, right), options)).toEqual({ status: 401 });
		expect(statusOf(parseWebhook(request(body, right), { ...strict, needsSecret: true }))).toBe(
			200,
		);
	});

	it('may be missing if that is chosen, or if there is no secret', () => {
		const unsigned = { rawBody: Buffer.from(body), headers: {} };
		expect(parseWebhook(unsigned, strict)).toEqual({ status: 401 });
		for (const options of [lenient, open]) {
			expect(eventOf(parseWebhook(unsigned, options)).isVerified).toBe(false);
		}
	});

	it.each([undefined, null, event(), {}, [], new Uint8Array(2)])(
		'is not verified if the raw body is no buffer: %p',
		(rawBody) => {
			const headers = { 'x-firecrawl-signature': right };
			expect(parseWebhook({ rawBody, headers }, strict)).toEqual({ status: 401 });
			expect(parseWebhook({ rawBody, headers: {} }, open)).toEqual({ status: 415 });
		},
	);

	it('is looked at before anything is parsed or read', () => {
		const parse = jest.spyOn(JSON, 'parse');
		const rawBody = Buffer.from(body);
		const read = jest.spyOn(rawBody, 'toString');
		for (const signature of [undefined, '', 'sha256=', `sha256=${'0'.repeat(64)}`]) {
			const headers = { 'x-firecrawl-signature': signature };
			expect(parseWebhook({ rawBody, headers }, strict)).toEqual({ status: 401 });
		}
		expect(parse).not.toHaveBeenCalled();
		expect(read).not.toHaveBeenCalled();
		parse.mockRestore();
	});
});

describe('the body of a webhook request', () => {
	const nested = (levels: number) =>
		`{"type":"crawl.page","data":[${'['.repeat(levels)}${']'.repeat(levels)}]}`;
	const fields = (length: number) =>
		Object.fromEntries(Array.from({ length }, (_, key) => [`k${key}`, 0]));
	const entries = (length: number) => event({ data: Array.from({ length }, () => ({})) });
	const brackets = '[{'.repeat(10_000);

	it.each<[string, Buffer | string, number]>([
		['16 MB', event({ data: ['x'.repeat(16 * 1024 * 1024 - 100)] }), 200],
		['more', event({ data: ['x'.repeat(16 * 1024 * 1024)] }), 413],
		['498 levels of lists', nested(498), 200],
		['499 of them', nested(499), 413],
		['a million levels that never end', `{"a":`.repeat(1_000_000), 400],
		['brackets in a text', event({ data: [brackets] }), 200],
		['brackets behind a quote in a text', event({ data: [`\\"${brackets}`] }), 200],
		['1,000 entries', entries(1_000), 200],
		['1,001 entries', entries(1_001), 413],
		['990 fields beside the data', event(fields(990)), 200],
		['1,010 of them', event(fields(1_010)), 413],
		['a byte order mark', `\uFEFF${event()}`, 200],
		['no JSON', '{"type":', 400],
		['nothing', '', 400],
		['another encoding', Buffer.from(event(), 'utf16le'), 400],
		['a list', '[]', 400],
		['a text', '"crawl.page"', 400],
		['null', 'null', 400],
		['no type', event({ type: undefined }), 400],
		['a type that is no text', event({ type: ['crawl.page'] }), 400],
		['an empty type', event({ type: '' }), 400],
		['a type of dots without end', event({ type: '.'.repeat(101) }), 400],
		['a type of several lines', event({ type: 'crawl.page\n' }), 400],
		['an ID that is no text', event({ id: 7 }), 400],
		['an ID that is a path', event({ id: '../team/credit-usage' }), 400],
		['an ID of 129 characters', event({ id: 'a'.repeat(129) }), 400],
		['an event ID of a megabyte', event({ webhookId: 'a'.repeat(1e6) }), 400],
		['an event ID that is a list', event({ webhookId: ['w-1'] }), 400],
	])('of %s is answered, signed or not: %#', (_name, body, status) => {
		for (const options of [strict, open]) {
			expect(statusOf(parseWebhook(request(body), options))).toBe(status);
		}
	});

	it('becomes an event with its type, its entries, and the fields beside them', () => {
		const id = randomUUID();
		const beside = { id, metadata: { tag: 'é' }, success: true };
		// The service does not know the credits.
		const sent = event({ ...beside, creditsUsed: -1 });

		expect(eventOf(parseWebhook(request(sent), strict))).toEqual({
			type: 'crawl.page',
			id,
			webhookId: 'w-1',
			entries: [{ a: 1 }],
			envelope: { type: 'crawl.page', webhookId: 'w-1', ...beside, creditsUsed: null },
			isVerified: true,
		});
	});

	it.each<[unknown, unknown]>([
		[undefined, [{}]],
		[null, [{}]],
		[[], [{}]],
		[{ a: 1 }, [{ a: 1 }]],
		[
			['a', null],
			[{ value: 'a' }, { value: null }],
		],
	])('turns data %j into entries %j', (data, expected) => {
		expect(eventOf(parseWebhook(request(event({ data })), strict)).entries).toEqual(expected);
	});
});
