import { markUnknownCredits } from '../../../../nodes/runtime/http/credits';

describe('Credits that the service does not know', () => {
	it.each([
		[{ creditsUsed: -1 }, { creditsUsed: null }],
		[{ creditsUsed: 0 }, { creditsUsed: 0 }],
		[{ creditsUsed: 'none' }, { creditsUsed: 'none' }],
		[{ data: { json: { creditsUsed: -1 } } }, { data: { json: { creditsUsed: -1 } } }],
		['text', 'text'],
		[null, null],
	])('of %j are %j', (body, marked) => {
		markUnknownCredits(body);
		expect(body).toEqual(marked);
	});
});
