import type { INodeProperties } from 'n8n-workflow';
import { check, isRecord, isUnset, Refusal } from '../../runtime/contract';
import { calendarDay, type Day } from './day';

/** Time filter of a search (api-v2, Search request, `tbs`): parts in the editor, one comma-joined value on the wire. */
export const tbsField: INodeProperties = {
	displayName: 'Time Filter',
	name: 'tbs',
	type: 'collection',
	placeholder: 'Add Time Filter',
	default: {},
	description: 'Only results from a period, newest first if wanted. Takes the API\'s own value by expression.',
	options: [
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
			description: 'How far back from now; not together with From and To',
		},
		{
			displayName: 'Raw Value',
			name: 'raw',
			type: 'string',
			default: '',
			placeholder: 'e.g. sbd:1,qdr:w',
			description: 'The API\'s own notation, in place of the other fields',
		},
		{
			displayName: 'Sort by Date',
			name: 'sortByDate',
			type: 'boolean',
			default: false,
			description: 'Whether the newest results come first',
		},
		{
			displayName: 'To',
			name: 'to',
			type: 'dateTime',
			default: '',
			description: 'Last day of the period, today when empty',
		},
	],
};

const onWire = ([year, month, day]: Day) =>
	`${String(month).padStart(2, '0')}/${String(day).padStart(2, '0')}/${year}`;

const order = ([year, month, day]: Day) => year * 10_000 + month * 100 + day;

function period(from: unknown, to: unknown): string[] | Refusal {
	const start = isUnset(from) ? undefined : calendarDay(from);
	const end = isUnset(to) ? undefined : calendarDay(to);
	if (start === undefined && !isUnset(from)) return new Refusal(`has a 'From' that is no date`);
	if (end === undefined && !isUnset(to)) return new Refusal(`has a 'To' that is no date`);
	if (start && end && order(end) < order(start)) return new Refusal(`has a 'To' before its 'From'`);
	const bounds = [start && `cd_min:${onWire(start)}`, end && `cd_max:${onWire(end)}`];
	const given = bounds.filter((bound) => bound !== undefined);
	return given.length === 0 ? [] : ['cdr:1', ...given];
}

/** Checks the API's own notation and returns it without blanks. */
function rawTimeFilter(raw: string): string | Refusal {
	const parts = raw.split(',').map((part) => part.trim());
	const bound = (name: string) => parts.find((part) => part.startsWith(name))?.slice(name.length);
	const known = /^(qdr:[hdwmy]\d*|cdr:1|sbd:[01]|cd_(min|max):\d{1,2}\/\d{1,2}\/\d{4})$/;
	const wrong = parts.find((part) => !known.test(part));
	if (wrong !== undefined) {
		return new Refusal(
			`has '${wrong}', which is none of qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, sbd:1 and cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`,
		);
	}
	const dates = period(bound('cd_min:'), bound('cd_max:'));
	if (dates instanceof Refusal) return dates;
	if (dates.length > 0 !== parts.includes('cdr:1')) {
		return new Refusal('must have cdr:1 together with cd_min or cd_max');
	}
	return parts.join(',');
}

/** Reads the stored parts, or the API's own text, into the value of `tbs`; undefined when nothing is asked for. */
export function timeFilter(value: unknown): string | undefined | Refusal {
	if (typeof value === 'string') return rawTimeFilter(value);
	if (!isRecord(value)) return new Refusal('must be text such as qdr:w');
	const { raw, range, from, to, sortByDate } = value;
	const others = { range, from, to, sortByDate: sortByDate === true ? true : undefined };
	if (!isUnset(raw)) {
		return isUnset(others)
			? rawTimeFilter(String(raw))
			: new Refusal(`takes either 'Raw Value' or its other fields`);
	}
	const dates = period(from, to);
	if (dates instanceof Refusal) return dates;
	if (!isUnset(range) && dates.length > 0) {
		return new Refusal(`takes either 'Period' or 'From' and 'To'`);
	}
	const parts = [
		...(sortByDate === true ? ['sbd:1'] : []),
		...(isUnset(range) ? [] : [String(range)]),
		...dates,
	];
	return parts.length === 0 ? undefined : rawTimeFilter(parts.join(','));
}

export const tbs = () => check(timeFilter);
