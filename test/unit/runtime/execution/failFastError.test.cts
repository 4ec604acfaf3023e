import { failFastError } from '../../../../nodes/runtime/execution/failFastError';
import { operationError } from '../../../../nodes/runtime/api/errors';
import { forUser } from '../../../../nodes/runtime/api/sentence';
import { errorSource } from '../../schemaAssertions.cjs';

const failure = (itemIndex: number, words = 'Forbidden (HTTP 403)', advice = 'Check the key.') => ({
	itemIndex,
	error: operationError(words, [forUser(advice)], errorSource({ itemIndex })),
});

/** What a user reads at the end of a run whose first failure is that of item 2. */
describe('The error of a run that stops at its first failure', () => {
	it('is that failure if nothing else is lost', () => {
		const first = failure(2);

		const error = failFastError([first], 0);

		expect(error).toBe(first.error);
		expect(error.message).toBe('Forbidden (HTTP 403) [item 2]');
		expect(error.description).toBe('Check the key.');
	});

	it.each([
		[1, /^Check the key\. 1 other item succeeded and is not returned\..*'On Error'/],
		[3, /^Check the key\. 3 other items succeeded and are not returned\..*'On Error'/],
	])('counts the %i results that are lost with it', (answered, words) => {
		expect(failFastError([failure(2)], answered).description).toMatch(words);
	});

	it('lists other failures with their items and advice', () => {
		const lost = failure(0, 'The server did not respond: socket hang up', 'It may be charged.');

		expect(failFastError([failure(2), lost], 0).description).toBe(
			'Check the key. Item 0 failed too: The server did not respond: socket hang up. It may be charged.',
		);
	});

	it('lists a common message of several items once', () => {
		const words = [undefined, undefined, undefined, undefined, 'Gone', 'Gone'];
		const failures = [2, 4, 0, 5, 1, 3].map((item) => failure(item, words[item]));

		expect(failFastError(failures, 0).description).toBe(
			'Check the key. Items 0, 1 and 3 failed with the same error. Items 4 and 5 failed too: Gone. Check the key.',
		);
	});

	it('lists only the item of an equal failure', () => {
		expect(failFastError([failure(2), failure(0)], 0).description).toBe(
			'Check the key. Item 0 failed with the same error.',
		);
	});
});
