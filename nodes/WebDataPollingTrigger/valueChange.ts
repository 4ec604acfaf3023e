import type { IDataObject } from 'n8n-workflow';
import { fieldOf, isRecord } from '../runtime/values/record';
import { SeenSet, fingerprint } from '../runtime/values/seenSet';
import { cutLine, oneLine } from '../runtime/values/text';

/** Compares the values of a page with those that were last reported. */

/** The fields that identify an entry of a list, the first that all entries have. */
const keyNames = ['id', 'sku', 'url', 'name', 'title'];

/** Most values whose absence is remembered until the next check. */
const mostMissing = 1_000;

export const isMissing = (value: unknown): boolean =>
	value === undefined || value === null || value === '';

// Long texts are stored as their beginning and a hash.

const [longestText, beginning, hashLength] = [40, 30, 8];
const shortened = /^(.{0,30}…)#([\w-]{8})$/su;

const plain = (text: string): string => oneLine(text.normalize('NFC'));

/** A text as it is compared: a long one by its hash, which is all that may be stored of it. */
function comparedText(text: string): string {
	const [, , hash] = shortened.exec(text) ?? [];
	const line = plain(text);
	if (hash === undefined && line.length <= longestText) return JSON.stringify(line);
	return `#${hash ?? fingerprint(line, hashLength)}`;
}

/** A value as it is compared, whatever the order of fields and entries. */
export function canonical(value: unknown): string {
	if (typeof value === 'string') return comparedText(value);
	if (Array.isArray(value)) return `[${value.map(canonical).sort().join()}]`;
	if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
	const fields = Object.entries(value).filter(([, each]) => !isMissing(each));
	const lines = fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`);
	return `{${lines.sort().join()}}`;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
	if (typeof value === 'string') return map(value);
	if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]),
	);
}

/** The name under which the hash of all values is stored if they are too many. */
const allValues = '#';

const hashOfAll = (content: unknown): IDataObject => ({
	[allValues]: fingerprint(canonical(content), 22),
});

/** Values as they are stored in at most so many bytes of JSON: with long texts shortened, or their hash. */
export function compacted(content: IDataObject, most: number): IDataObject {
	const fits = (values: IDataObject) => Buffer.byteLength(JSON.stringify(values)) <= most;
	if (fits(content)) return content;
	const short = mapTexts(content, (text) => {
		const line = plain(text);
		if (line.length <= longestText) return text;
		return `${cutLine(line, beginning)}#${fingerprint(line, hashLength)}`;
	}) as IDataObject;
	return fits(short) ? short : hashOfAll(content);
}

/** Stored values as they are shown: of a long text, the beginning; nothing of values that were too many. */
export const shownValues = (content: IDataObject): IDataObject | null =>
	allValues in content
		? null
		: (mapTexts(content, (text) => text.replace(shortened, '$1')) as IDataObject);

/** A value that differs from the one last reported. */
export interface Difference {
	/** Its place, such as `offers[sku=A1].price`. */
	path: string;
	/** Identifies the difference; an entry without a key by its value. */
	key: string;
	/** Undefined for one that appears, or that is gone. */
	before?: unknown;
	now?: unknown;
}

/** Decides which differences count. */
export interface Rules {
	/** Percent by which a number must have moved. */
	minChange: number;
	/** The values that the last check missed. */
	missing: unknown;
	/** The values by difference that an earlier look in the same check has shown; all count by default. */
	seen?: ReadonlyMap<string, string>;
	/** Names of fields that are not compared. */
	ignored?: readonly string[];
}

/** The name of the field that identifies the entries of all lists, if there is one. */
const keyOf = (...lists: unknown[][]): string | undefined =>
	keyNames.find((name) =>
		lists.every((list) => {
			const keys = list.map((each) => fieldOf(each, name));
			const areKeys = keys.every(
				(key) => typeof key === 'number' || (key && typeof key === 'string'),
			);
			return areKeys && new Set(keys).size === keys.length;
		}),
	);

