import { Cron } from 'croner';

/** When a monitor's checks run; plain text is turned into cron when it is read. */
export interface Schedule {
	/** Five fields. */
	cron: string;
	/** IANA name. */
	timezone: string;
}

const minute = 60_000;
const shortest = 5 * minute;
/** Runs that are looked at to find the two that are closest together. */
const sampled = 40;

/** The time of the first run after `after`; throws when there is none. */
export function nextRun(schedule: Schedule, after: number): number {
	const [time] = upcoming(schedule, after, 1);
	if (time === undefined) throw new Error(`Never comes to a run: ${schedule.cron}`);
	return time;
}

/** What is wrong with a schedule, if anything. */
export function scheduleFault(schedule: Schedule, now: number): string | undefined {
	if (!isTimeZone(schedule.timezone)) return 'Unknown time zone';
	if (!isCron(schedule.cron)) return 'Not a cron expression of five fields';
	const runs = upcoming(schedule, now, sampled);
	if (runs.length === 0) return 'The schedule never comes to a run';
	const gaps = runs.slice(1).map((time, index) => time - runs[index]);
	return gaps.some((gap) => gap < shortest)
		? 'Checks may not be more often than every 5 minutes'
		: undefined;
}

/** Counted once for each schedule: a list of monitors asks for all of them at every page. */
const perMonth = new WeakMap<Schedule, number>();

/** Checks in 30 days, by the distance of the next ones. */
export function runsPerMonth(schedule: Schedule, now: number): number {
	const known = perMonth.get(schedule);
	if (known !== undefined) return known;
	const runs = upcoming(schedule, now, sampled);
	const span = (runs.at(-1) ?? now) - runs[0];
	const count = Math.ceil((30 * 24 * 60 * minute * (runs.length - 1)) / span);
	perMonth.set(schedule, count);
	return count;
}

function upcoming({ cron, timezone }: Schedule, after: number, count: number): number[] {
	return pattern(cron, timezone)
		.nextRuns(count, new Date(after))
		.map((time) => time.getTime());
}

function pattern(cron: string, timezone?: string): Cron {
	return new Cron(cron, { timezone, mode: '5-part', paused: true });
}

/** Five fields of digits and the signs * , - / alone: none of the library's further signs, and no names. */
function isCron(cron: string): boolean {
	if (!/^[\d*/,-]+(?: [\d*/,-]+){4}$/.test(cron)) return false;
	try {
		pattern(cron);
		return true;
	} catch {
		return false;
	}
}

function isTimeZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		return /^[A-Z]/i.test(name);
	} catch {
		return false;
	}
}

/** Which phrase means which cron; undefined: the numbers in it make no schedule. */
const phrases: ReadonlyArray<[RegExp, (groups: string[]) => string | undefined]> = [
	[/^(?:hourly|every hour)$/, () => '0 * * * *'],
	[/^(?:daily|every day)$/, () => '0 0 * * *'],
	[/^(?:weekly|every week)$/, () => '0 0 * * 1'],
	[/^every (\d+) minutes(?: starting at :(\d\d))?$/, ([step, start]) => minutes(step, start)],
	[/^every (\d+) hours$/, ([step]) => hours(Number(step))],
	[
		/^(?:daily|every day) at (\d{1,2})(?::(\d\d))? ?(am|pm)?$/,
		([hour, minutes = '0', half]) => daily(Number(hour), Number(minutes), half),
	],
];

/**
 * The cron of a schedule in words; undefined for words that it does not know. Midnight and Monday stand
 * for what `daily` and `weekly` leave open.
 */
export function cronOf(text: string): string | undefined {
	const phrase = text.trim().toLowerCase().replace(/\s+/g, ' ');
	for (const [form, toCron] of phrases) {
		const found = form.exec(phrase);
		if (found) return toCron(found.slice(1));
	}
	return undefined;
}

/** Only what divides an hour comes at equal distances. */
function minutes(stepText: string, startText: string | undefined): string | undefined {
	const step = Number(stepText);
	const start = Number(startText ?? 0);
	if (step < 1 || 60 % step !== 0 || start > 59) return undefined;
	const first = start % step;
	const all = Array.from({ length: 60 / step }, (_, index) => first + index * step);
	return first === 0 && step < 60 ? `*/${step} * * * *` : `${all.join(',')} * * * *`;
}

function hours(step: number): string | undefined {
	return step >= 1 && 24 % step === 0 ? `0 ${step === 24 ? '0' : `*/${step}`} * * *` : undefined;
}

function daily(hour: number, minutes: number, half: string | undefined): string | undefined {
	if (minutes > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return undefined;
	return `${minutes} ${half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour} * * *`;
}
