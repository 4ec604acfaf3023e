import { createHmac } from 'node:crypto';
import http from 'node:http';
import fc from 'fast-check';
import { oddValues } from './oddValues.cjs';

/** A call of a webhook by anybody. */
export interface HostileCall {
	body: Buffer;
	headers: http.OutgoingHttpHeaders;
	/** The body as n8n reads it; undefined where it reads none, or cannot. */
	raw?: Buffer;
	/** Whether it carries the signature of what n8n reads. */
	isSigned: boolean;
}

const contentTypes = [
	'application/json; charset=utf-8',
	'Application/JSON',
	'application/json; charset=utf-16le',
	'application/json; charset=nonsense',
	'application/vnd.api+json',
	'application/x-www-form-urlencoded',
	'image/svg+xml',
	'application/octet-stream',
	'text/plain',
	'multipart/form-data; boundary=x',
	'multipart/mixed',
	'multipart/related; type="application/json"',
	';',
	'',
];

const signatureOf = (raw: Buffer, secret: string) =>
	`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;

/** Signature headers, by what is the matter with them. */
const signatures: Record<string, (right: string, wrong: string) => string | string[] | undefined> =
	{
		right: (right) => right,
		missing: () => undefined,
		empty: () => '',
		other: (_right, wrong) => wrong,
		half: (right) => right.slice(0, 40),
		upper: (right) => right.toUpperCase(),
		bare: (right) => right.replace('sha256=', ''),
		sha1: (right) => right.replace('sha256', 'sha1'),
		twice: (right) => [right, right],
		'wrong and right': (right, wrong) => [wrong, right],
		listed: (right, wrong) => `${wrong},${right}`,
		long: (right) => right + '0'.repeat(4_000),
		latin: (right) => right.replace(/.$/, '\u00e9'),
		object: () => '[object Object]',
	};

export type SignatureKind = keyof typeof signatures;

/** What a call is made of. */
export interface CallRecipe {
	content: string;
	signature?: SignatureKind;
	type?: string;
}

/** Puts a call together. */
export function hostileCall(
	{ content, signature: kind = 'right', type = 'application/json' }: CallRecipe,
	secret: string,
): HostileCall {
	const body = Buffer.from(content);
	const isRead = !type.toLowerCase().startsWith('multipart/');
	const right = signatureOf(body, secret);
	const signature = signatures[kind](right, signatureOf(body, `${secret}x`));
	return {
		body,
		headers: {
			...(type !== '' && { 'content-type': type }),
			...(signature !== undefined && { 'X-Firecrawl-Signature': signature }),
		},
		...(isRead && { raw: body }),
		isSigned: isRead && signature === right,
	};
}

/** Sends a call; resolves with the status answered. */
export const sendCall = async (address: string, { body, headers }: HostileCall): Promise<number> =>
	await new Promise((resolve, reject) => {
		const request = http.request(
			address,
			{ method: 'POST', agent: false, headers: { ...headers, 'content-length': body.length } },
			(response) => {
				response.resume().once('end', () => resolve(response.statusCode ?? 0));
			},
		);
		request.once('error', reject).end(body);
	});

/** A value as JSON, where it has such a form. */
function asJson(value: unknown): string {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return '';
	}
}

const nested = (levels: number, open: string, close: string): string =>
	open.repeat(levels) + close.repeat(levels);

/** So many entries, one after the other. */
const entriesOf = (count: number, entry: (index: number) => string): string =>
	`[${Array.from({ length: count }, (_, index) => entry(index)).join()}]`;

/** Stands for what only a trigger's own deliveries hold: its mark, and its monitor. */
export const ownMark = '{"registration":"created by n8n"}';
export const ownMonitor = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

const checkEntry = (index: number) =>
	`{"monitorId":"${ownMonitor}","checkId":"0b4e7ac2-6d1f-4b8e-9a52-${String(index).padStart(12, '0')}"}`;

const pageEntry = `{"status":"changed","url":"a","monitorId":"${ownMonitor}"}`;

export const eventOf = (type: string, data: string, id = 'worst'): string =>
	`{"success":true,"type":"${type}","id":"${id}","webhookId":"${id}","data":${data},"metadata":${ownMark}}`;

/** Bodies that cost the most where something is done once per entry, per level or per character: each of a size, in bytes. */
export const worstBodies: Record<string, (size: number) => string> = {
	'dots in the type, and entries': (size) => dotted('monitor', '', size),
	"dots in a job's type, and entries": (size) => dotted('crawl', 'page', size),
	'page entries': (size) => pagesOf(entriesOf(size / 80, () => pageEntry)),
	'completed checks': (size) =>
		eventOf('monitor.check.completed', entriesOf(size / 100, checkEntry)),
	'completed checks without an ID': (size) => {
		const entries = entriesOf(size / 12, () => '{"a":1}');
		return eventOf('monitor.check.completed', entries);
	},
	'nested lists': (size) => pagesOf(nested(size / 2, '[', ']')),
	'nested objects': (size) => pagesOf(`${'{"status":'.repeat(size / 12)}1${'}'.repeat(size / 12)}`),
	'a long ID': (size) => pagesOf(`[${pageEntry}]`, 'x'.repeat(size / 2)),
	'a long text': (size) => pagesOf(`[{"status":"changed","url":"${'\\ud800'.repeat(size / 6)}"}]`),
	'many members': (size) =>
		`{${entriesOf(size / 14, (index) => `"k${index}":1`).slice(1, -1)},"type":"monitor.page","webhookId":"w"}`,
	'nothing but brackets': (size) => nested(size / 2, '[', ']'),
	'nothing but spaces': (size) => ' '.repeat(size),
};

const pagesOf = (data: string, webhookId?: string) => eventOf('monitor.page', data, webhookId);

const dotted = (start: string, end: string, size: number) => {
	const entries = entriesOf(size / 4, () => '1');
	return eventOf(`${start}${'.'.repeat(size / 2)}${end}`, entries);
};

/** Members with the names that every object has by itself. */
const inherited = [
	'{"type":"monitor.page","webhookId":"p1","data":[{"__proto__":{"polluted":1},"toString":null,"status":"changed"}]}',
	'{"__proto__":{"type":"monitor.page","webhookId":"p2"},"data":[]}',
	'{"type":"monitor.page","webhookId":"p3","hasOwnProperty":3,"metadata":{"__proto__":{"registration":"created by n8n"}},"data":{"constructor":{"prototype":{"polluted":1}},"status":"changed"}}',
	'{"type":"__proto__","webhookId":"constructor","data":{"__proto__":null}}',
];

const longTexts = fc
	.tuple(
		fc.constantFrom('.', 'x', '/', 'monitor.', '\u0000', '\u202e', '\ud800', '='),
		fc.constantFrom(300, 3_000, 30_000),
	)
	.map(([unit, count]) => unit.repeat(count));

const types = fc.oneof(
	fc.constantFrom<unknown>('monitor.page', 'monitor.check.completed', 'crawl.page', 'monitor', '.'),
	longTexts,
	oddValues(),
);

const members = fc.record(
	{
		type: types,
		id: fc.oneof(oddValues(), longTexts),
		webhookId: fc.oneof(fc.uuid(), oddValues(), longTexts),
		data: fc.oneof(
			oddValues(),
			fc.array(oddValues(), { maxLength: 4 }),
			fc.array(fc.record({ status: oddValues(), monitorId: oddValues(), checkId: oddValues() }), {
				maxLength: 6,
			}),
		),
		metadata: oddValues(),
		success: oddValues(),
	},
	{ requiredKeys: ['type'] },
);

/** What a call can hold: events, events with odd members, and what is none. */
const contents: fc.Arbitrary<string> = fc.oneof(
	{ weight: 3, arbitrary: fc.uuid().map((id) => eventOf('monitor.page', `[${pageEntry}]`, id)) },
	{ weight: 5, arbitrary: members.map(asJson) },
	{ weight: 2, arbitrary: oddValues().map(asJson) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
	{ weight: 2, arbitrary: fc.constantFrom(...inherited) },
	{
		weight: 2,
		arbitrary: fc
			.tuple(fc.constantFrom(...Object.keys(worstBodies)), fc.constantFrom(2_400, 24_000))
			.map(([name, size]) => worstBodies[name](size)),
	},
);

/** Draws calls, most of which lack the right signature. */
export const hostileCalls = (): fc.Arbitrary<CallRecipe> =>
	fc.record({
		content: contents,
		signature: fc.oneof(fc.constant('right'), fc.constantFrom(...Object.keys(signatures))),
		type: fc.oneof(fc.constant('application/json'), fc.constantFrom(...contentTypes)),
	});
