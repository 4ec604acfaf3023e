import { triggerSchema } from '../../../nodes/WebDataPollingTrigger/settings';
import { accepted, refusals } from '../schemaAssertions.cjs';

/** The trigger's settings where the user enters these query parameters to ignore. */
const ignoring = (ignoreQueryParameters: string) => ({ triggerOptions: { ignoreQueryParameters } });

describe('The ignored query parameters', () => {
	it('are stored in lower case', () => {
		expect(accepted(triggerSchema, ignoring(' Session*, SORT'))).toMatchObject({
			ignoreQueryParameters: ['session*', 'sort'],
		});
	});

	it.each(['*', 'sid, **'])('cannot be all: %j', (entered) => {
		expect(refusals(triggerSchema, ignoring(entered))).toEqual([
			expect.stringContaining('must not have an entry with only *'),
		]);
	});
});
