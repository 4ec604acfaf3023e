import { isPrivateAddress } from '../../../nodes/WebDataTrigger/publicAddress';

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
		'http://[fd12:3456::1]/',
		'http://[fe80::1]/',
		'',
		'n8n.example.com',
		undefined,
	])('%s', (url) => {
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
