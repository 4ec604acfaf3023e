import { boolean, field, oneOf } from '../../runtime/form/field';
import { object } from '../../runtime/form/form';
import {
	check,
	forwardIssues,
	isOn,
	stringSchema,
	ValidationFailure,
	transformSchema,
} from '../../runtime/form/schema';
import { isRecord } from '../../runtime/values/record';

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const usDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

function dateText(value: unknown): string {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	// Luxon's DateTime, which n8n's expressions return, converts itself to ISO.
	if (isRecord(value) && typeof value.toISO === 'function') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/** The day of a date in its own time zone as YYYY-MM-DD, also of MM/DD/YYYY. */
export const isoDay = () =>
	check((value) => {
		const text = dateText(value);
		const iso = isoDate.exec(text);
		const us = usDate.exec(text);
		const [year, month, day] = (iso ? iso.slice(1) : us ? [us[3], us[1], us[2]] : []).map(Number);
		const date = new Date(Date.UTC(year, month - 1, day));
		return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
			? date.toISOString().slice(0, 10)
			: new ValidationFailure('must be a date such as 2026-11-21');
	});

/** A day from the date picker. */
export const day = (displayName: string, description: string) =>
	field({ displayName, description, type: 'dateTime', default: '' }, isoDay());

const parts = object(
	'Time Filter',
	'Filters and sorts results by date',
	{ placeholder: 'Add Time Filter', default: { range: 'qdr:w' } },
	{
		from: day('From', 'First day of the period'),
		range: oneOf('Period', 'Time range until now; cannot be combined with From and To', {
			default: 'qdr:w',
			options: {
				'qdr:d': 'Past Day',
				'qdr:h': 'Past Hour',
				'qdr:m': 'Past Month',
				'qdr:w': 'Past Week',
				'qdr:y': 'Past Year',
			},
		}),
		sortByDate: boolean('Sort by Date', 'Whether to sort by date, newest first'),
		to: day('To', 'Last day of the period; today if empty'),
	},
	({ from, range, to }, reject) => {
		if (range !== undefined && (from ?? to) !== undefined)
			reject(`allows either 'Period' or 'From' and 'To'`);
		if (from === undefined && to !== undefined) reject(`requires 'From' if 'To' is set`);
		if (from !== undefined && to !== undefined && to < from)
			reject(`must not be before 'From'`, 'to');
	},
);

/** A day in the API's form. */
const inApi = (iso: string) => iso.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');

function today(): string {
	const now = new Date();
	const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
	return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/**
 * Time filter of a search: parts in the editor, one comma-separated text in the API, which an
 * expression may also give (https://docs.firecrawl.dev/features/search). The API requires both ends
 * of a period, so an open one ends today, which may be a day ahead of this machine's.
 */
export const tbs = field(
	parts.property,
	transformSchema((value, context): string | undefined => {
		const isText = typeof value === 'string' && !value.trim().startsWith('{');
		if (isText) {
			const text = stringSchema().safeParse(value);
			return text.success ? text.data.trim() : forwardIssues(text.error, context);
		}
		const given = parts.valueSchema.safeParse(value);
		if (!given.success) return forwardIssues(given.error, context);
		const { from, range, sortByDate, to } = given.data;
		const end = to ?? (from !== undefined && from > today() ? from : today());
		const filter = [
			...(isOn(sortByDate) ? ['sbd:1'] : []),
			...(range === undefined ? [] : [range]),
			...(from === undefined ? [] : ['cdr:1', `cd_min:${inApi(from)}`, `cd_max:${inApi(end)}`]),
		];
		return filter.length === 0 ? undefined : filter.join(',');
	}),
);
