import {
	apiUrl,
	credentialHeaders,
	redactor,
	redactorOf,
	staysOnOrigin,
} from '../../../../nodes/runtime/http/credential';

describe('the URL of the API', () => {
	it.each([
		['https://api.firecrawl.dev', 'https://api.firecrawl.dev/v2'],
		['https://api.firecrawl.dev/V2//', 'https://api.firecrawl.dev/v2'],
		[' HTTP://LOCALHOST:3002/v2 ', 'http://localhost:3002/v2'],
		['http://[::1]:3002', 'http://[::1]:3002/v2'],
		['https://example.com/web-data//v2', 'https://example.com/web-data/v2'],
		['https://example.com/v2/proxy', 'https://example.com/v2/proxy/v2'],
		['https://example.com/apiv2', 'https://example.com/apiv2/v2'],
	])('of %s is %s', (given, url) => {
		expect(apiUrl(given)).toBe(url);
	});

	it.each<[unknown, string]>([
		['api.example.com', 'must start with http:// or https://'],
		['//example.com', 'must start with http:// or https://'],
		['javascript:alert(1)', 'must start with http:// or https://'],
		['  ', 'must start with http:// or https://'],
		[undefined, 'must start with http:// or https://'],
		['http://exa mple.com', 'must be a URL such as https://api.example.com'],
		['https://me:hunter22@example.com:99999', 'must be a URL such as https://api.example.com'],
		['https://me:hunter22@example.com', 'must not contain a user name or password'],
		['https://example.com/?key=hunter22', 'must not have a query or a fragment'],
		['https://example.com/v2#top', 'must not have a query or a fragment'],
	])('is refused for %j, without quoting it', (given, rule) => {
		expect(() => apiUrl(given)).toThrow(new Error(`The credential's 'Base URL' ${rule}`));
	});
});

describe('a request', () => {
	const base = 'https://api.example.com/v2';

	it.each([
		'/search/research/papers/10.1000%2Fx?url=https://evil.example',
		'https://API.example.com:443/anything',
	])('to %s stays on the origin', (url) => {
		expect(staysOnOrigin(url, base)).toBe(true);
	});

	it.each([
		'http://api.example.com/search',
		'https://api.example.com:8443/search',
		'https://api.example.com.evil.example/',
		'https://api.example.com@evil.example/',
		'//evil.example/search',
		'HTTPS:evil.example',
		'https:\\\\evil.example',
		'data:text/plain,x',
	])('to %s leaves the origin', (url) => {
		expect(staysOnOrigin(url, base)).toBe(false);
	});
});

describe('the headers of the credential', () => {
	const headersOf = (...values: unknown[]) =>
		credentialHeaders({ apiKey: 'fc-key', headers: { values } });

	it('are its own and the key, trimmed; empty rows and an empty key are omitted', () => {
		expect(headersOf({ name: ' X-Team ', value: ' one\n' }, { name: '', value: '' }, {})).toEqual({
			'X-Team': 'one',
			Authorization: 'Bearer fc-key',
		});
		for (const apiKey of ['', ' ', undefined, null])
			expect(credentialHeaders({ apiKey })).toEqual({});
	});

	it.each([
		['authorization', 'Basic hunter22', 'must not replace authorization: the node sets it itself'],
		['HOST', 'a.example', 'must not replace HOST: the node sets it itself'],
		['Content-Length', '1', 'must not replace Content-Length: the node sets it itself'],
		['', 'hunter22', 'have no valid name in entry 2, such as CF-Access-Client-Id'],
		['X: hunter22', '1', 'have no valid name in entry 2, such as CF-Access-Client-Id'],
		['X-Team', '', 'have no valid value in entry 2'],
		['X-Team', 'hunter22\r\nHost: evil.example', 'have no valid value in entry 2'],
		['X-Team', 'hunter22 ✓', 'have no valid value in entry 2'],
	])('must not have the name %j and the value %j', (name, value, rule) => {
		const valid = { name: 'X-Valid', value: '1' };
		expect(() => headersOf(valid, { name, value })).toThrow(
			new Error(`The credential's 'Headers' ${rule}`),
		);
	});
});

describe('redaction', () => {
	const secret = 'fc key/ä"\\+=1';

	it('finds the key, the webhook secret and the values of headers', () => {
		const redact = redactorOf({
			apiKey: ' fc-key-1\n',
			webhookSecret: 'hook-secret',
			headers: { values: [{ name: 'X-Token', value: 'token-1' }] },
		});
		expect(redact('fc-key-1, hook-secret, X-Token: token-1, fc-key-1')).toBe(
			'***, ***, X-Token: ***, ***',
		);
	});

	it('finds a secret of four characters', () => {
		expect(redactor(['key4'])('my key4')).toBe('my ***');
	});

	it('removes a secret that contains another as a whole', () => {
		expect(redactor(['fc-key', 'fc-key-long'])('fc-key-long')).toBe('***');
	});

	it.each([[['', '  ']], [['the']], [[undefined, null, 5]]])(
		'ignores the secrets %j',
		(secrets) => {
			expect(redactor(secrets)('the text with 5 words')).toBe('the text with 5 words');
		},
	);

	it.each([
		['itself', secret],
		['a URL', encodeURIComponent(secret)],
		['JSON', JSON.stringify(secret).slice(1, -1)],
	])('finds a secret in %s, and leaves other escapes', (_, written) => {
		expect(redactor([secret])(`50% of ${written}, "\\u00e4\\n" %22 ${written}%`)).toBe(
			'50% of ***, "\\u00e4\\n" %22 ***%',
		);
		expect(redactor(['half \ud800 pair'])('half \ud800 pair')).toBe('***');
	});

	it.each([
		['', 'base64'],
		['a', 'base64'],
		['ab', 'base64'],
		['abc', 'base64url'],
		['Bearer ', 'base64'],
		['user:', 'base64url'],
	] as const)('finds a secret behind %j in %s', (before, encoding) => {
		const key = 'fc-0123>>>456???789~~~ab';
		for (const after of ['', '!', '!!', '!!!']) {
			const written = Buffer.from(before + key + after).toString(encoding);
			const clean = redactor([key])(`Authorization: Basic ${written}.`);
			expect(clean).toContain('***');
			expect(clean).not.toContain(written);
			// What is left are characters that its neighbours share.
			expect(clean.length).toBeLessThan(45);
		}
	});

	it('takes linear time', () => {
		const key = 'fc-0a1B2c3D4e5F60718293a4b5c6d7e8f9';
		for (const part of ['%25', 'f', key.slice(0, -1)]) {
			const text = part.repeat(300_000);
			expect(redactor([key])(text)).toBe(text);
		}
	});
});
