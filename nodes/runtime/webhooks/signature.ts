import { createHmac, timingSafeEqual } from 'node:crypto';

/** `sha256=` and 64 hexadecimal digits. */
const pattern = /^sha256=[\da-f]{64}$/;

/** Whether a header has the form of a signature, which is cheap to check. */
export const isWellFormed = (signature: unknown): signature is string =>
	typeof signature === 'string' && signature.length < 100 && pattern.test(signature.trim());

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
