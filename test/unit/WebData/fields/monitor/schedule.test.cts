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
		[undefined, `needs 'Cron' or 'Text'`],
		[{}, `needs 'Cron' or 'Text'`],
		[{ timezone: 'UTC' }, `needs 'Cron' or 'Text'`],
		[{ cron: '0 9 * * 1', text: 'hourly' }, `takes either 'Cron' or 'Text', not both`],
		[{ cron: '* * * * *' }, 'cron must not run more often than every 5 minutes'],
		[
			{ text: 'hourly', timezone: 'Mars/Olympus' },
			'timezone must be the name of a time zone such as Europe/Berlin, not Mars/Olympus',
		],
		[
			{ text: 'hourly', timezone: '+02:00' },
			'timezone must be the name of a time zone such as Europe/Berlin, not +02:00',
		],
		['hourly', 'must be an object'],
	])('%j is refused', (given, words) => {
		expect(refusals(schedule.valueSchema, given)).toEqual([words]);
	});

	it('has no other field', () => {
		expect(
			schedule.valueSchema.safeParse({ text: 'hourly', every: 5 }).error?.issues,
		).toMatchObject([{ code: 'unrecognized_keys', keys: ['every'] }]);
	});
});
