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
const strict = { secret, rejectUnsigned: true };
const lenient = { secret, rejectUnsigned: false };
const open = { secret: '', rejectUnsigned: true };

const statusOf = (result: ParsedWebhook) => ('status' in result ? result.status : 200);
const eventOf = (result: ParsedWebhook) => {
	if ('event' in result) return result.event;
	throw new Error(`rejected: ${result.status}`);
};

describe('Signature of a webhook request', () => {
	const unsigned: WebhookRequest = { rawBody: Buffer.from(event()), headers: {} };
	const wrong = request(event(), signatureOf(event(), 'another'));
	const malformed = request(event(), '');

	it.each<[string, WebhookRequest, typeof open, 401 | 'verified' | 'unverified']>([
		['signed', request(event()), strict, 'verified'],
		['signed', request(event()), lenient, 'verified'],
		['signed, without a secret to check it', request(event()), open, 'unverified'],
		['unsigned', unsigned, strict, 401],
		['unsigned', unsigned, lenient, 'unverified'],
		['unsigned', unsigned, open, 'unverified'],
		['signed with another secret', wrong, strict, 401],
		['signed with another secret', wrong, lenient, 401],
		['malformed', malformed, strict, 401],
		['malformed', malformed, lenient, 401],
		['signed twice', request(event(), [signatureOf(event()), signatureOf(event())]), strict, 401],
	])('accepts or rejects one that is %s, %#', (_name, each, options, expected) => {
		const result = parseWebhook(each, options);
		const verified = 'event' in result && result.event.isVerified ? 'verified' : 'unverified';

		expect('status' in result ? result.status : verified).toBe(expected);
	});

	it.each([undefined, null, event(), {}, [], new Uint8Array(2)])(
		'is not verified if the raw body is no buffer: %p',
		(rawBody) => {
			const headers = { 'x-firecrawl-signature': signatureOf(event()) };

			expect(parseWebhook({ rawBody, headers }, strict)).toEqual({ status: 401 });
			expect(parseWebhook({ rawBody, headers: {} }, open)).toEqual({ status: 415 });
		},
	);
});

describe('Webhook request without a valid signature', () => {
	it('is not parsed, and not hashed if the signature is malformed', () => {
		const parse = jest.spyOn(JSON, 'parse');
		const body = Buffer.from(event());
		const hashed = jest.spyOn(body, 'toString');
		for (const signature of [undefined, '', 'sha256=', `sha256=${'0'.repeat(64)}`]) {
			const headers = { 'x-firecrawl-signature': signature };
			expect(parseWebhook({ rawBody: body, headers }, strict)).toEqual({ status: 401 });
		}
		expect(parse).not.toHaveBeenCalled();
		expect(hashed).not.toHaveBeenCalled();
		parse.mockRestore();
	});
});

describe('Body of a webhook request', () => {
	const nested = (levels: number, [opening, closing] = ['[', ']']) =>
		`{"type":"crawl.page","data":[${opening.repeat(levels)}${closing.repeat(levels)}]}`;

	const fields = (length: number) =>
		Object.fromEntries(Array.from({ length }, (_, key) => [`k${key}`, 0]));

	it.each<[string, string, number]>([
		['16 MB', event({ data: ['x'.repeat(16 * 1024 * 1024 - 100)] }), 200],
		['more', event({ data: ['x'.repeat(16 * 1024 * 1024)] }), 413],
		['498 levels of lists', nested(498), 200],
		['499 of them', nested(499), 413],
		['a million levels that never end', `{"a":`.repeat(1_000_000), 400],
		['brackets in a text', event({ data: ['[{'.repeat(10_000)] }), 200],
		['brackets behind a quote in a text', event({ data: [`\\"${'[{'.repeat(10_000)}`] }), 200],
		['1,000 entries', event({ data: Array.from({ length: 1000 }, () => ({})) }), 200],
		['1,001 entries', event({ data: Array.from({ length: 1001 }, () => ({})) }), 413],
		['990 fields beside the data', event(fields(990)), 200],
		['1,010 of them', event(fields(1_010)), 413],
	])('has limits of size and depth: %s', (_name, body, status) => {
		expect(statusOf(parseWebhook(request(body), strict))).toBe(status);
		expect(statusOf(parseWebhook(request(body), open))).toBe(status);
	});

	it.each<[string, unknown]>([
		['no JSON', '{"type":'],
		['nothing', ''],
		['another encoding', Buffer.from(event(), 'utf16le')],
		['a list', '[]'],
		['a text', '"crawl.page"'],
		['null', 'null'],
		['no type', event({ type: undefined })],
		['a type that is no text', event({ type: ['crawl.page'] })],
		['an empty type', event({ type: '' })],
		['a type of dots without end', event({ type: '.'.repeat(101) })],
		['a type of several lines', event({ type: 'crawl.page\n' })],
		['an ID that is no text', event({ id: 7 })],
		['an ID that is a path', event({ id: '../team/credit-usage' })],
		['an ID of 129 characters', event({ id: 'a'.repeat(129) })],
		['an event ID of a megabyte', event({ webhookId: 'a'.repeat(1e6) })],
		['an event ID that is a list', event({ webhookId: ['w-1'] })],
	])('is rejected by validation: %s', (_name, body) => {
		expect(parseWebhook(request(body as string), strict)).toEqual({ status: 400 });
		expect(parseWebhook(request(body as string), open)).toEqual({ status: 400 });
	});
});

