import { uncheckedUrls, url, urls } from '../../../../nodes/WebData/fields/url';
import { uuid } from '../../../../nodes/WebData/fields/common';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe('an address', () => {
	it.each([
		['https://example.com/a?b=c#d', undefined],
		[' http://example.com ', 'http://example.com'],
		['example.com/team', undefined],
		['HTTPS://EXAMPLE.COM', undefined],
		['localhost:3000/x', undefined],
		['example.com:8080', undefined],
		['http://127.0.0.1:8080', undefined],
		['http://[::1]/', undefined],
		['https://müller.example/ä b', undefined],
	])('%j is one', (given, sent = given) => {
		expect(accepted(url(), given)).toBe(sent);
	});

	it.each([
		['ftp://example.com', 'must start with http:// or https://, not ftp:'],
		['file:///etc/passwd', 'must start with http:// or https://, not file:'],
		['example', 'must have a host such as example.com, not example'],
		['https://example', 'must have a host such as example.com, not https://example'],
		['..\\..\\x', 'must have a host such as example.com, not ..\\..\\x'],
		['%2e%2e/x', 'must have a host such as example.com, not %2e%2e/x'],
		['1.5e7', 'must have a host such as example.com, not 1.5e7'],
		['example..com', 'must have a host such as example.com, not example..com'],
		['https://', 'must be a URL, not https://'],
		['not an address', 'must be a URL, not not an address'],
		['javascript:alert(1)', 'must start with http:// or https://, not javascript:'],
		['mailto:ada@example.com', 'must start with http:// or https://, not mailto:'],
		['  ', 'must not be blank'],
		['', 'is required'],
	])('%j is none', (given, words) => {
		expect(refusals(url(), given)).toEqual([words]);
	});
});

describe('addresses in a text', () => {
	it.each<[string, string[]]>([
		['https://a.example/x,https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
		['https://a.example/x;https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
		['https://a.example/x | https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
		['a.example/x, b.example/y', ['a.example/x', 'b.example/y']],
		['a.example/x; b.example/y', ['a.example/x', 'b.example/y']],
		['a.example/x,\nb.example', ['a.example/x', 'b.example']],
		['a.example/x b.example', ['a.example/x', 'b.example']],
		['a.example/x,', ['a.example/x']],
		[' ,, a.example ,,', ['a.example']],
		['<https://a.example/x>\n[b](https://b.example)', ['https://a.example/x', 'https://b.example']],
		...[
			'https://a.example/x,1.html',
			'a.example/map@48.1,11.5,15z',
			'https://a.example?ids=1,2,3',
			'https://en.wikipedia.org/wiki/Washington,_D.C.',
			'https://www.spiegel.example/politik/a,1518.pdf',
			'https://a.example/x;jsessionid=1|2',
		].map((one): [string, string[]] => [one, [one]]),
	])('are apart, and keep their own signs: %j', (given, addresses) => {
		expect(accepted(uncheckedUrls(), given)).toEqual(addresses);
	});

	it.each<[string, string[]]>([
		['a.example,b.example', ['0 must have a host such as example.com, not a.example,b.example']],
		['1. https://a.example', ['0 must have a host such as example.com, not 1.']],
		['https://a.example\n12', ['1 must have a host such as example.com, not 12']],
		['https://a.example, notaurl', ['1 must have a host such as example.com, not notaurl']],
	])('are refused one by one: %j', (given, words) => {
		expect(refusals(urls(), given)).toEqual(words);
	});

	it.each([
		'https://a.example, https://b.example',
		'https://a.example/x,https://b.example/y',
		'https://a.example/x|https://b.example/y',
	])('are not one: %s', (given) => {
		expect(refusals(url(), given)).toEqual([expect.stringMatching(/^must be one URL, not 2: /)]);
	});

	it('may be in the query of one', () => {
		const given = 'https://a.example/?u=https://b.example,https://c.example';
		expect(accepted(url(), given)).toBe(given);
	});
});

describe('an ID', () => {
	const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

	it.each([id, id.toUpperCase(), ` ${id}\n`])('is %j', (given) => {
		expect(accepted(uuid(), given)).toBe(id);
	});

	it.each(['job-1', `${id}0`, id.slice(1), id.replaceAll('-', ''), `${id}/../x`, 5, '{}'])(
		'is not %j',
		(given) => {
			expect(refusals(uuid(), given)).toEqual([
				expect.stringMatching(/^must be an ID such as [0-9a-f-]{36}, not /),
			]);
		},
	);

	it.each([[''], [undefined], [null]])('is required, not %j', (given) => {
		expect(refusals(uuid(), given)).toEqual(['is required']);
	});
});
