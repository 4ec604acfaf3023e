import { parseUrl } from '../values/url';

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

/**
 * Whether a file URL from the service is allowed: http or https, with a private host only if the
 * service has one.
 */
export function isAllowedFileUrl(url: unknown, serviceIsPrivate: boolean): boolean {
	const target = parseUrl(String(url));
	if (!target || !['http:', 'https:'].includes(target.protocol)) return false;
	return !metadata.test(hostOf(target)) && (serviceIsPrivate || !isPrivateHost(target));
}
