import { threatProtection } from '../../../../nodes/WebData/fields/threatProtection';
import { accepted } from '../../schemaAssertions.cjs';

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
});
