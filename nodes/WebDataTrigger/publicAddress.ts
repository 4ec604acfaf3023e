import { parseUrl } from '../runtime/parseUrl';

const privateHosts =
	/^(localhost|.*\.(localhost|local|internal|lan)|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|0\.0\.0\.0|\[(::1?|f[cd].*|fe80.*)\])$/i;

/** Whether an address lies on this machine or in a private network, as far as it tells. */
export function isPrivateAddress(url: unknown): boolean {
	const host = parseUrl(String(url))?.hostname ?? '';
	return host === '' || !/[.:]/.test(host) || privateHosts.test(host);
}
