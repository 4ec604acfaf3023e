import { ValidationFailure, preview } from '../../../runtime/form/schema';

/** What the service allows at most: a check every five minutes (https://docs.firecrawl.dev/features/monitoring). */
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

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const weekdays = 'sun mon tue wed thu fri sat'.split(' ');

/** The five fields: their bounds, and the names that stand for numbers, as the service knows no names. */
const kinds = [
	{ min: 0, max: 59, nameOf: {} },
	{ min: 0, max: 23, nameOf: {} },
	{ min: 1, max: 31, nameOf: {} },
	{ min: 1, max: 12, nameOf: Object.fromEntries(months.map((name, index) => [name, index + 1])) },
	{ min: 0, max: 7, nameOf: Object.fromEntries(weekdays.map((name, index) => [name, index])) },
];

/** A field with numbers for names. A range that ends on Sunday ends on the seventh day. */
function inNumbers(field: string, nameOf: Record<string, number>): string {
	const numbers = field.replace(/[a-z]+/gi, (word) => {
		const name = word.toLowerCase();
		return Object.hasOwn(nameOf, name) ? String(nameOf[name]) : word;
	});
	return /sun/i.test(field) ? numbers.replaceAll('-0', '-7') : numbers;
}

const notTaken = (part: string) =>
	new ValidationFailure(
		`has '${preview(part)}', which the service does not take: only numbers in their bounds, lists such as 1,3, ranges such as 1-5, steps such as */2, and names of months and days`,
	);

const example = 'must be a cron expression of five fields such as 0 9 * * 1-5';

/** A cron expression of five fields as the service takes it (docs/api-notes.md, Requests): of numbers and the signs * , - / alone. */
export function normalizeCron(value: string): string | ValidationFailure {
	const given = value.trim().split(/\s+/);
	if (given.length !== kinds.length)
		return new ValidationFailure(`${example}, not ${preview(value)}`);
	const fields = kinds.map(({ nameOf }, index) => inNumbers(given[index], nameOf));
	const [minutes, hours, ...others] = kinds.map(({ min, max }, index) =>
		numbersOf(fields[index], min, max),
	);
	if (!minutes || !hours) return new ValidationFailure(`${example}, not ${preview(value)}`);
	const wrong = others.indexOf(undefined);
	if (wrong >= 0) return notTaken(given[wrong + 2]);
	const days = fields.slice(2);
	const everyDay = days.every((field) => field === '*');
	return shortestGap(minutes, hours, everyDay) < shortestPause
		? new ValidationFailure(`must not run more often than every ${shortestPause} minutes`)
		: fields.join(' ');
}
