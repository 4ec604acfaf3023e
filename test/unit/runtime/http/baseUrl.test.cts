import { apiUrl, staysOnOrigin } from '../../../../nodes/runtime/http/baseUrl';

describe('the address of the API', () => {
	it.each([
		['https://api.firecrawl.dev', 'https://api.firecrawl.dev/v2'],
		['https://api.firecrawl.dev/', 'https://api.firecrawl.dev/v2'],
		['https://api.firecrawl.dev/v2', 'https://api.firecrawl.dev/v2'],
		['https://api.firecrawl.dev/v2/', 'https://api.firecrawl.dev/v2'],
		['https://api.firecrawl.dev/v2//', 'https://api.firecrawl.dev/v2'],
		['https://api.firecrawl.dev/V2', 'https://api.firecrawl.dev/v2'],
		[' http://localhost:3002 ', 'http://localhost:3002/v2'],
		['HTTP://LOCALHOST:3002/v2', 'http://localhost:3002/v2'],
		['http://127.0.0.1:3002/', 'http://127.0.0.1:3002/v2'],
		['http://[::1]:3002', 'http://[::1]:3002/v2'],
		['https://example.com:443', 'https://example.com/v2'],
		['https://example.com/web-data', 'https://example.com/web-data/v2'],
		['https://example.com/web-data/v2/', 'https://example.com/web-data/v2'],
		['https://example.com/web-data//v2', 'https://example.com/web-data/v2'],
		['https://example.com/v2/proxy', 'https://example.com/v2/proxy/v2'],
		['https://example.com/apiv2', 'https://example.com/apiv2/v2'],
	])('%s is %s', (given, address) => {
		expect(apiUrl(given)).toBe(address);
	});

	it.each<[unknown, string]>([
		['api.example.com', 'must start with http:// or https://'],
		['ftp://example.com', 'must start with http:// or https://'],
		['//example.com', 'must start with http:// or https://'],
		['javascript:alert(1)', 'must start with http:// or https://'],
		['', 'must start with http:// or https://'],
		['  ', 'must start with http:// or https://'],
		[undefined, 'must start with http:// or https://'],
		[5, 'must start with http:// or https://'],
		['https://', 'must be a URL such as https://api.example.com'],
		['http://exa mple.com', 'must be a URL such as https://api.example.com'],
		['https://example.com:99999', 'must be a URL such as https://api.example.com'],
		['https://me:secret@example.com', 'must not contain a user name or password'],
		['https://me@example.com', 'must not contain a user name or password'],
		['https://example.com?x=1', 'must not have a query or a fragment'],
		['https://example.com/v2#top', 'must not have a query or a fragment'],
	])('%j is refused', (given, rule) => {
		expect(() => apiUrl(given)).toThrow(`The credential's 'Base URL' ${rule}`);
	});

	it('keeps a password out of the refusal, whatever else is wrong', () => {
		for (const given of [
			'ftp://me:hunter22@example.com',
			'https://me:hunter22@example.com:99999',
			'https://me:hunter22@example.com?x=1',
		]) {
			expect(() => apiUrl(given)).toThrow(/^(?!.*hunter22)/);
		}
	});
});

describe('whether a request stays on the origin', () => {
	const base = 'https://api.example.com/v2';

	it.each([
		'/search',
		'/team/credit-usage',
		'/search/research/papers/10.1000%2Fx?url=https://evil.example',
		'https://api.example.com/v2/search',
		'https://API.example.com:443/anything',
	])('%s does', (url) => {
		expect(staysOnOrigin(url, base)).toBe(true);
	});

	it.each([
		'https://evil.example/search',
		'http://api.example.com/search',
		'https://api.example.com:8443/search',
		'https://api.example.com.evil.example/',
		'https://api.example.com@evil.example/',
		'//evil.example/search',
		'HTTPS://evil.example',
		'https:evil.example',
		'https:/evil.example',
		'https:\\\\evil.example',
		'file:///etc/passwd',
		'data:text/plain,x',
	])('%s does not', (url) => {
		expect(staysOnOrigin(url, base)).toBe(false);
	});
});
