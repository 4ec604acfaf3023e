import { parseUrl } from '../runtime/parseUrl';

/** Names that are not looked up outside a network (RFC 6761, 6762, 8375, and usage). */
const privateName = /(^|\.)(home\.arpa|internal|lan|local|localhost)\.?$/i;

/** Ranges that the internet does not carry (RFC 6890), as a parsed address writes them. */
const privateRange =
	/^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$|^\[(::1?|::ffff:.*|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i;

/** Whether an address lies on this machine or in a private network, as far as it tells. */
export function isPrivateAddress(url: unknown): boolean {
	const host = parseUrl(String(url))?.hostname ?? '';
	return !/[.:]/.test(host) || privateName.test(host) || privateRange.test(host);
}
