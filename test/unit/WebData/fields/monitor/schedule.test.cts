import { schedule } from '../../../../../nodes/WebData/fields/monitor/schedule';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

describe('a schedule', () => {
	it.each<[unknown, unknown?]>([
		[{ cron: '*/30 * * * *' }],
		[{ text: 'daily at 9am' }],
		[{ text: 'x'.repeat(128) }],
		[{ cron: '0 9 * * 1', timezone: 'Europe/Berlin' }],
		[{ text: 'hourly', timezone: 'UTC' }],
		[
			{ text: 'hourly', timezone: ' America/New_York ' },
			{ text: 'hourly', timezone: 'America/New_York' },
		],
		[{ cron: '', text: 'hourly', timezone: '' }, { text: 'hourly' }],
		['{"text": "hourly"}', { text: 'hourly' }],
	])('%j', (given, sent = given) => {
		expect(accepted(schedule.valueSchema, given)).toEqual(sent);
	});

	it.each<[unknown, string]>([
		[undefined, `requires 'Cron' or 'Text'`],
		[{}, `requires 'Cron' or 'Text'`],
		[{ timezone: 'UTC' }, `requires 'Cron' or 'Text'`],
		[{ cron: '0 9 * * 1', text: 'hourly' }, `allows either 'Cron' or 'Text', not both`],
		['hourly', 'must be an object'],
	])('%j is refused', (given, words) => {
		expect(refusals(schedule.valueSchema, given)).toEqual([words]);
	});

	it.each([
		['  0   9 * *\t1 ', '0 9 * * 1'],
		['0 9 * * MON-FRI', '0 9 * * 1-5'],
		['0 9 * * sat-sun', '0 9 * * 6-7'],
		['0 9 * * Sun,wed', '0 9 * * 0,3'],
		['0 0 1 jan,JUL-dec/2 *', '0 0 1 1,7-12/2 *'],
	])('sends %j with numbers for names, as the service knows none: %s', (cron, sent) => {
		expect(accepted(schedule.valueSchema, { cron })).toEqual({ cron: sent });
	});

	it.each(['hourly', '0 0 * MON *', '0 9 * * L', '0 0 9 * * 1'])(
		'leaves %s to the service, which checks it before it starts anything',
		(cron) => {
			expect(accepted(schedule.valueSchema, { cron })).toEqual({ cron });
		},
	);

	it('has no other field', () => {
		expect(
			schedule.valueSchema.safeParse({ text: 'hourly', every: 5 }).error?.issues,
		).toMatchObject([{ code: 'unrecognized_keys', keys: ['every'] }]);
	});
});
