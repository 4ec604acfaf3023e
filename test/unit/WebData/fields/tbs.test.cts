import { DateTime } from 'luxon';
import { tbs } from '../../../../nodes/WebData/fields/tbs';
import { accepted, refusals } from '../../schemaAssertions.cjs';

beforeEach(() => {
	// Noon where the test runs, so that the day is the same everywhere.
	jest.useFakeTimers({ now: new Date(2026, 10, 21, 12) });
});
afterEach(() => {
	jest.useRealTimers();
});

describe('the parts of the editor become one value', () => {
	it.each<[unknown, string]>([
		[{ range: 'qdr:h' }, 'qdr:h'],
		[{ range: 'qdr:d' }, 'qdr:d'],
		[{ range: 'qdr:w' }, 'qdr:w'],
		[{ range: 'qdr:m' }, 'qdr:m'],
		[{ range: 'qdr:y' }, 'qdr:y'],
		[{ sortByDate: true }, 'sbd:1'],
		[{ sortByDate: true, range: 'qdr:w' }, 'sbd:1,qdr:w'],
		[{ sortByDate: false, range: 'qdr:w' }, 'qdr:w'],
		[{ from: '2026-03-01', to: '2026-03-31' }, 'cdr:1,cd_min:03/01/2026,cd_max:03/31/2026'],
		[{ from: '2026-03-01' }, 'cdr:1,cd_min:03/01/2026,cd_max:11/21/2026'],
		[{ from: '2026-03-01', to: '2026-03-01' }, 'cdr:1,cd_min:03/01/2026,cd_max:03/01/2026'],
		[
			{ sortByDate: true, from: '2026-03-01', to: '2026-03-31' },
			'sbd:1,cdr:1,cd_min:03/01/2026,cd_max:03/31/2026',
		],
		[{ raw: 'sbd:1,qdr:w' }, 'sbd:1,qdr:w'],
		[{ raw: 'qdr:w', range: '', from: '', to: '', sortByDate: false }, 'qdr:w'],
	])('%j is %s', (given, sent) => {
		expect(accepted(tbs.valueSchema, given)).toBe(sent);
	});

	it('asks for nothing when the sort is off and nothing else is set', () => {
		expect(accepted(tbs.valueSchema, { sortByDate: false })).toBeUndefined();
	});
});

describe("the API's own notation passes", () => {
	it.each(['qdr:h', 'qdr:h6', 'qdr:d', 'qdr:w', 'qdr:m18', 'qdr:y', 'sbd:1', 'sbd:1,qdr:w2'])(
		'%s',
		(raw) => {
			expect(accepted(tbs.valueSchema, raw)).toBe(raw);
		},
	);

	it('with two digits for day and month', () => {
		expect(accepted(tbs.valueSchema, 'cdr:1,cd_min:1/2/2026,cd_max:2/28/2026')).toBe(
			'cdr:1,cd_min:01/02/2026,cd_max:02/28/2026',
		);
	});

	it('in one order, whatever the order in which it was written', () => {
		expect(accepted(tbs.valueSchema, 'qdr:w,sbd:1')).toBe('sbd:1,qdr:w');
		expect(accepted(tbs.valueSchema, 'cd_max:2/28/2026,cdr:1,sbd:1,cd_min:1/2/2026')).toBe(
			'sbd:1,cdr:1,cd_min:01/02/2026,cd_max:02/28/2026',
		);
	});

	it('without blanks around its parts', () => {
		expect(accepted(tbs.valueSchema, ' cdr:1, cd_min:01/02/2026 , cd_max:02/28/2026 ')).toBe(
			'cdr:1,cd_min:01/02/2026,cd_max:02/28/2026',
		);
	});
});

describe('dates, as written wherever they come from', () => {
	it.each<[string, unknown, string]>([
		['a date picker', '2026-01-31T00:00:00', '01/31/2026'],
		['an ISO time in UTC', '2026-01-31T23:59:59.000Z', '01/31/2026'],
		['an ISO time of a western zone', '2026-01-31T23:30:00.000-05:00', '01/31/2026'],
		['an ISO time of an eastern zone', '2026-02-01T00:30:00+13:00', '02/01/2026'],
		['a day alone', '2026-01-31', '01/31/2026'],
		['American notation', '1/31/2026', '01/31/2026'],
		['a leap day', '2028-02-29', '02/29/2028'],
		['a JS Date', new Date('2026-01-31T12:00:00Z'), '01/31/2026'],
		[
			'a Luxon DateTime',
			DateTime.fromISO('2026-01-31T23:30:00', { zone: 'America/New_York' }),
			'01/31/2026',
		],
	])('%s', (_, from, day) => {
		expect(accepted(tbs.valueSchema, { from, to: from })).toBe(`cdr:1,cd_min:${day},cd_max:${day}`);
	});

	it.each<[string, unknown]>([
		['30 February', '2026-02-30'],
		['29 February of no leap year', '2026-02-29'],
		['a 13th month', '2026-13-01'],
		['words', 'yesterday'],
		['a broken Date', new Date('x')],
		['a broken DateTime', DateTime.invalid('test')],
		['a number', 20260131],
		['a date with a tail', '2026-01-315'],
	])('%s is no date', (_, date) => {
		expect(refusals(tbs.valueSchema, { from: date })).toEqual([`has a 'From' that is not a date`]);
		expect(refusals(tbs.valueSchema, { from: '2026-01-01', to: date })).toEqual([
			`has a 'To' that is not a date`,
		]);
	});
});

