import type { IDataObject } from 'n8n-workflow';

const day = 86_400_000;

/** Milliseconds of the units in which search engines report the age of news. */
const units: Record<string, number> = {
	second: 1_000,
	minute: 60_000,
	hour: 3_600_000,
	day,
	week: 7 * day,
	month: 30 * day,
	year: 365 * day,
};

const age = /^(\d+) (second|minute|hour|day|week|month|year)s? ago$/i;

/** Parses the date or age of a result to Unix milliseconds; 0 if it has none. */
export function publishedAt({ date, publishedDate, createdDate }: IDataObject): number {
	const given = [date, publishedDate, createdDate].find((value) => typeof value === 'string');
	const text = String(given).trim();
	const [, count, unit] = age.exec(text) ?? [];
	const time =
		unit === undefined ? Date.parse(text) : Date.now() - Number(count) * units[unit.toLowerCase()];
	return Number.isNaN(time) ? 0 : time;
}
