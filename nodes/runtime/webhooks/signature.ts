import { createHmac, timingSafeEqual } from 'node:crypto';

/** `sha256=` and 64 hexadecimal digits, as the service writes them. */
const form = /^sha256=[\da-f]{64}$/;

/** Whether a header can be a signature at all, which costs nothing to know. */
export const isWellFormed = (signature: unknown): signature is string =>
	typeof signature === 'string' && signature.length < 100 && form.test(signature.trim());

/**
 * Whether a callback was signed with the account's webhook secret: HMAC-SHA256 over the raw body, sent
 * as `X-Firecrawl-Signature: sha256=<hex>` (docs/api-notes.md, Webhooks). Compared in constant time.
 */
export function isSigned(rawBody: Buffer, signature: unknown, secret: string): boolean {
	if (!isWellFormed(signature)) return false;
	const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
	return timingSafeEqual(Buffer.from(signature.trim()), Buffer.from(`sha256=${expected}`));
}
