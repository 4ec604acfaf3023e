import { z } from 'zod/v3';
import { field, required, string } from '../../../runtime/form/field';
import { object } from '../../../runtime/form/form';

/**
 * The names of numbers in a cron expression, by the field's position: months and days of the week.
 */
const names = new Map([
	[3, ' jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')],
	[4, 'sun mon tue wed thu fri sat'.split(' ')],
]);

/**
 * Replaces names by numbers, because the service knows no names. A range until Sunday ends on day
 * 7.
 */
function inNumbers(field: string, place: number): string {
	const numbers = field.replace(/[a-z]+/gi, (word) => {
		const number = names.get(place)?.indexOf(word.toLowerCase()) ?? -1;
		return number < 0 ? word : String(number);
	});
	return /sun/i.test(field) ? numbers.replaceAll('-0', '-7') : numbers;
}

/**
 * Normalizes a cron expression for the service (docs/api-notes.md, Requests), which validates it.
 */
const normalizeCron = (value: string) => value.trim().split(/\s+/).map(inNumbers).join(' ');

const { property, valueSchema: given } = object(
	{
		displayName: 'Schedule',
		placeholder: 'Add Setting',
		default: { text: '' },
		description: 'When to check: Cron or Text, not both; at most every 5 minutes',
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
				'In English, up to 128 characters, such as: every 30 minutes, hourly, every 2 hours, daily at 9am',
		}),
		timezone: string({
			displayName: 'Time Zone',
			normalize: (value) => value.trim(),
			placeholder: 'e.g. Europe/Berlin',
			description: "IANA name of the schedule's time zone; UTC if empty",
		}),
	},
	({ cron, text: text }, reject) => {
		if (cron === undefined && text === undefined) reject(`requires 'Cron' or 'Text'`);
		if (cron !== undefined && text !== undefined) {
			reject(`allows either 'Cron' or 'Text', not both`);
		}
	},
);

/** The schedule of a monitor: either `cron` or `text`. */
export const schedule = field(
	property,
	z.preprocess((value) => value ?? {}, given),
);

/** The schedule of a new monitor, which requires one. */
export const newSchedule = required(schedule);
