import { notification } from '../../../../../nodes/WebData/fields/monitor/notification';
import { accepted, refusals } from '../../../schemaAssertions.cjs';

const addresses = (count: number) =>
	Array.from({ length: count }, (_, index) => `a${index}@b.example`);

describe('a notification', () => {
	it.each<[unknown, unknown?]>([
		[{ email: { enabled: true } }],
		[{ email: { enabled: false } }],
		[
			{
				email: { enabled: true, recipients: 'ada@a.example, bob@b.example', includeDiffs: 'true' },
			},
			{
				email: {
					enabled: true,
					recipients: ['ada@a.example', 'bob@b.example'],
					includeDiffs: true,
				},
			},
		],
		[{ email: { enabled: true, recipients: addresses(25) } }],
		[{ slack: { enabled: true, channelId: 'C1', channelName: 'prices' } }],
		[
			{ email: {}, slack: { channelName: 'prices', channelId: '' } },
			{ slack: { channelName: 'prices' } },
		],
		[{ slack: { enabled: false } }],
	])('%j', (given, sent = given) => {
		expect(accepted(notification().valueSchema, given)).toEqual(sent);
	});

	it.each<[unknown, string]>([
		[{ email: 'ada@a.example' }, 'email must be an object'],
		[{ slack: { enabled: true } }, `slack channelId is required`],
	])('%j is refused', (given, words) => {
		expect(refusals(notification().valueSchema, given)).toEqual([words]);
	});
});