describe('Webhook event', () => {
	it('has its type, its entries, and the fields beside them', () => {
		const id = randomUUID();
		const body = event({ id, metadata: { tag: 'é' }, success: true });

		expect(eventOf(parseWebhook(request(body), strict))).toEqual({
			type: 'crawl.page',
			id,
			webhookId: 'w-1',
			entries: [{ a: 1 }],
			envelope: { type: 'crawl.page', id, webhookId: 'w-1', metadata: { tag: 'é' }, success: true },
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
	])('turns data %j into entries %j', (data, entries) => {
		expect(eventOf(parseWebhook(request(event({ data })), strict)).entries).toEqual(entries);
	});

	it('is parsed without a byte order mark', () => {
		const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(event())]);

		expect(eventOf(parseWebhook(request(body), strict)).type).toBe('crawl.page');
	});

	it('changes no prototype', () => {
		const before = Object.getOwnPropertyNames(Object.prototype);
		const body = `{"__proto__":{"id":"x","polluted":1},"constructor":{"prototype":{"polluted":1}},"type":"crawl.page","data":[{"__proto__":{"polluted":1}}]}`;
		const { entries, envelope, id } = eventOf(parseWebhook(request(body), strict));

		expect(id).toBeUndefined();
		expect([entries[0], envelope].map((each) => Object.getPrototypeOf(each))).toEqual([
			Object.prototype,
			Object.prototype,
		]);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
	});
});

describe('A signature', () => {
	const body = Buffer.from('{"type":"agent.completed","id":"é"}');
	const hex = createHmac('sha256', secret).update(body).digest('hex');

	it.each([`sha256=${hex}`, ` sha256=${hex}\n`])('is valid as %j', (signature) => {
		expect(isSigned(body, signature, secret)).toBe(true);
	});

	it('is the known value of HMAC-SHA256', () => {
		// RFC 4231, test case 2.
		const known = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
		expect(isSigned(Buffer.from('what do ya want for nothing?'), `sha256=${known}`, 'Jefe')).toBe(
			true,
		);
	});

	it.each<[string, unknown]>([
		['none', undefined],
		['an empty one', ''],
		['one without its kind', hex],
		['one of another kind', `sha1=${hex}`],
		['one cut short', `sha256=${hex.slice(0, -1)}`],
		['one with a tail', `sha256=${hex}0`],
		['one of the same length', `sha256=${'0'.repeat(64)}`],
		['characters of several bytes', `sha256=${'é'.repeat(32)}`],
		['several', [`sha256=${hex}`]],
	])('is invalid with %s', (_, signature) => {
		expect(isSigned(body, signature, secret)).toBe(false);
	});

	it('is invalid for another body or secret', () => {
		expect(isSigned(Buffer.from(`${body.toString()} `), `sha256=${hex}`, secret)).toBe(false);
		expect(isSigned(body, `sha256=${hex}`, 'whsec-2')).toBe(false);
	});
});
