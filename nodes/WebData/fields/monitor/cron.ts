import { Refusal, shown } from '../../../runtime/contract';

/** What the service allows at most: a check every five minutes (addendum 10). */
const shortestPause = 5;

const part = /^(\*|\d+)(?:-(\d+))?(?:\/(\d+))?$/;

function numbersOfPart(words: string, min: number, max: number): number[] | undefined {
	const match = part.exec(words);
	if (!match) return undefined;
	const [first, last, step] = match.slice(1).map((word: string | undefined) => word ?? '');
	if (first === '*' && last !== '') return undefined;
	const from = first === '*' ? min : Number(first);
	const open = first === '*' || (last === '' && step !== '');
	const to = open ? max : Number(last === '' ? first : last);
	const pace = step === '' ? 1 : Number(step);
	if (from < min || to > max || from > to || pace === 0) return undefined;
	return Array.from(
		{ length: Math.floor((to - from) / pace) + 1 },
		(_, index) => from + index * pace,
	);
}

/** The numbers that a field of a cron expression stands for, such as 7-59/15; undefined when it is wrong or out of bounds. */
export function numbersOf(field: string, min: number, max: number): number[] | undefined {
	const parts = field.split(',').map((words) => numbersOfPart(words, min, max));
	const numbers = parts.flatMap((entries) => entries ?? []);
	return parts.includes(undefined) ? undefined : [...new Set(numbers)].sort((a, b) => a - b);
}

/** The shortest time between two runs in minutes; on days of which nothing is known, within one day. */
function shortestGap(minutes: number[], hours: number[], everyDay: boolean): number {
	const times = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
	const next = everyDay ? [...times, times[0] + 24 * 60] : times;
	return Math.min(...next.slice(1).map((time, index) => time - next[index]));
}

const example = 'must be a cron expression of five fields such as 0 9 * * 1-5';

/** A cron expression of five fields (addendum 10): minute and hour are read, days and months left to the service. */
export function mendCron(value: string): string | Refusal {
	const fields = value.trim().split(/\s+/);
	const [minute, hour, ...days] = fields;
	if (fields.length !== 5) return new Refusal(`${example}, not ${shown(value)}`);
	const minutes = numbersOf(minute, 0, 59);
	const hours = numbersOf(hour, 0, 23);
	if (!minutes || !hours || days.some((field) => !/^[\w*,/?#-]+$/.test(field))) {
		return new Refusal(`${example}, not ${shown(value)}`);
	}
	const everyDay = days.every((field) => field === '*');
	return shortestGap(minutes, hours, everyDay) < shortestPause
		? new Refusal(`must not run more often than every ${shortestPause} minutes`)
		: fields.join(' ');
}
