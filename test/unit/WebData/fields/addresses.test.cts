import { domains, pathId, uuid } from '../../../../nodes/WebData/fields/common';
import { uncheckedUrls, url, urls } from '../../../../nodes/WebData/fields/url';
import { documentWebhook, webhook } from '../../../../nodes/WebData/fields/webhook';
import { reads, type Accepted, type Refused } from '../../schemaAssertions.cjs';

const noHost = (given: string): Refused => [
	given,
	`must have a host such as example.com; ${given} has none`,
];
const wrongScheme = (given: string, scheme: string): Refused => [
	given,
	`must start with http:// or https://, not ${scheme}`,
];
const twoUrls = expect.stringMatching(/^must be one URL, not 2: /) as unknown;

reads(
	'an address',
	url(),
	[
		['https://example.com/a?b=c#d'],
		[' http://example.com ', 'http://example.com'],
		['example.com/team'],
		['HTTPS://EXAMPLE.COM'],
		['localhost:3000/x'],
		['example.com:8080'],
		['http://127.0.0.1:8080'],
		['http://[::1]/'],
		['https://müller.example/ä b'],
		['https://a.example/?u=https://b.example,https://c.example'],
	],
	[
		wrongScheme('ftp://example.com', 'ftp:'),
		wrongScheme('file:///etc/passwd', 'file:'),
		wrongScheme('javascript:alert(1)', 'javascript:'),
		wrongScheme('mailto:ada@example.com', 'mailto:'),
		...['example', 'https://example', '..\\..\\x', '%2e%2e/x', '1.5e7', 'example..com'].map(noHost),
		['https://', 'must be a URL, not https://'],
		['not an address', 'must be a URL, not not an address'],
		['  ', 'must not be blank'],
		['', 'is required'],
		['https://a.example, https://b.example', twoUrls],
		['https://a.example/x,https://b.example/y', twoUrls],
		['https://a.example/x|https://b.example/y', twoUrls],
	],
);

const [a, b] = ['https://a.example/x', 'https://b.example/y'];

reads('a text of addresses', uncheckedUrls(), [
	[`${a},${b}`, [a, b]],
	[`${a};${b}`, [a, b]],
	[`${a} | ${b}`, [a, b]],
	['a.example/x, b.example/y', ['a.example/x', 'b.example/y']],
	['a.example/x; b.example/y', ['a.example/x', 'b.example/y']],
	['a.example/x,\nb.example', ['a.example/x', 'b.example']],
	['a.example/x b.example', ['a.example/x', 'b.example']],
	['a.example/x,', ['a.example/x']],
	[' ,, a.example ,,', ['a.example']],
	[`<${a}>\n[b](${b})`, [a, b]],
	// Signs of their own.
	...[
		'https://a.example/x,1.html',
		'a.example/map@48.1,11.5,15z',
		'https://a.example?ids=1,2,3',
		'https://en.wikipedia.org/wiki/Washington,_D.C.',
		'https://www.spiegel.example/politik/a,1518.pdf',
		'https://a.example/x;jsessionid=1|2',
	].map((one): Accepted => [one, [one]]),
]);

reads(
	'a list of addresses',
	urls(),
	[],
	[
		['a.example,b.example', '0 must have a host such as example.com; a.example,b.example has none'],
		['1. https://a.example', '0 must have a host such as example.com; 1. has none'],
		['https://a.example\n12', '1 must have a host such as example.com; 12 has none'],
		['https://a.example, notaurl', '1 must have a host such as example.com; notaurl has none'],
	],
);

const lost = (given: string): Refused => [
	[given],
	`0 must be a domain such as example.com without path or port, not ${given}`,
];
const noDomain = (given: string): Refused => [
	[given],
	`0 must be a domain such as example.com, not ${given}`,
];

reads(
	'a list of domains',
	domains('Domains', 'Some').valueSchema,
	[
		[
			['Example.COM', 'https://example.com'],
			['example.com', 'example.com'],
		],
		[
			['HTTP://Example.com/', ' docs.example.co.uk '],
			['example.com', 'docs.example.co.uk'],
		],
		[['www.example.com', 'xn--bcher-kva.example']],
		[['https://B\u00fccher.example/'], ['xn--bcher-kva.example']],
		[['\u043f\u043e\u0447\u0442\u0430.\u0440\u0444'], ['xn--80a1acny.xn--p1ai']],
		['https://A.example, b.example\nc.example', ['a.example', 'b.example', 'c.example']],
	],
	[
		...['example.com/path', 'https://example.com/a/b', 'example.com?q=1', 'example.com#top'].map(
			lost,
		),
		...['example.com:8080', 'ftp://example.com', 'example.com//'].map(lost),
		...['example', 'exa mple.com', '*.example.com', '.example.com', 'example..com'].map(noDomain),
		...['-example.com', 'b\u00fccher', 'b\u00fccher@a.example'].map(noDomain),
	],
);

const id = '0b4e7ac2-6d1f-4b8e-9a52-3c1d2e4f5a6b';

reads(
	'an ID',
	uuid(),
	[id, id.toUpperCase(), ` ${id}\n`].map((given) => [given, id]),
	[
		...['job-1', `${id}0`, id.slice(1), id.replaceAll('-', ''), `${id}/../x`, 5, '{}'].map(
			(given): Refused => [
				given,
				expect.stringMatching(/^must be an ID such as [0-9a-f-]{36}, not /),
			],
		),
		...['', undefined, null].map((given): Refused => [given, 'is required']),
	],
);

reads(
	'an ID of any form, as a part of a path',
	pathId(20),
	['doi:10.1/x', '...a', ' a ', '🌊', '%2e%2e'].map((given) => [given, given.trim()]),
	[
		...['.', '..', ' ... '].map((given): Refused => [given, 'must be an ID, not dots alone']),
		...['\ud800', 'a\udc00b', '\udc00\ud800'].map(
			(given): Refused => [given, expect.stringMatching(/half a character/)],
		),
	],
);

const hook = { url: 'https://n8n.example/1', events: ['completed', 'failed'] };
const whole = { ...hook, headers: { A: 'b' }, metadata: { c: 'd' }, events: ['page'] };
const noHook = (given: string) =>
	`url must be a URL that starts with http:// or https://, not ${given}`;

reads(
	'a webhook',
	documentWebhook.valueSchema,
	[
		[hook],
		[whole],
		[JSON.stringify(whole), whole],
		['https://a.example/in', { url: 'https://a.example/in' }],
		// It may be called inside the service's own network.
		[{ url: 'http://n8n:5678/webhook/1' }],
		// None chosen means all.
		[{ url: 'https://a.example', events: [] }, { url: 'https://a.example' }],
	],
	[
		[{ events: ['failed'] }, 'url is required'],
		[{ url: 'ftp://a.example' }, noHook('ftp://a.example')],
		[{ url: 'n8n.example/webhook/1' }, noHook('n8n.example/webhook/1')],
		['a.example', noHook('a.example')],
		[
			{ url: 'https://a.example', events: ['page', 'cancelled'] },
			'events 1 must be one of completed, failed, page, started, not cancelled',
		],
	],
);

it('a webhook offers the events of its job', () => {
	const page = { name: 'Page', value: 'page' };
	const [first] = webhook({ page: 'Page' }).property?.options ?? [];
	expect(first).toMatchObject({ name: 'events', options: [page], default: [] });
});
