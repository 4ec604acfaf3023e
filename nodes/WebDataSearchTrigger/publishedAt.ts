import type { IDataObject } from 'n8n-workflow';

const day = 86_400_000;

/** Milliseconds in the units by which search engines give the age of news. */
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

/** When a result says it was published, as date or as age, in Unix milliseconds; the beginning of time when it does not. */
export function publishedAt({ date, publishedDate, createdDate }: IDataObject): number {
	const given = [date, publishedDate, createdDate].find((value) => typeof value === 'string');
	const words = String(given).trim();
	const [, count, unit] = age.exec(words) ?? [];
	const time =
		unit === undefined ? Date.parse(words) : Date.now() - Number(count) * units[unit.toLowerCase()];
	return Number.isNaN(time) ? 0 : time;
}
