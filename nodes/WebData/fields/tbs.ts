import type { INodeProperties } from 'n8n-workflow';
import { check, isOn, isUnset, ValidationFailure, preview } from '../../runtime/form/schema';
import { field } from '../../runtime/form/field';
import { isRecord } from '../../runtime/values/record';
import { calendarDay, type Day } from './day';

/** The parts of a time filter. */
const parts: INodeProperties[] = [
	{
		displayName: 'From',
		name: 'from',
		type: 'dateTime',
		default: '',
		description: 'First day of the period',
	},
	{
		displayName: 'Period',
		name: 'range',
		type: 'options',
		default: 'qdr:w',
		options: [
			{ name: 'Past Day', value: 'qdr:d' },
			{ name: 'Past Hour', value: 'qdr:h' },
			{ name: 'Past Month', value: 'qdr:m' },
			{ name: 'Past Week', value: 'qdr:w' },
			{ name: 'Past Year', value: 'qdr:y' },
		],
		description: 'Time range until now; cannot be combined with From and To',
	},
	{
		displayName: 'Raw Value',
		name: 'raw',
		type: 'string',
		default: '',
		placeholder: 'e.g. sbd:1,qdr:w',
		description: "Value in the API's notation, instead of the other fields",
	},
	{
		displayName: 'Sort by Date',
		name: 'sortByDate',
		type: 'boolean',
		default: true,
		description: 'Whether to sort by date, newest first',
	},
	{
		displayName: 'To',
		name: 'to',
		type: 'dateTime',
		default: '',
		description: 'Last day of the period; today if empty',
	},
];

const onWire = ([year, month, day]: Day) =>
	`${String(month).padStart(2, '0')}/${String(day).padStart(2, '0')}/${year}`;

const order = ([year, month, day]: Day) => year * 10_000 + month * 100 + day;

const today = (): Day => {
	const now = new Date();
	return [now.getFullYear(), now.getMonth() + 1, now.getDate()];
};

const later = (one: Day, other: Day) => (order(one) < order(other) ? other : one);

/** A custom period in the API's form. The API requires both ends, so an open one becomes today. */
function period(from: unknown, to: unknown): string[] | ValidationFailure {
	if (isUnset(from) && isUnset(to)) return [];
	if (isUnset(from)) return new ValidationFailure(`requires 'From' if 'To' is set`);
	const start = calendarDay(from);
	if (!start) return new ValidationFailure(`has a 'From' that is not a date`);
	// The user's today may be a day ahead of this machine's.
	const end = isUnset(to) ? later(start, today()) : calendarDay(to);
	if (!end) return new ValidationFailure(`has a 'To' that is not a date`);
	if (order(end) < order(start)) return new ValidationFailure(`has a 'To' before its 'From'`);
	return ['cdr:1', `cd_min:${onWire(start)}`, `cd_max:${onWire(end)}`];
}

const kinds = ['sbd:', 'qdr:', 'cdr:', 'cd_min:', 'cd_max:'];

/** Parses the API's own notation: each part once, a period either predefined or custom. */
function rawTimeFilter(raw: string): string | ValidationFailure {
	const given = raw.split(',').map((part) => part.trim());
	const known = /^(qdr:[hdwmy](?:[1-9]\d{0,4})?|sbd:1|cdr:1|cd_(min|max):\d{1,2}\/\d{1,2}\/\d{4})$/;
	const wrong = given.find((part) => !known.test(part));
	if (wrong !== undefined) {
		return new ValidationFailure(
			`has '${preview(wrong)}', which is not one of qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, sbd:1 and cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`,
		);
	}
	const of = (kind: string) => given.filter((part) => part.startsWith(kind));
	const twice = kinds.find((kind) => of(kind).length > 1);
	if (twice !== undefined) return new ValidationFailure(`has ${twice} more than once`);
	const [custom, from, to] = ['cdr:', 'cd_min:', 'cd_max:'].map((kind) => of(kind).at(0));
	const ends = [custom, from, to].filter((part) => part !== undefined);
	if (ends.length % 3 !== 0)
		return new ValidationFailure('requires cdr:1, cd_min and cd_max together');
	if (custom !== undefined && of('qdr:').length > 0)
		return new ValidationFailure('allows either qdr or cdr');
	const dates = period(from?.slice('cd_min:'.length), to?.slice('cd_max:'.length));
	return dates instanceof ValidationFailure
		? dates
		: [...of('sbd:'), ...of('qdr:'), ...dates].join(',');
}

/** `rawTimeFilter` rejects anything but text, with a message that shows it. */
const asText = (value: unknown) => (typeof value === 'string' ? value : preview(value));

const fields = new Set(parts.map(({ name }) => name));

/** Converts the stored parts, or the API's own text, to `tbs`; undefined if nothing is set. */
function timeFilter(value: unknown): string | undefined | ValidationFailure {
	if (typeof value === 'string') return rawTimeFilter(value);
	if (!isRecord(value)) return new ValidationFailure('must be text such as qdr:w');
	const unknown = Object.keys(value).find((name) => !fields.has(name));
	if (unknown !== undefined) return new ValidationFailure(`has no field '${preview(unknown)}'`);
	const { raw, range, from, to } = value;
	const newestFirst = isOn(value.sortByDate);
	if (!isUnset(raw)) {
		return isUnset({ range, from, to }) && !newestFirst
			? rawTimeFilter(asText(raw))
			: new ValidationFailure(`allows either 'Raw Value' or the other fields`);
	}
	const dates = period(from, to);
	if (dates instanceof ValidationFailure) return dates;
	if (!isUnset(range) && dates.length > 0) {
		return new ValidationFailure(`allows either 'Period' or 'From' and 'To'`);
	}
	const filter = [
		...(newestFirst ? ['sbd:1'] : []),
		...(isUnset(range) ? [] : [asText(range)]),
		...dates,
	];
	return filter.length === 0 ? undefined : rawTimeFilter(filter.join(','));
}

/**
 * Time filter of a search: parts in the editor, one comma-separated value in the API
 * (https://docs.firecrawl.dev/features/search).
 */
export const tbs = field(
	{
		displayName: 'Time Filter',
		type: 'collection',
		placeholder: 'Add Time Filter',
		default: { range: 'qdr:w' },
		description: 'Filters and sorts results by date',
		options: parts,
	},
	check(timeFilter),
);
