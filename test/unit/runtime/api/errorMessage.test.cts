import { errorMessageIn } from '../../../../nodes/runtime/api/errorMessage';

test.each([
	['No luck', 'No luck'],
	['  No luck ', 'No luck'],
	[{ code: 'E1', message: 'No luck' }, 'No luck (E1)'],
	[{ message: 'No luck' }, 'No luck'],
	[{ code: 'E1', message: 'No luck: E1' }, 'No luck: E1'],
	[{ code: 'E1' }, 'E1'],
	[{ code: 7 }, undefined],
	[{}, undefined],
	['', undefined],
	[null, undefined],
	[undefined, undefined],
	[false, undefined],
])('the words of the error %j are %j', (error, words) => {
	expect(errorMessageIn(error)).toBe(words);
});
