import { creditsIn, markUnknownCredits } from '../../../../nodes/runtime/http/credits';

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

describe('The cost in a response', () => {
	it.each<[unknown, number | undefined]>([
		[{ creditsUsed: 4, data: { creditsUsed: 1 } }, 4],
		[{ creditsUsed: 0 }, 0],
		[{ creditsBilled: 6 }, 6],
		[{ data: { creditsUsed: 3 } }, 3],
		[{ data: { creditsCost: 2 } }, 2],
		[{ data: { metadata: { creditsUsed: 5 } } }, 5],
		[{ creditsUsed: '4' }, undefined],
		[{ creditsUsed: -1 }, undefined],
		[{ data: [] }, undefined],
		['', undefined],
		[null, undefined],
	])('is found in %j', (body, credits) => {
		expect(creditsIn(body)).toBe(credits);
	});
});
