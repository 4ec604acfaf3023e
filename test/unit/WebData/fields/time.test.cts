import { tryToParseDateTime } from 'n8n-workflow';
import { isoDay, tbs } from '../../../../nodes/WebData/fields/time';
import { accepted, refusals } from '../../schemaAssertions.cjs';

/** A date as n8n's expressions have it. */
const inAuckland = (time: string) => tryToParseDateTime(time, 'Pacific/Auckland');

beforeEach(() => {
	// Noon where the test runs, so that the day is the same everywhere.
	jest.useFakeTimers({ now: new Date(2026, 10, 21, 12) });
});
afterEach(() => {
	jest.useRealTimers();
});

describe('a day', () => {
	it.each<[unknown, string]>([
		['2026-01-31', '2026-01-31'],
		[' 2026-01-31 ', '2026-01-31'],
		['2026-01-31T00:00:00', '2026-01-31'],
		['2026-01-31T23:30:00.000-05:00', '2026-01-31'],
		['1/31/2026', '2026-01-31'],
		['2028-02-29', '2028-02-29'],
		[new Date('2026-01-31T23:59:59Z'), '2026-01-31'],
		[inAuckland('2026-01-31T01:00:00'), '2026-01-31'],
	])('%j is written %s', (given, written) => {
		expect(accepted(isoDay(), given)).toBe(written);
	});

	it.each<[unknown]>([
		['2026-02-29'],
		['2026-00-10'],
		['2026-13-01'],
		['13/01/2026'],
		['31.01.2026'],
		['2026-1-1'],
		['2026-01-315'],
		['yesterday'],
		[20260131],
		[true],
		[new Date('x')],
		[inAuckland('2026-01-31').setZone('nowhere')],
		[{ year: 2026 }],
		[['2026-01-01']],
	])('%j is none', (given) => {
		expect(refusals(isoDay(), given)).toEqual(['must be a date such as 2026-11-21']);
	});
});

describe('a time filter', () => {
	it.each<[unknown, string | undefined]>([
		[{ range: 'qdr:h' }, 'qdr:h'],
		[{ sortByDate: 'true', range: 'qdr:w' }, 'sbd:1,qdr:w'],
		[{ sortByDate: false }, undefined],
		[{ from: '2026-03-01', to: '2026-03-31' }, 'cdr:1,cd_min:03/01/2026,cd_max:03/31/2026'],
		[{ from: '2026-03-01', range: '', to: '' }, 'cdr:1,cd_min:03/01/2026,cd_max:11/21/2026'],
		[{ from: '2026-11-25' }, 'cdr:1,cd_min:11/25/2026,cd_max:11/25/2026'],
		[
			{ sortByDate: true, from: '2026-03-01', to: '2026-03-01' },
			'sbd:1,cdr:1,cd_min:03/01/2026,cd_max:03/01/2026',
		],
		[' sbd:1,qdr:h6 ', 'sbd:1,qdr:h6'],
		['{"range": "qdr:m"}', 'qdr:m'],
	])('%j is %s', (given, sent) => {
		expect(accepted(tbs.valueSchema, given)).toBe(sent);
	});

	it('takes today as it is written where the user is, though the day has not begun here', () => {
		jest.setSystemTime(new Date('2026-11-21T12:00:00Z'));
		const from = tryToParseDateTime(new Date().toISOString()).setZone('Pacific/Auckland');
		expect(accepted(tbs.valueSchema, { from })).toBe('cdr:1,cd_min:11/22/2026,cd_max:11/22/2026');
	});

	it.each<[unknown, string]>([
		[{ from: '2026-03-02', to: '2026-03-01' }, `to must not be before 'From'`],
		[{ from: '2026-02-30' }, 'from must be a date such as 2026-11-21'],
		[{ to: '2026-03-31' }, `requires 'From' if 'To' is set`],
		[{ range: 'qdr:w', from: '2026-03-01' }, `allows either 'Period' or 'From' and 'To'`],
		[{ range: 'qdr:x' }, 'range must be one of qdr:d, qdr:h, qdr:m, qdr:w, qdr:y, not qdr:x'],
		[7, 'must be an object'],
		[' ', 'must not be blank'],
	])('%j is refused', (given, words) => {
		expect(refusals(tbs.valueSchema, given)).toEqual([words]);
	});
});
