import { parseUrl } from '../values/parseUrl';

/** Prefix of IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2). */
const mappedPrefix = 0xffffn << 32n;

const joined = (parts: number[], bits: bigint): bigint =>
	parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);

/** Parses the IP address in a URL's host to the number of an IPv6 address; undefined for a name. */
function ipIn(host: string): bigint | undefined {
	if (/^[\d.]+$/.test(host)) return mappedPrefix | joined(host.split('.').map(Number), 8n);
	if (!host.startsWith('[')) return undefined;
	const [first, last = []] = host
		.slice(1, -1)
		.split('::')
		.map((part) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16))));
	const zeros = new Array<number>(8 - first.length - last.length).fill(0);
	return joined([...first, ...zeros, ...last], 16n);
}

/** Returns a test whether an IP address is in one of these CIDR ranges. */
function within(ranges: string): (ip: bigint) => boolean {
	const tests = ranges.split(' ').map((range) => {
		const [base, length] = range.split('/');
		const isV4 = base.includes('.');
		const first = ipIn(isV4 ? base : `[${base}]`) ?? 0n;
		const free = BigInt((isV4 ? 32 : 128) - Number(length));
		return (ip: bigint) => ip >> free === first >> free;
	});
	return (ip) => tests.some((test) => test(ip));
}

/** IPv6 addresses that embed an IPv4 address: their range and its position. */
const embeddings = [
	// IPv4-compatible (RFC 4291), IPv4-translated (RFC 2765), NAT64 (RFC 6052)
	{ isUsedBy: within('::/96 ::ffff:0:0:0/96 64:ff9b::/96'), ipv4Of: (ip: bigint) => ip },
	// 6to4 (RFC 3056)
	{ isUsedBy: within('2002::/16'), ipv4Of: (ip: bigint) => ip >> 80n },
	// Teredo: its server, and its client with all bits inverted (RFC 4380)
	{ isUsedBy: within('2001::/32'), ipv4Of: (ip: bigint) => ip >> 64n },
	{ isUsedBy: within('2001::/32'), ipv4Of: (ip: bigint) => ~ip },
	// ISATAP, in any network (RFC 5214)
	{
		isUsedBy: (ip: bigint) => ((ip >> 32n) & 0xfdff_ffffn) === 0x5efen,
		ipv4Of: (ip: bigint) => ip,
	},
];

/** An IP address, and those that its packets may be forwarded to. */
const targetsOf = (ip: bigint): bigint[] => [
	ip,
	...embeddings
		.filter(({ isUsedBy }) => isUsedBy(ip))
		.map(({ ipv4Of }) => mappedPrefix | (ipv4Of(ip) & 0xffff_ffffn)),
];

/** Assigned ranges: IPv4, and global unicast IPv6 (RFC 4291). */
const isAssigned = within('::ffff:0:0/96 2000::/3');

/**
 * Reserved ranges of these (RFC 6890), IPv6 transition ranges, and the IP address of Azure's
 * platform.
 */
const isReserved = within(
	'0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3 2001::/23 2002::/16',
);

/** Cloud metadata services: link-local and provider-specific ranges. */
const isMetadata = within(
	'100.100.100.200/32 168.63.129.16/32 169.254.0.0/16 192.0.0.192/32 fd00:42::42/128 fd00:ec2::/32 fd20:ce::/32 fe80::/10',
);

/** Host names of metadata services. */
const metadataName =
	/^(?:(?:instance-data|metadata)(?:\.(?:[\w.-]+\.)?internal)?|metadata\.goog|metadata\.tencentyun\.com)$/i;

/** Host names that are only resolved inside a network (RFC 6761, 6762, 8375, and usage). */
const privateName =
	/(?:^|\.)(?:corp|home|home\.arpa|internal|intranet|lan|local|localdomain|localhost|private)$/i;

const hostOf = (url: URL | undefined): string => url?.hostname.replace(/\.$/, '') ?? '';

/** Whether a URL's host is on this machine or in a private network, as far as it shows. */
export function isPrivateHost(url: unknown): boolean {
	const host = hostOf(parseUrl(String(url)));
	const ip = ipIn(host);
	if (ip === undefined) return !host.includes('.') || privateName.test(host);
	return !isAssigned(ip) || targetsOf(ip).some(isReserved);
}

export { privateHostCode } from './apiErrors';

/**
 * Whether a file URL from the service is allowed: http or https, with a private host only if the
 * service has one.
 */
export function isAllowedFileUrl(url: unknown, serviceIsPrivate: boolean): boolean {
	const target = parseUrl(String(url));
	if (!target || !['http:', 'https:'].includes(target.protocol)) return false;
	const host = hostOf(target);
	const ip = ipIn(host);
	const isForMachines = ip === undefined ? metadataName.test(host) : targetsOf(ip).some(isMetadata);
	return !isForMachines && (serviceIsPrivate || !isPrivateHost(target));
}
