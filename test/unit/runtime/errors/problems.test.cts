import { problemsIn } from '../../../../nodes/runtime/errors/response';
import { recordedExchanges } from '../../../mock/recorded/exchanges.cjs';

/** The issues of every refusal that a real server of 2026-08 has sent. */
const refusals = recordedExchanges().flatMap(({ steps }) =>
	steps.flatMap(({ response }): unknown[] => {
		const details: unknown = Reflect.get(Object(response.body), 'details');
		return Array.isArray(details) ? [details] : [];
	}),
);

const fieldsIn = (details: unknown) => problemsIn(details).map(({ path }) => path);

describe('the fields of a refusal', () => {
	it('are those of its issues, as recorded', () => {
		expect(refusals.length).toBeGreaterThan(90);
		for (const details of refusals) {
			const [issue] = Object(details);
			const place = [...issue.path, ...(issue.keys ?? []).slice(0, 1)];
			expect(fieldsIn(details)[0].slice(0, place.length)).toEqual(place);
		}
	});

	it('are those inside the branch of a union that was meant', () => {
		const meant = [{ code: 'unrecognized_keys', keys: ['bogus'], path: [], message: 'Unknown' }];
		const other = [{ code: 'invalid_value', values: ['pdf'], path: [], message: 'Invalid' }];
		const union = { code: 'invalid_union', path: ['parsers', 0], message: 'Invalid input' };
		const details = [{ ...union, errors: [other, meant] }];
		expect(fieldsIn(details)).toEqual([['parsers', 0, 'bogus']]);
	});
});
