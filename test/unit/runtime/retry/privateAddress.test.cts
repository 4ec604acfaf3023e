import { isPrivateAddress, mayHoldFiles } from '../../../../nodes/runtime/retry/privateAddress';

describe('an address that nobody outside can call', () => {
	it.each([
		'http://localhost:5678/webhook/a',
		'http://LOCALHOST/',
		'https://n8n.localhost/',
		'http://n8n:5678/',
		'http://n8n.local/',
		'http://n8n.lan:5678/',
		'http://n8n.corp.internal/',
		'http://n8n.home.arpa./',
		'http://127.0.0.1:5678/',
		'http://127.1.2.3/',
		'http://2130706433/',
		'http://0.0.0.0:5678/',
		'http://10.0.0.7/',
		'http://172.16.0.1/',
		'http://172.31.255.255/',
		'http://192.168.178.2/',
		'http://169.254.169.254/',
		'http://100.64.0.1/',
		'http://100.127.255.254/',
		'http://[::1]:5678/',
		'http://[::]/',
		'http://[::ffff:10.0.0.1]/',
		'http://[::7f00:1]/',
		'http://[64:ff9b::7f00:1]/',
		'http://[fd12:3456::1]/',
		'http://198.18.0.1/',
		'http://224.0.0.1/',
		'http://255.255.255.255/',
		'http://168.63.129.16/',
		'http://[fe80::1]/',
		'',
		'n8n.example.com',
		undefined,
	])('%j', (url) => {
		expect(isPrivateAddress(url)).toBe(true);
	});
});

describe('an address that the service may reach', () => {
	it.each([
		'https://n8n.example.com/webhook/a',
		'https://localhost.example.com/',
		'https://local.example/',
		'https://10.example.com/',
		'https://internal-tools.example.com/',
		'http://9.9.9.9/',
		'http://22.4.0.1/',
		'http://198.20.0.1/',
		'http://11.0.0.1/',
		'http://172.15.0.1/',
		'http://172.32.0.1/',
		'http://192.169.0.1/',
		'http://100.63.0.1/',
		'http://100.128.0.1/',
		'http://[2001:db8::1]/',
	])('%s', (url) => {
		expect(isPrivateAddress(url)).toBe(false);
	});
});

describe('where a file may lie', () => {
	const near = ['http://10.0.0.7/a', 'http://minio:9000/a', 'http://127.0.0.1:1/a'];
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
		'file:///etc/passwd',
		'ftp://files.example/a',
		'no address',
	];

	it.each<[string[], boolean, boolean]>([
		[['https://files.example/a', 'http://9.9.9.9/'], true, true],
		[near, false, true],
		[never, false, false],
	])('%j: from a public service %s, from a private one %s', (urls, fromPublic, fromPrivate) => {
		for (const url of urls) {
			expect([url, mayHoldFiles(url, false)]).toEqual([url, fromPublic]);
			expect([url, mayHoldFiles(url, true)]).toEqual([url, fromPrivate]);
		}
	});
});
