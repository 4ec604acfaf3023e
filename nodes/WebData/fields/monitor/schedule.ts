import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { fields, Refusal, shown, text } from '../../../runtime/contract';
import { attempt } from '../../../runtime/outcome';
import { mendCron } from './cron';

/** When a monitor checks its targets (addendum 10, `schedule`). */
export const scheduleField: INodeProperties = {
	displayName: 'Schedule',
	name: 'schedule',
	type: 'collection',
	placeholder: 'Add Setting',
	default: { text: '' },
	description: 'When to check: Cron or Text, not both, at most every 5 minutes',
	options: [
		{
			displayName: 'Cron',
			name: 'cron',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0 9 * * 1-5',
			description:
				'Five fields: minute, hour, day of the month, month, day of the week; numbers or names such as MON',
		},
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			default: '',
			placeholder: 'e.g. daily at 9am',
			description:
				'In plain English, up to 128 characters, such as: every 30 minutes, hourly, every 2 hours, daily at 9am',
		},
		{
			displayName: 'Time Zone',
			name: 'timezone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description: 'IANA name of the time zone that the schedule is in; UTC when empty',
		},
	],
};

/** The schedule of a new monitor, which has one. */
export const newScheduleField: INodeProperties = {
	...scheduleField,
	required: true,
};

/** The name of a time zone that this machine knows, too. Offsets such as +02:00 are no names. */
function mendTimeZone(value: string): string | Refusal {
	const timeZone = value.trim();
	const known = attempt(() => new Intl.DateTimeFormat('en', { timeZone }));
	return 'value' in known && !/^[+-]/.test(timeZone)
		? timeZone
		: new Refusal(`must be the name of a time zone such as Europe/Berlin, not ${shown(timeZone)}`);
}

/** Either `cron` or `text`. */
export const schedule = () =>
	z.preprocess(
		(value) => value ?? {},
		fields(
			{
				cron: text({ mend: mendCron }).optional(),
				text: text({ max: 128 }).optional(),
				timezone: text({ mend: mendTimeZone }).optional(),
			},
			({ cron, text: words }, refuse) => {
				if (cron === undefined && words === undefined) refuse(`needs 'Cron' or 'Text'`);
				if (cron !== undefined && words !== undefined) {
					refuse(`takes either 'Cron' or 'Text', not both`);
				}
			},
		),
	);
