import { z } from 'zod/v3';
import { ValidationFailure, preview } from '../../../runtime/form/schema';
import { field, required, string } from '../../../runtime/form/field';
import { object } from '../../../runtime/form/form';
import { attempt } from '../../../runtime/values/settle';
import { normalizeCron } from './cron';

/** The name of a time zone that this machine knows, too. Offsets such as +02:00 are no names. */
function normalizeTimeZone(value: string): string | ValidationFailure {
	const timeZone = value.trim();
	const known = attempt(() => new Intl.DateTimeFormat('en', { timeZone }));
	return known.ok && !/^[+-]/.test(timeZone)
		? timeZone
		: new ValidationFailure(
				`must be the name of a time zone such as Europe/Berlin, not ${preview(timeZone)}`,
			);
}

const { property, valueSchema: given } = object(
	{
		displayName: 'Schedule',
		placeholder: 'Add Setting',
		default: { text: '' },
		description: 'When to check: Cron or Text, not both, at most every 5 minutes',
	},
	{
		cron: string({
			displayName: 'Cron',
			normalize: normalizeCron,
			placeholder: 'e.g. 0 9 * * 1-5',
			description:
				'Five fields: minute, hour, day of the month, month, day of the week; numbers or names such as MON',
		}),
		text: string({
			displayName: 'Text',
			max: 128,
			placeholder: 'e.g. daily at 9am',
			description:
				'In plain English, up to 128 characters, such as: every 30 minutes, hourly, every 2 hours, daily at 9am',
		}),
		timezone: string({
			displayName: 'Time Zone',
			normalize: normalizeTimeZone,
			placeholder: 'e.g. Europe/Berlin',
			description: 'IANA name of the time zone that the schedule is in; UTC when empty',
		}),
	},
	({ cron, text: words }, refuse) => {
		if (cron === undefined && words === undefined) refuse(`needs 'Cron' or 'Text'`);
		if (cron !== undefined && words !== undefined) {
			refuse(`takes either 'Cron' or 'Text', not both`);
		}
	},
);

/** When a monitor checks its targets: either `cron` or `text`. */
export const schedule = field(
	property,
	z.preprocess((value) => value ?? {}, given),
);

/** The schedule of a new monitor, which has one. */
export const newSchedule = required(schedule);
