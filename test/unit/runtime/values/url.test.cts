import { parseUrl } from '../../../../nodes/runtime/values/url';

describe('A URL', () => {
	it('is parsed', () => {
		expect(parseUrl('https://example.com:8080/a?b')?.host).toBe('example.com:8080');
		expect(parseUrl('/a', 'https://example.com')?.href).toBe('https://example.com/a');
	});

	it.each(['', 'example', 'https://', 'http://exa mple'])('is invalid: %j', (text) => {
		expect(parseUrl(text)).toBeUndefined();
	});

	// Node 20's URL.canParse turns this down as soon as the call is hot.
	it('is valid with letters beyond ASCII, at every call', () => {
		const hosts = Array.from({ length: 50_000 }, () => parseUrl('https://müller.example/ä')?.host);

		expect(new Set(hosts)).toEqual(new Set(['xn--mller-kva.example']));
	});
});