/** The entries of a list by their keys, or by their values; equal ones count each. */
function entriesOf(list: unknown[], key: string | undefined): Map<string, unknown> {
	const entries = new Map<string, unknown>();
	const counts = new Map<string, number>();
	for (const entry of list) {
		const name = key === undefined ? canonical(entry) : `${key}=${String(fieldOf(entry, key))}`;
		const count = counts.get(name) ?? 0;
		counts.set(name, count + 1);
		entries.set(count === 0 ? name : `${name} ${count}`, entry);
	}
	return entries;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The comparison of two values; collects what differs, and what is missing for the first time. */
class ValueComparison {
	readonly differences: Difference[] = [];
	readonly missing = new SeenSet(undefined, mostMissing);
	private readonly missingBefore: SeenSet;

	constructor(private readonly rules: Rules) {
		this.missingBefore = new SeenSet(rules.missing, mostMissing);
	}

	/**
	 * Whether a difference counts. A value that is missing, or another at each look, must be so in two checks, unless
	 * another entry has taken its place.
	 */
	private counts(difference: Difference, isReplaced = false): boolean {
		const { key, before, now } = difference;
		const { seen } = this.rules;
		const isUnsettled = seen?.has(key) === true && seen.get(key) !== canonical(now);
		const needsTwo = isUnsettled || (now === undefined && !isReplaced);
		const isSeen = seen?.has(key) ?? true;
		const memory = needsTwo ? `${key}: ${canonical(before)}` : '';
		if (isSeen && (!needsTwo || this.missingBefore.has(memory))) {
			this.differences.push(difference);
			return true;
		}
		if (needsTwo) this.missing.add(memory);
		return false;
	}

	/** Returns what is reported of a value: as it is now, or as before where the difference does not count. */
	merge(before: unknown, now: unknown, path: string): unknown {
		if (before === now) return now ?? null;
		const there = [before, now].filter((each) => !isMissing(each));
		if (there.length === 0) return null;
		if (there.every(Array.isArray)) return this.mergeLists(asList(before), asList(now), path);
		if (there.every(isRecord)) return this.mergeRecords(before, now, path);
		const isSmall =
			typeof before === 'number' &&
			typeof now === 'number' &&
			Math.abs(now - before) * 100 < Math.abs(before) * this.rules.minChange;
		if (isSmall || canonical(before) === canonical(now)) return now;
		const [one, other] = [before, now].map((each) => (isMissing(each) ? undefined : each));
		return this.counts({ path, key: path, before: one, now: other }) ? (other ?? null) : before;
	}

	private mergeRecords(before: unknown, now: unknown, path: string): unknown {
		const names = new Set([before, now].flatMap((each) => Object.keys(Object(each))));
		const merged = [...names].map((name) => {
			const [one, other] = [fieldOf(before, name), fieldOf(now, name)];
			if (this.rules.ignored?.includes(name)) return [name, other ?? one];
			return [name, this.merge(one, other, path === '' ? name : `${path}.${name}`)];
		});
		return Object.fromEntries(merged);
	}

	private mergeLists(before: unknown[], now: unknown[], path: string): unknown[] {
		const key = keyOf(before, now);
		const [known, found] = [entriesOf(before, key), entriesOf(now, key)];
		const added = [...found.keys()].filter((name) => !known.has(name));
		// Without a key, an entry with another value takes the place of one that is gone.
		let replacing = key === undefined ? added.length : 0;
		return [...new Set([...found.keys(), ...known.keys()])].flatMap((name) => {
			const [one, other] = [known.get(name), found.get(name)];
			const place = `${path}[${name}]`;
			if (one !== undefined && other !== undefined) return [this.merge(one, other, place)];
			if (other === undefined) replacing -= 1;
			const difference = {
				path: key === undefined ? path : place,
				key: place,
				before: one,
				now: other,
			};
			const entry = this.counts(difference, replacing >= 0) ? other : one;
			return entry === undefined ? [] : [entry];
		});
	}
}

/** Compares values with those last reported, which may be stored as `compacted` returns them. */
export function compareValues(before: unknown, now: unknown, rules: Rules) {
	const comparison = new ValueComparison(rules);
	const isWhole = isRecord(before) && allValues in before;
	const merged = comparison.merge(before, isWhole ? hashOfAll(now) : now, '');
	const { differences, missing } = comparison;
	return { reported: isWhole ? now : merged, differences, missing: missing.toString() };
}
