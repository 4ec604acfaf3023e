import { uncheckedUrls, url, urls } from '../../../../nodes/WebData/fields/url';
import { uuid } from '../../../../nodes/WebData/fields/ids';
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
		['a.example,notaurl', ['a.example', 'notaurl']],
		['https://a.example,notaurl', ['https://a.example', 'notaurl']],
		['a.example,b.example,c.example', ['a.example', 'b.example', 'c.example']],
		['a.example:8080,b.example', ['a.example:8080', 'b.example']],
		['https://a.example/x,https://b.example/y', ['https://a.example/x', 'https://b.example/y']],
		['a.example/x,www.b.example/y', ['a.example/x', 'www.b.example/y']],
		['a.example/x, b.example/y', ['a.example/x', 'b.example/y']],
		['a.example/x,\nb.example', ['a.example/x', 'b.example']],
		['example.com/a,example.org/b', ['example.com/a', 'example.org/b']],
		['a.example/x,b.example', ['a.example/x', 'b.example']],
		['a.example/x,localhost:3000/y', ['a.example/x', 'localhost:3000/y']],
		['a.example/x,müller.example/y', ['a.example/x', 'müller.example/y']],
		['https://a.example/x,b.example/y', ['https://a.example/x', 'b.example/y']],
		['a.example/x.html,b.example/y.html', ['a.example/x.html', 'b.example/y.html']],
		[
			'a.example/x,'.repeat(3) + 'b.example',
			[...Array<string>(3).fill('a.example/x'), 'b.example'],
		],
		['a.example/x,', ['a.example/x']],
		[' ,, a.example ,,', ['a.example']],
	])('are apart: %j', (given, addresses) => {
		expect(accepted(uncheckedUrls(), given)).toEqual(addresses);
	});

	it.each([
		'https://a.example/x,1.html',
		'a.example/map@48.1,11.5,15z',
		'https://a.example?ids=1,2,3',
		'https://a.example#a,b',
		'https://a.example/x,y,b.example',
		'https://www.google.com/maps/@52.5200066,13.404954,15z',
		'https://www.openstreetmap.example/#map=12/52.5,13.4',
		'https://en.wikipedia.org/wiki/Washington,_D.C.',
		'en.wikipedia.org/wiki/Portland,_Oregon',
		'https://wiadomosci.onet.example/kraj/budzet,2026,1.html',
		'gazeta.example/7,114883,31415.html',
		'https://www.spiegel.example/politik/a,1518.pdf',
		'cdn.example/bundle/react.js,vue.js',
		'https://cdn.example/combine/npm/jquery@3.min.js,npm/bootstrap@5/dist/app.min.js',
		'https://images.example/w_400,h_300,c_fill/photo.jpg',
		'https://api.example/v1/items?fields=id,name,owner.login&sort=asc',
		'api.example/sites?domains=a.example,b.example/x',
		'https://osm.example/tiles/13.37,52.51/12',
	])('keep the commas of a path or query: %j', (given) => {
		expect(accepted(uncheckedUrls(), given)).toEqual([given]);
	});

	it('are refused one by one', () => {
		expect(refusals(urls(), 'https://a.example,notaurl')).toEqual([
			'1 must have a host such as example.com, not notaurl',
		]);
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
