import { threatProtection } from '../../../../nodes/WebData/fields/threatProtection';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe('threat protection', () => {
	it.each<[object, object?]>([
		[{ mode: 'off' }],
		[{ mode: 'manual-only' }],
		[{ mode: 'zscaler' }],
		[{ blacklist: 'A.b, *.Worse.example' }, { blacklist: ['a.b', '*.worse.example'] }],
		[
			{ whitelist: 'b\u00fccher.example, *.m\u00fcnchen.example' },
			{ whitelist: ['xn--bcher-kva.example', '*.xn--mnchen-3ya.example'] },
		],
		[{ blockedTlds: '.ZIP, 123' }, { blockedTlds: ['zip', '123'] }],
	])('%j', (given, sent = given) => {
		expect(accepted(threatProtection.valueSchema, given)).toEqual(sent);
	});

	it.each([
		'_x.example.com',
		'-a.example',
		'a-.example',
		'a_b.example.com',
		'*.*.example.com',
		'https://a.example',
		'a.example/x',
		'a.example:80',
		'a b.example',
		'a@b.example',
		'a.example?',
		'example',
		'null',
		`${'a'.repeat(64)}.example`,
		'\u00fc:80.example',
	])('%s is no domain of its lists', (given) => {
		for (const list of ['blacklist', 'whitelist']) {
			expect(refusals(threatProtection.valueSchema, { [list]: [given] })).toEqual([
				expect.stringContaining(
					`${list} 0 must be a domain or a wildcard such as *.example.com, not `,
				),
			]);
		}
	});

	it.each(['a b', 'co.uk', 'xn--p1ai', '\u0440\u0444', 'a_b', 'x'.repeat(64)])(
		'%s is no top-level domain that the service takes',
		(given) => {
			expect(refusals(threatProtection.valueSchema, { blockedTlds: [given] })).toEqual([
				expect.stringMatching(
					/^blockedTlds 0 must be a top-level domain of letters and digits such as zip, not /,
				),
			]);
		},
	);
});
