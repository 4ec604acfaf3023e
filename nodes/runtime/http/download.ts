import { privateHostCode, type ApiResponse } from '../errors/response';
import { parseUrl } from '../values/text';
import {
	credentialType,
	defaultTimeout,
	networkFailure,
	readResponse,
	stopSignalOf,
	type Exchange,
	type HttpFunctions,
	type Send,
} from './client';

/** Downloads of files, which may be on any host, and the hosts that are private. */

/** IPv4 ranges that are not routed on the internet (RFC 6890), and Azure's platform. */
const privateIpv4 =
	/^(0|10|127)\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^168\.63\.129\.16$|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.(168|0\.0|88\.99)\.|^198\.1[89]\.|^(22[4-9]|2[3-5]\d)\./;

/** Global unicast IPv6 (RFC 4291) without the ranges that embed IPv4 addresses. */
const globalIpv6 = /^\[(?!2001:1?[\da-f]{0,2}:|2002:)[23][\da-f]{3}:/;

/** Host names that are only resolved inside a network (RFC 6761, 6762, 8375, and usage). */
const privateName =
	/(^|\.)(corp|home|home\.arpa|internal|intranet|lan|local|localdomain|localhost|private)$/;

/** Cloud metadata services; of IPv6 all but global, unique local and loopback addresses. */
const metadata =
	/^(169\.254\.|100\.100\.100\.200$|168\.63\.129\.16$|192\.0\.0\.192$|\[fd(00:(42::42|ec2:)|20:ce:)|\[(?!::1\]|f[cd]|[23])|(instance-data|metadata)(\.([\w.-]+\.)?internal)?$|metadata\.(goog|tencentyun\.com)$)/;

const hostOf = (url: URL | undefined): string => url?.hostname.replace(/\.$/, '') ?? '';

/** Whether a URL's host is on this machine or in a private network, as far as it shows. */
export function isPrivateHost(url: unknown): boolean {
	const host = hostOf(parseUrl(String(url)));
	if (host.startsWith('[')) return !globalIpv6.test(host);
	if (/^[\d.]+$/.test(host)) return privateIpv4.test(host);
	return !host.includes('.') || privateName.test(host);
}

/** Whether a file URL of the service is allowed: over HTTP, and on a private host only if it is on one. */
export function isAllowedFileUrl(url: unknown, serviceIsPrivate: boolean): boolean {
	const target = parseUrl(String(url));
	if (!target || !['http:', 'https:'].includes(target.protocol)) return false;
	return !metadata.test(hostOf(target)) && (serviceIsPrivate || !isPrivateHost(target));
}

const privateHostError: Exchange = {
	failure: { networkError: { code: privateHostCode, message: 'the address is private' } },
};

/** The error of a file host without its message, which could expose content of any host. */
const fileHostError = ({ status, headers }: ApiResponse): Exchange => ({
	failure: {
		response: {
			status,
			headers: { 'retry-after': headers['retry-after'], date: headers.date },
			body: { error: 'The host did not return the file' },
		},
	},
});

/** Most redirects to follow in a download. */
const mostRedirects = 5;

const redirects = new Set([301, 302, 303, 307, 308]);

/** The URL that a response redirects to, if any. */
function redirectOf({ status, headers }: ApiResponse, from: string): string | undefined {
	const { location } = headers;
	if (!redirects.has(status) || typeof location !== 'string' || location === '') return undefined;
	return parseUrl(location, from)?.href;
}

/**
 * Downloads a file of at most `most` megabytes once from a URL of a response. Any host is possible,
 * so it sends no key. It follows redirects itself: neither they nor the URL may lead to a private
 * host, unless the service is on one. The body of a success is a Buffer.
 */
export async function download(
	context: HttpFunctions,
	url: string,
	most: number,
	serviceIsPrivate = false,
): Promise<Exchange> {
	const { ignoreSSLIssues } = await context.getCredentials(credentialType);
	const bounds = { most, timeout: defaultTimeout, stop: stopSignalOf(context) };
	let next = url;
	for (let redirectsLeft = mostRedirects; ; redirectsLeft -= 1) {
		if (!isAllowedFileUrl(next, serviceIsPrivate)) return privateHostError;
		const request = { url: next, skipSslCertificateValidation: ignoreSSLIssues === true };
		const send: Send = async (abortSignal) =>
			await context.helpers.httpRequest({
				...request,
				encoding: 'stream',
				timeout: defaultTimeout,
				abortSignal,
				disableFollowRedirect: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
			});
		const fetched = await readResponse(send, bounds).catch(networkFailure);
		if ('failure' in fetched) return fetched;
		const { status, body } = fetched;
		if (status >= 200 && status < 300 && Buffer.isBuffer(body)) return { success: fetched };
		const target = redirectOf(fetched, next);
		if (target === undefined || redirectsLeft === 0) return fileHostError(fetched);
		next = target;
	}
}
