import { parseUrl } from '../values/parseUrl';

/** Names that are not looked up outside a network (RFC 6761, 6762, 8375, and usage). */
const privateName = /(^|\.)(home\.arpa|internal|lan|local|localhost)\.?$/i;

/** Ranges that the internet does not carry (RFC 6890), and Azure's own address, as a parsed address writes them. */
const privateRange =
	/^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|198\.1[89]|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|23\d|24\d|25[0-5])\.[\d.]+$|^168\.63\.129\.16$|^\[(::.*|64:ff9b:.*|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i;

/** Where clouds hand out the rights of a machine: link-local addresses, and those that a cloud chose for it. */
const metadataHost =
	/^(169\.254\.[\d.]+|168\.63\.129\.16|100\.100\.100\.200|\[::ffff:a9fe:.*\]|\[fe[89ab][\da-f]:.*\]|\[fd00:ec2:.*\]|metadata(\.google\.internal)?\.?)$/i;

/** Whether an address lies on this machine or in a private network, as far as it tells. */
export function isPrivateAddress(url: unknown): boolean {
	const host = parseUrl(String(url))?.hostname ?? '';
	return !/[.:]/.test(host) || privateName.test(host) || privateRange.test(host);
}

/** The code of a request that is not sent for its address. */
export const privateAddressCode = 'ERR_PRIVATE_ADDRESS';

/**
 * Whether a file may be fetched from, or sent to, an address that the service names: http or https, and
 * a private one only where the service itself lies on one.
 */
export function mayHoldFiles(url: unknown, serviceIsPrivate: boolean): boolean {
	const target = parseUrl(String(url));
	if (!target || !['http:', 'https:'].includes(target.protocol)) return false;
	if (metadataHost.test(target.hostname)) return false;
	return serviceIsPrivate || !isPrivateAddress(target);
}
