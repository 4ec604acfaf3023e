import { getAll } from '../../../../../nodes/WebData/resources/agent/getAll';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

describe('the moment before which agent runs are listed', () => {
	const noon = Date.parse('2026-11-21T12:00:00Z');

	it.each([[noon], [String(noon)], ['2026-11-21T12:00:00Z'], [new Date(noon)]])(
		'can be %p',
		(before) => {
			expect(accepted(getAll.schema, { before })).toEqual({ before: noon });
		},
	);

	it.each([[1e16], ['10000000000000000'], [-1], [0.5], ['soon'], [new Date(NaN)], [{ a: 1 }]])(
		'cannot be %p',
		(before) => {
			expect(refusals(getAll.schema, { before })).toEqual([
				'before must be a date, or Unix time in milliseconds',
			]);
		},
	);
});
