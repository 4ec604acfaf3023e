import { domains } from '../../../../nodes/WebData/fields/common';
import { accepted, refusals } from '../../schemaAssertions.cjs';

const { valueSchema } = domains({ displayName: 'Domains', description: 'Some' });

describe('domains', () => {
	it.each([
		['example.com', 'example.com'],
		['Example.COM', 'example.com'],
		['https://example.com', 'example.com'],
		['HTTP://Example.com/', 'example.com'],
		[' docs.example.co.uk ', 'docs.example.co.uk'],
		['www.example.com', 'www.example.com'],
		['xn--bcher-kva.example', 'xn--bcher-kva.example'],
		['https://B\u00fccher.example/', 'xn--bcher-kva.example'],
		['\u043f\u043e\u0447\u0442\u0430.\u0440\u0444', 'xn--80a1acny.xn--p1ai'],
	])('%s is sent as %s', (given, sent) => {
		expect(accepted(valueSchema, [given])).toEqual([sent]);
	});

	it.each([
		'example.com/path',
		'https://example.com/a/b',
		'example.com?q=1',
		'example.com#top',
		'example.com:8080',
		'ftp://example.com',
		'example.com//',
	])('%s is refused for what would be lost', (given) => {
		expect(refusals(valueSchema, [given])).toEqual([
			`0 must be a domain such as example.com without path or port, not ${given}`,
		]);
	});

	it.each([
		'example',
		'exa mple.com',
		'*.example.com',
		'.example.com',
		'example..com',
		'-example.com',
		'b\u00fccher',
		'b\u00fccher@a.example',
	])('%s is no domain', (given) => {
		expect(refusals(valueSchema, [given])).toEqual([
			`0 must be a domain such as example.com, not ${given}`,
		]);
	});

	it('takes the comma-separated text of the editor', () => {
		expect(accepted(valueSchema, 'https://A.example, b.example\nc.example')).toEqual([
			'a.example',
			'b.example',
			'c.example',
		]);
	});
});
