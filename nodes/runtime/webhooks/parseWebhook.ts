import type { IDataObject } from 'n8n-workflow';
import { attempt } from '../values/settle';
import { isRecord } from '../values/record';
import { asRecord } from '../output/results';
import { isSigned, isWellFormed } from './signature';
import { markUnknownCredits } from '../http/unknownCredits';

/** Bytes of a body; what n8n reads of one unless its N8N_PAYLOAD_SIZE_MAX says otherwise. */
const largestBody = 16 * 1024 * 1024;

/**
 * Levels of nesting, members and entries in all, and members of one record: parsing more would hold n8n up,
 * and so would copying a record, which takes several times as long where it has very many members.
 */
const deepestBody = 100;
const mostValues = 50_000;
const mostMembers = 10_000;

/** Entries of one delivery; the service sends one (docs/api-notes.md, Webhooks). */
const mostEntries = 1_000;

const eventName = /^[\w.-]{1,100}$/;
const idForm = /^[\w-]{1,128}$/;

/** Whether a value can be an ID of the service: bounded, and no path. */
export const isId = (value: unknown): value is string =>
	typeof value === 'string' && idForm.test(value);

const isIdOrMissing = (value: unknown) => value === undefined || value === null || isId(value);

/** An event as it was delivered (https://docs.firecrawl.dev/webhooks/events). */
export interface WebhookEvent {
	/** `<family>.<event>`, such as `crawl.completed`. */
	type: string;
	/** The job; of a monitor's event, the check. */
	id?: string;
	/** The same each time that the event is delivered. */
	webhookId?: string;
	entries: IDataObject[];
	/** What it says beside its data. */
	about: IDataObject;
	/** Whether it was signed with the credential's webhook secret. */
	isVerified: boolean;
}

/** A call of a webhook as n8n hands it over; n8n keeps no raw body of `multipart/*`. */
export interface WebhookRequest {
	rawBody?: unknown;
	headers: Readonly<Record<string, unknown>>;
}

/** By what a call is believed. */
export interface VerificationOptions {
	/** The account's webhook secret; empty when the credential has none. */
	secret: string;
	/** Whether a call without any signature is refused where there is a secret. */
	refuseUnsigned: boolean;
}

/** A delivery, or the status that the call is to be answered with. */
export type ParsedWebhook = { delivery: WebhookEvent } | { status: 400 | 401 | 413 | 415 };

const [quote, backslash] = Buffer.from('"\\');
const [comma, openList, openRecord, closeList, closeRecord] = Buffer.from(',[{]}');

/** Whether JSON nests deeper or holds more values than is parsed. Looks at each byte once. */
function isTooIntricate(json: Buffer): boolean {
	/** Members of the records that are open; of lists, whose entries are bounded as values alone, less than none. */
	const members: number[] = [];
	let values = 0;
	let inText = false;
	for (let at = 0; at < json.length; at += 1) {
		const byte = json[at];
		if (inText) {
			if (byte === backslash) at += 1;
			else if (byte === quote) inText = false;
		} else if (byte === quote) {
			inText = true;
		} else if (byte === comma) {
			values += 1;
			members[members.length - 1] += 1;
			if (members[members.length - 1] >= mostMembers) return true;
		} else if (byte === openList || byte === openRecord) {
			members.push(byte === openRecord ? 0 : -Infinity);
			values += 1;
		} else if (byte === closeList || byte === closeRecord) {
			members.pop();
		}
		if (members.length > deepestBody || values > mostValues) return true;
	}
	return false;
}

function deliveryIn(body: unknown, isVerified: boolean): ParsedWebhook {
	if (!isRecord(body)) return { status: 400 };
	markUnknownCredits(body);
	const { data, ...about } = body;
	const { type, id, webhookId } = about;
	if (typeof type !== 'string' || !eventName.test(type)) return { status: 400 };
	if (!isIdOrMissing(id) || !isIdOrMissing(webhookId)) return { status: 400 };
	const list = Array.isArray(data) ? data : [data ?? {}];
	if (list.length > mostEntries) return { status: 413 };
	// A job's start and end have no data of their own, and are events all the same.
	const entries = list.length === 0 ? [{}] : list.map(asRecord);
	return {
		delivery: {
			type,
			...(isId(id) && { id }),
			...(isId(webhookId) && { webhookId }),
			entries,
			about: asRecord(about),
			isVerified,
		},
	};
}

/**
 * Reads a call from outside. Its signature is checked before anything is parsed, what is parsed is
 * bounded, and nothing is thrown. The raw body alone counts: what n8n makes of it depends on headers
 * that nobody signs.
 */
export function parseWebhook(
	{ rawBody, headers }: WebhookRequest,
	trust: VerificationOptions,
): ParsedWebhook {
	const { secret, refuseUnsigned } = trust;
	const signature = headers['x-firecrawl-signature'];
	const mustVerify = secret !== '' && (refuseUnsigned || signature !== undefined);
	if (mustVerify && !isWellFormed(signature)) return { status: 401 };
	if (!Buffer.isBuffer(rawBody)) return { status: mustVerify ? 401 : 415 };
	if (rawBody.length > largestBody) return { status: 413 };
	if (mustVerify && !isSigned(rawBody, signature, secret)) return { status: 401 };
	if (isTooIntricate(rawBody)) return { status: 413 };
	const body = attempt((): unknown => JSON.parse(new TextDecoder().decode(rawBody)));
	return !body.ok ? { status: 400 } : deliveryIn(body.value, mustVerify);
}
