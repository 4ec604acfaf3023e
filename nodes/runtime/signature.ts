import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether a callback was signed with the account's webhook secret: HMAC-SHA256 over the raw body, sent
 * as `X-Firecrawl-Signature: sha256=<hex>` (addendum 11). Compared in constant time.
 */
export function isSigned(rawBody: Buffer, signature: unknown, secret: string): boolean {
	if (typeof signature !== 'string') return false;
	const expected = Buffer.from(
		`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`,
	);
	const given = Buffer.from(signature.trim());
	return given.length === expected.length && timingSafeEqual(given, expected);
}

/** A call as it came in, its body untouched. */
export interface RawCall {
	rawBody: Buffer;
	headers: Readonly<Record<string, unknown>>;
}

/** Whether a call may be believed: signed with the secret, or any call when there is no secret to check it by. */
export const isGenuine = ({ rawBody, headers }: RawCall, secret: string): boolean =>
	secret === '' || isSigned(rawBody, headers['x-firecrawl-signature'], secret);
