import { parseUrl } from '../../../../nodes/runtime/values/parseUrl';

describe('an address', () => {
	it('is its parts', () => {
		expect(parseUrl('https://example.com:8080/a?b')?.host).toBe('example.com:8080');
		expect(parseUrl('/a', 'https://example.com')?.href).toBe('https://example.com/a');
	});

	it.each(['', 'example', 'https://', 'http://exa mple'])('is not %j', (text) => {
		expect(parseUrl(text)).toBeUndefined();
	});

	// Node 20's URL.canParse turns this down as soon as the call is hot.
	it('with letters beyond ASCII is one however often it is asked for', () => {
		const hosts = Array.from({ length: 50_000 }, () => parseUrl('https://müller.example/ä')?.host);

		expect(new Set(hosts)).toEqual(new Set(['xn--mller-kva.example']));
	});
});
