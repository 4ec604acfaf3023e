import { createHmac, randomUUID } from 'node:crypto';
import {
	parseWebhook,
	type WebhookRequest,
	type ParsedWebhook,
} from '../../../../nodes/runtime/webhooks/parseWebhook';

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

/** A call with a body, signed unless told otherwise. */
const call = (body: Buffer | string, signature: unknown = signatureOf(body)): WebhookRequest => ({
	rawBody: Buffer.from(body),
	headers: { 'x-firecrawl-signature': signature },
});
const strict = { secret, refuseUnsigned: true };
const lenient = { secret, refuseUnsigned: false };
const open = { secret: '', refuseUnsigned: true };

const statusOf = (verdict: ParsedWebhook) => ('status' in verdict ? verdict.status : 200);
const deliveryOf = (verdict: ParsedWebhook) => {
	if ('delivery' in verdict) return verdict.delivery;
	throw new Error(`refused: ${verdict.status}`);
};

describe('who may call', () => {
	const unsigned: WebhookRequest = { rawBody: Buffer.from(event()), headers: {} };
	const wrong = call(event(), signatureOf(event(), 'another'));
	const malformed = call(event(), '');

	it.each<[string, WebhookRequest, typeof open, 401 | 'verified' | 'unverified']>([
		['signed', call(event()), strict, 'verified'],
		['signed', call(event()), lenient, 'verified'],
		['signed, and nothing to check it by', call(event()), open, 'unverified'],
		['unsigned', unsigned, strict, 401],
		['unsigned', unsigned, lenient, 'unverified'],
		['unsigned', unsigned, open, 'unverified'],
		['wrong', wrong, strict, 401],
		['wrong', wrong, lenient, 401],
		['malformed', malformed, strict, 401],
		['malformed', malformed, lenient, 401],
		['twice', call(event(), [signatureOf(event()), signatureOf(event())]), strict, 401],
	])('%s, %#', (_name, each, trust, expected) => {
		const verdict = parseWebhook(each, trust);
		const taken = 'delivery' in verdict && verdict.delivery.isVerified ? 'verified' : 'unverified';

		expect('status' in verdict ? verdict.status : taken).toBe(expected);
	});

	it.each([undefined, null, event(), {}, [], new Uint8Array(2)])(
		'nobody whose raw body is none: %p',
		(rawBody) => {
			const headers = { 'x-firecrawl-signature': signatureOf(event()) };

			expect(parseWebhook({ rawBody, headers }, strict)).toEqual({ status: 401 });
			expect(parseWebhook({ rawBody, headers: {} }, open)).toEqual({ status: 415 });
		},
	);
});

describe('a call that is not genuine', () => {
	it('is not parsed, and one whose signature is none is not even hashed', () => {
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

describe('what a delivery may hold', () => {
	const nested = (levels: number, [opening, closing] = ['[', ']']) =>
		`{"type":"crawl.page","data":[${opening.repeat(levels)}${closing.repeat(levels)}]}`;

	const zeros = (length: number) => Array.from({ length }, () => 0);
	const members = (length: number) =>
		Object.fromEntries(Array.from({ length }, (_, key) => [`k${key}`, 0]));

	it.each<[string, string, number]>([
		['16 MB', event({ data: ['x'.repeat(16 * 1024 * 1024 - 100)] }), 200],
		['more', event({ data: ['x'.repeat(16 * 1024 * 1024)] }), 413],
		['98 levels of lists', nested(98), 200],
		['99 of them', nested(99), 413],
		['a million of them', nested(1_000_000), 413],
		['a million levels that never end', `{"a":`.repeat(1_000_000), 413],
		['brackets in a text', event({ data: ['[{'.repeat(10_000)] }), 200],
		['brackets behind a quote in a text', event({ data: [`\\"${'[{'.repeat(10_000)}`] }), 200],
		['1,000 entries', event({ data: Array.from({ length: 1000 }, () => ({})) }), 200],
		['1,001 entries', event({ data: Array.from({ length: 1001 }, () => ({})) }), 413],
		['49,900 values beside the entries', event({ metadata: zeros(49_900) }), 200],
		['50,100 of them', event({ metadata: zeros(50_100) }), 413],
		['9,900 members of a record', event({ metadata: members(9_900) }), 200],
		['10,100 of them', event({ metadata: members(10_100) }), 413],
		['10,100 beside the data', event(members(10_100)), 413],
		['10,100 of two records', event({ data: [members(5_050), members(5_050)] }), 200],
		['10,100 records in a list', event({ data: [{ list: zeros(10_100) }] }), 200],
		['a million members', event({ data: Array.from({ length: 1e6 }, () => 0) }), 413],
	])('%s', (_name, body, status) => {
		expect(statusOf(parseWebhook(call(body), strict))).toBe(status);
		expect(statusOf(parseWebhook(call(body), open))).toBe(status);
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
		['an ID of a delivery that is a megabyte', event({ webhookId: 'a'.repeat(1e6) })],
		['an ID of a delivery that is a list', event({ webhookId: ['w-1'] })],
	])('is refused: %s', (_name, body) => {
		expect(parseWebhook(call(body as string), strict)).toEqual({ status: 400 });
		expect(parseWebhook(call(body as string), open)).toEqual({ status: 400 });
	});
});

describe('what is read', () => {
	it('is the event, its entries, and what it says beside', () => {
		const id = randomUUID();
		const body = event({ id, metadata: { tag: 'é' }, success: true });

		expect(deliveryOf(parseWebhook(call(body), strict))).toEqual({
			type: 'crawl.page',
			id,
			webhookId: 'w-1',
			entries: [{ a: 1 }],
			about: { type: 'crawl.page', id, webhookId: 'w-1', metadata: { tag: 'é' }, success: true },
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
	])('data %j as entries %j', (data, entries) => {
		expect(deliveryOf(parseWebhook(call(event({ data })), strict)).entries).toEqual(entries);
	});

	it('comes from the bytes alone: a mark of their order before them is none of it', () => {
		const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(event())]);

		expect(deliveryOf(parseWebhook(call(body), strict)).type).toBe('crawl.page');
	});

	it('leaves every prototype as it was', () => {
		const before = Object.getOwnPropertyNames(Object.prototype);
		const body = `{"__proto__":{"id":"x","polluted":1},"constructor":{"prototype":{"polluted":1}},"type":"crawl.page","data":[{"__proto__":{"polluted":1}}]}`;
		const { entries, about, id } = deliveryOf(parseWebhook(call(body), strict));

		expect(id).toBeUndefined();
		expect([entries[0], about].map((each) => Object.getPrototypeOf(each))).toEqual([
			Object.prototype,
			Object.prototype,
		]);
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
	});
});
