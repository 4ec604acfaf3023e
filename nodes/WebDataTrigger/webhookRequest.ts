import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isTooDeep } from '../runtime/values/json';
import { attempt } from '../runtime/values/outcome';
import { fieldOf, isRecord } from '../runtime/values/record';
import { asRecord } from '../runtime/execution/results';
import { markUnknownCredits } from '../runtime/http/credits';

/** `sha256=` and 64 hexadecimal digits. */
const signaturePattern = /^sha256=[\da-f]{64}$/;

/** Whether a header has the form of a signature, which is cheap to check. */
const isWellFormed = (signature: unknown): signature is string =>
	typeof signature === 'string' &&
	signature.length < 100 &&
	signaturePattern.test(signature.trim());

/**
 * Verifies the signature of a webhook request: HMAC-SHA256 over the raw body with the account's
 * webhook secret, sent as `X-Firecrawl-Signature: sha256=<hex>` (docs/api-notes.md, Webhooks).
 * Compares in constant time.
 */
export function isSigned(rawBody: Buffer, signature: unknown, secret: string): boolean {
	if (!isWellFormed(signature)) return false;
	const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
	return timingSafeEqual(Buffer.from(signature.trim()), Buffer.from(`sha256=${expected}`));
}

/** Whether an event has the token of its trigger's monitor. Compares in constant time. */
export function hasToken(metadata: unknown, token: string): boolean {
	const given = fieldOf(metadata, 'token');
	if (typeof given !== 'string') return false;
	const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest());
	return timingSafeEqual(one, other);
}

/** Largest body in bytes, n8n's own default (N8N_PAYLOAD_SIZE_MAX). */
const largestBody = 16 * 1024 * 1024;

/** Most fields of an event, whose copy takes time. */
const mostFields = 1_000;

/** Most entries of one event; the service sends one (docs/api-notes.md, Webhooks). */
const mostEntries = 1_000;

const eventName = /^[\w.-]{1,100}$/;
const idPattern = /^[\w-]{1,128}$/;

/** Whether a value can be an ID of the API: short, and no path. */
export const isId = (value: unknown): value is string =>
	typeof value === 'string' && idPattern.test(value);

const isIdOrMissing = (value: unknown) => value === undefined || value === null || isId(value);

/** A webhook event (https://docs.firecrawl.dev/webhooks/events). */
export interface WebhookEvent {
	/** `<family>.<event>`, such as `crawl.completed`. */
	type: string;
	/** ID of the job or, for a monitor's event, of the check. */
	id?: string;
	/** The same for every attempt to send the event. */
	webhookId?: string;
	entries: IDataObject[];
	/** The fields beside `data`. */
	envelope: IDataObject;
	/** Whether it was signed with the credential's webhook secret. */
	isVerified: boolean;
}

/** A webhook request as n8n passes it on, without the raw body of `multipart/*`. */
export interface WebhookRequest {
	rawBody?: unknown;
	headers: Readonly<Record<string, unknown>>;
}

/** Options for verifying a webhook request. */
export interface VerificationOptions {
	/** The account's webhook secret; empty if the credential has none. */
	secret: string;
	/** Whether to reject unsigned requests if there is a secret. */
	rejectUnsigned: boolean;
	/** Whether to reject all requests without a secret, since nothing else proves them. */
	needsSecret: boolean;
}

/** An event, or the status of an error response. */
export type ParsedWebhook = { event: WebhookEvent } | { status: 400 | 401 | 413 | 415 };

function eventIn(body: unknown, isVerified: boolean): ParsedWebhook {
	if (!isRecord(body)) return { status: 400 };
	if (Object.keys(body).length > mostFields) return { status: 413 };
	markUnknownCredits(body);
	const { data, ...envelope } = body;
	const { type, id, webhookId } = envelope;
	if (typeof type !== 'string' || !eventName.test(type)) return { status: 400 };
	if (!isIdOrMissing(id) || !isIdOrMissing(webhookId)) return { status: 400 };
	const list = Array.isArray(data) ? data : [data ?? {}];
	if (list.length > mostEntries) return { status: 413 };
	// The start and the end of a job have no data, but are events.
	const entries = list.length === 0 ? [{}] : list.map(asRecord);
	return {
		event: {
			type,
			...(isId(id) && { id }),
			...(isId(webhookId) && { webhookId }),
			entries,
			envelope: asRecord(envelope),
			isVerified,
		},
	};
}

/** Parses a request, its signature first, with bounds: only the raw body, as n8n parses it by headers without signature. */
export function parseWebhook(
	{ rawBody, headers }: WebhookRequest,
	options: VerificationOptions,
): ParsedWebhook {
	const { secret, rejectUnsigned, needsSecret } = options;
	if (secret === '' && needsSecret) return { status: 401 };
	const signature = headers['x-firecrawl-signature'];
	const mustVerify = secret !== '' && (rejectUnsigned || signature !== undefined);
	if (mustVerify && !isWellFormed(signature)) return { status: 401 };
	if (!Buffer.isBuffer(rawBody)) return { status: mustVerify ? 401 : 415 };
	if (rawBody.length > largestBody) return { status: 413 };
	if (mustVerify && !isSigned(rawBody, signature, secret)) return { status: 401 };
	const json = new TextDecoder().decode(rawBody);
	const body = attempt((): unknown => JSON.parse(json));
	if (!body.ok) return { status: 400 };
	return isTooDeep(body.value) ? { status: 413 } : eventIn(body.value, mustVerify);
}
