import { isPrivateHost, isAllowedFileUrl } from '../../../../nodes/runtime/http/download';

const listed = (words: string) => words.trim().split(/\s+/);

describe('an address that nobody outside can call', () => {
	const hosts = `
		localhost:5678 LOCALHOST n8n.localhost n8n:5678 n8n.local n8n.lan:5678 n8n.corp.internal
		n8n.home.arpa. 127.0.0.1:5678 127.1.2.3 2130706433 0.0.0.0:5678 10.0.0.7 172.16.0.1
		172.31.255.255 192.168.178.2 169.254.169.254 100.64.0.1 100.127.255.254 198.18.0.1 224.0.0.1
		255.255.255.255 168.63.129.16 [::1]:5678 [::] [::ffff:10.0.0.1] [::7f00:1] [64:ff9b::7f00:1]
		[fd12:3456::1] [fe80::1] [fec0::1] [::ffff:0:10.0.0.1] [64:ff9b:1::1] [100::1] [5f00::1]
		[2002:7f00:1::] [2002:c0a8:101::1] [2002:909:909::1] [2001:0:909:909::f5ff:fff8] [2001:10::1]
		192.0.0.8 192.88.99.1 240.0.0.1
		localhost.localdomain localhost.localdomain. LOCALHOST.LocalDomain n8n.corp n8n.home
		n8n.intranet n8n.private
	`;

	it.each(listed(hosts))('http://%s/', (host) => {
		expect(isPrivateHost(`http://${host}/webhook/a`)).toBe(true);
	});

	it.each(['', 'n8n.example.com', undefined])('%j, which is none', (url) => {
		expect(isPrivateHost(url)).toBe(true);
	});
});

describe('an address that the service may reach', () => {
	const hosts = `
		n8n.example.com localhost.example.com local.example 10.example.com internal-tools.example.com
		9.9.9.9 22.4.0.1 198.20.0.1 11.0.0.1 172.15.0.1 172.32.0.1 192.169.0.1 100.63.0.1 100.128.0.1
		[2001:db8::1] [2606:4700::1111] [2a00:1450:4001::5efe] 192.0.1.1 192.88.98.1 localdomain.example.com
	`;

	it.each(listed(hosts))('%s', (host) => {
		expect(isPrivateHost(`http://${host}/webhook/a`)).toBe(false);
		expect(isPrivateHost(`https://${host}/`)).toBe(false);
	});
});

describe('where a file may lie', () => {
	const near = [
		'http://10.0.0.7/a',
		'http://minio:9000/a',
		'http://127.0.0.1:1/a',
		'http://[fd00:ec3::254]/',
		'http://metadata-store.internal/a',
		'http://localhost.localdomain/a',
	];
	const never = [
		'http://169.254.169.254/latest/meta-data',
		'http://2852039166/',
		'http://[::ffff:169.254.169.254]/',
		'http://[fe80::1]/',
		'http://[fd00:ec2::254]/',
		'http://100.100.100.200/',
		'http://168.63.129.16/',
		'http://metadata.google.internal/',
		'http://METADATA.google.internal./',
		'http://metadata/',
		'http://metadata.goog/computeMetadata/v1/',
		'http://instance-data/latest/meta-data',
		'http://instance-data.ec2.internal/latest/meta-data',
		'http://instance-data.us-west-2.compute.internal./',
		'http://metadata.tencentyun.com/',
		'http://192.0.0.192/opc/v2/',
		'http://[::169.254.169.254]/',
		'http://[::ffff:0:a9fe:a9fe]/',
		'http://[64:ff9b::a9fe:a9fe]/',
		'http://[64:ff9b::100.100.100.200]/',
		'http://[fd20:ce::254]/',
		'http://[fd00:42::42]/',
		'file:///etc/passwd',
		'ftp://files.example/a',
		'no address',
	];

	it.each<[string[], boolean, boolean]>([
		[['https://files.example/a', 'http://9.9.9.9/', 'https://metadata.files.example/'], true, true],
		[near, false, true],
		[never, false, false],
	])('%j: from a public service %s, from a private one %s', (urls, fromPublic, fromPrivate) => {
		for (const url of urls) {
			expect([url, isAllowedFileUrl(url, false)]).toEqual([url, fromPublic]);
			expect([url, isAllowedFileUrl(url, true)]).toEqual([url, fromPrivate]);
		}
	});
});