it('takes today as it is written where the user is, though the day has not begun here', () => {
	jest.setSystemTime(new Date('2026-11-21T12:00:00Z'));
	const from = DateTime.now().setZone('Pacific/Auckland');
	expect(accepted(tbs.valueSchema, { from })).toBe('cdr:1,cd_min:11/22/2026,cd_max:11/22/2026');
});

it('ends an open period on its first day when that is still to come', () => {
	expect(accepted(tbs.valueSchema, { from: '2026-11-25' })).toBe(
		'cdr:1,cd_min:11/25/2026,cd_max:11/25/2026',
	);
});

describe('what is refused', () => {
	it.each<[unknown, string]>([
		[{ from: '2026-03-02', to: '2026-03-01' }, `has a 'To' before its 'From'`],
		[{ from: '2026-12-31', to: '2026-01-01' }, `has a 'To' before its 'From'`],
		['cdr:1,cd_min:03/02/2026,cd_max:03/01/2026', `has a 'To' before its 'From'`],
		['cdr:1,cd_min:02/30/2026,cd_max:03/01/2026', `has a 'From' that is not a date`],
		['cdr:1,cd_min:01/01/2026,cd_max:13/01/2026', `has a 'To' that is not a date`],
		[{ to: '2026-03-31' }, `requires 'From' if 'To' is set`],
		[{ range: 'qdr:w', from: '2026-03-01' }, `allows either 'Period' or 'From' and 'To'`],
		[{ raw: 'qdr:w', range: 'qdr:d' }, `allows either 'Raw Value' or the other fields`],
		[{ raw: 'qdr:w', sortByDate: true }, `allows either 'Raw Value' or the other fields`],
		['cdr:1', 'requires cdr:1, cd_min and cd_max together'],
		['cd_min:01/01/2026', 'requires cdr:1, cd_min and cd_max together'],
		['cdr:1,cd_min:01/01/2026', 'requires cdr:1, cd_min and cd_max together'],
		[7, 'must be text such as qdr:w'],
		[['qdr:w'], 'must be text such as qdr:w'],
	])('%j', (given, words) => {
		expect(refusals(tbs.valueSchema, given)).toEqual([words]);
	});

	it.each([{ raw: { week: true } }, { range: { week: true } }])('%j, as it was given', (given) => {
		expect(refusals(tbs.valueSchema, given)).toEqual([
			expect.stringMatching(/^has '\{"week":true\}', which is not one of qdr:h/),
		]);
	});

	it.each([
		'qdr:x',
		'QDR:W',
		'last week',
		'qdr:w;sbd:1',
		'cdr:1,cd_min:2026-01-01',
		'qdr:',
		',',
		' ',
	])('%j, with the notation that is right', (raw) => {
		expect(refusals(tbs.valueSchema, raw)).toEqual([
			expect.stringContaining('qdr:h, qdr:d, qdr:w, qdr:m, qdr:y'),
		]);
		expect(tbs.valueSchema.safeParse({ raw }).success).toBe(false);
	});

	it.each([
		[{ from: '2026-03-01', until: '2026-04-01' }, `has no field 'until'`],
		[{ range: 'qdr:w', constructor: 'x' }, `has no field 'constructor'`],
		[{ range: 'sbd:0' }, expect.stringMatching(/^has 'sbd:0', which is not one of/)],
		[{ range: 'qdr:d,sbd:1', sortByDate: true }, 'has sbd: more than once'],
		['qdr:d,qdr:w', 'has qdr: more than once'],
		['sbd:1,sbd:1', 'has sbd: more than once'],
		['cdr:1,cdr:1,cd_min:01/01/2026,cd_max:01/02/2026', 'has cdr: more than once'],
		['cdr:1,cd_min:01/01/2026,cd_min:01/01/2026,cd_max:01/02/2026', 'has cd_min: more than once'],
		['qdr:w,cdr:1,cd_min:01/01/2026,cd_max:01/02/2026', 'allows either qdr or cdr'],
		['qdr:w0', expect.stringMatching(/^has 'qdr:w0', which is not one of/)],
		['qdr:2w', expect.stringMatching(/^has 'qdr:2w', which is not one of/)],
		['sbd:0', expect.stringMatching(/^has 'sbd:0', which is not one of/)],
		['sbd:1,,qdr:w', expect.stringMatching(/^has '', which is not one of/)],
	])('%j, as no part may be unknown, doubled or contradicted', (given, words) => {
		expect(refusals(tbs.valueSchema, given)).toEqual([words]);
	});

	it('a part that it does not know', () => {
		expect(tbs.valueSchema.safeParse({ period: 'qdr:w' }).success).toBe(false);
	});
});
