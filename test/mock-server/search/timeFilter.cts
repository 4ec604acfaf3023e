/** What a `tbs` value asks for; times in milliseconds since the epoch. */
export interface TimeFilter {
	/** Newest first instead of by relevance. */
	byDate: boolean;
	/** Age that a page may have at most. */
	maxAge?: number;
	/** Whole days, the last one included. */
	from?: number;
	until?: number;
}

const hour = 3_600_000;
const day = 24 * hour;
const ranges: Record<string, number> = {
	h: hour,
	d: day,
	w: 7 * day,
	m: 30 * day,
	y: 365 * day,
};

/** Whether a text is a time filter of the public API reference: `qdr:`, `cdr:1` with both ends, `sbd:1`. */
export function isTbs(tbs: string): boolean {
	return parse(tbs) !== undefined;
}

/** Reads a valid `tbs`; an absent one filters nothing. */
export function timeFilter(tbs: string | undefined): TimeFilter {
	return (tbs && parse(tbs)) || { byDate: false };
}

/** Whether a page last changed at `published` passes the filter at the time `now`. */
export function passes(filter: TimeFilter, published: number, now: number): boolean {
	if (filter.maxAge !== undefined && published < now - filter.maxAge) return false;
	if (filter.from !== undefined && published < filter.from) return false;
	return filter.until === undefined || published < filter.until;
}

function parse(tbs: string): TimeFilter | undefined {
	const values = new Map<string, string>();
	for (const part of tbs.split(',')) {
		const [, name, value] = /^(qdr|cdr|cd_min|cd_max|sbd):(.+)$/.exec(part) ?? [];
		if (!name || !value || values.has(name)) return undefined;
		values.set(name, value);
	}
	const filter: TimeFilter = { byDate: values.has('sbd') };
	if (filter.byDate && values.get('sbd') !== '1') return undefined;
	const range = values.get('qdr');
	if (range !== undefined) {
		const [, unit, count] = /^([hdwmy])(\d*)$/.exec(range) ?? [];
		if (!unit || (Number(count) === 0) !== (count === '')) return undefined;
		filter.maxAge = ranges[unit] * Number(count || 1);
	}
	const custom = ['cdr', 'cd_min', 'cd_max'].filter((name) => values.has(name)).length;
	if (custom === 0) return filter;
	const from = date(values.get('cd_min'));
	const last = date(values.get('cd_max'));
	if (range !== undefined || values.get('cdr') !== '1') return undefined;
	if (from === undefined || last === undefined || last < from) return undefined;
	return { ...filter, from, until: last + day };
}

/** Midnight UTC of a MM/DD/YYYY date that exists in the calendar. */
function date(text = ''): number | undefined {
	const [, month, dayOfMonth, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
	const time = Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth));
	return new Date(time).getUTCDate() === Number(dayOfMonth) ? time : undefined;
}
