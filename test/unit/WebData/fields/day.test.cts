import { DateTime } from 'luxon';
import { calendarDay, isoDay } from '../../../../nodes/WebData/fields/day';
import { accepted, refusals } from '../../schemaAssertions.cjs';

describe('a day', () => {
	it.each<[unknown, string]>([
		['2026-01-31', '2026-01-31'],
		[' 2026-01-31 ', '2026-01-31'],
		['2026-01-31T00:00:00', '2026-01-31'],
		['2026-01-31T23:30:00.000-05:00', '2026-01-31'],
		['1/31/2026', '2026-01-31'],
		['2028-02-29', '2028-02-29'],
		[new Date('2026-01-31T23:59:59Z'), '2026-01-31'],
		[DateTime.fromISO('2026-01-31T01:00:00', { zone: 'Pacific/Auckland' }), '2026-01-31'],
	])('%j is written %s', (given, written) => {
		expect(accepted(isoDay(), given)).toBe(written);
	});

	it.each<[unknown]>([
		['2026-02-29'],
		['2026-02-30'],
		['2026-00-10'],
		['2026-13-01'],
		['13/01/2026'],
		['31.01.2026'],
		['2026-1-1'],
		['yesterday'],
		[20260131],
		[true],
		[new Date('x')],
		[DateTime.invalid('test')],
		[{ year: 2026 }],
		[['2026-01-01']],
	])('%j is none', (given) => {
		expect(calendarDay(given)).toBeUndefined();
		expect(refusals(isoDay(), given)).toEqual(['must be a date such as 2026-11-21']);
	});
});
