import type { IDataObject } from 'n8n-workflow';
import { cutLine } from '../runtime/values/text';
import { fromJson } from '../runtime/values/json';
import { isRecord, type JsonRecord } from '../runtime/values/record';

/** Most lines or fields of a difference, and most characters of each. */
const mostEntries = 100;
const longestEntry = 300;

/** Levels of fields that are compared one by one; deeper ones are compared as a whole. */
const comparedLevels = 5;

/** A difference as text: removed lines with a minus, added ones with a plus. */
function linesDiff(added: readonly string[], removed: readonly string[]): IDataObject {
	const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
	return {
		text: lines
			.slice(0, mostEntries)
			.map((line) => cutLine(line, longestEntry))
			.join('\n'),
		...(lines.length > mostEntries && { isTruncated: true }),
	};
}

/** The lines of a text that another one lacks; equal lines count each. */
function linesBeside(lines: readonly string[], others: readonly string[]): string[] {
	const counts = new Map<string, number>();
	for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
	return lines.filter((line) => {
		const count = counts.get(line) ?? 0;
		counts.set(line, count - 1);
		return count <= 0;
	});
}

/** The lines by which two texts differ. Lines that only moved are not among them. */
export function textDiff(before: string, now: string): IDataObject {
	const [old, current] = [before.split('\n'), now.split('\n')];
	return linesDiff(linesBeside(current, old), linesBeside(old, current));
}

/** The added and removed lines of a unified diff. */
export function unifiedDiff(text: string, isCompared: (line: string) => boolean): IDataObject {
	const lines = text.split('\n').filter((line) => !/^(?:\+\+\+|---)(?: |$)/.test(line));
	const starting = (sign: string) =>
		lines
			.filter((line) => line.startsWith(sign))
			.map((line) => line.slice(1))
			.filter((line) => line.trim() !== '' && isCompared(line));
	return linesDiff(starting('+'), starting('-'));
}

/** The values of all fields of an object by their paths. */
export function flatFields(value: unknown, path = '', levels = comparedLevels): JsonRecord {
	if (!isRecord(value) || levels === 0) return { [path]: value ?? null };
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, entry]) =>
			Object.entries(flatFields(entry, path === '' ? name : `${path}.${name}`, levels - 1)),
		),
	);
}

/** The smallest change of a number that counts. */
export interface Threshold {
	minChange: number;
	minChangeUnit: 'absolute' | 'percent';
}

/** A number, or a text that is one. */
function numberIn(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	const isNumber = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value);
	return isNumber ? Number(value) : undefined;
}

/** Relative error of a difference of two decimal numbers, such as 1.2 and 1.1. */
const rounding = 1e-9;

function isSmall(before: unknown, now: unknown, { minChange, minChangeUnit }: Threshold): boolean {
	const [from, to] = [numberIn(before), numberIn(now)];
	if (from === undefined || to === undefined) return false;
	const least = minChangeUnit === 'absolute' ? minChange : (Math.abs(from) * minChange) / 100;
	const change = Math.abs(to - from);
	if (change === 0) return least > 0 || typeof before !== typeof now;
	return change < least - rounding * Math.max(Math.abs(from), Math.abs(to));
}

/** A field whose value has changed. */
export interface FieldChange {
	field: string;
	previous: unknown;
	current: unknown;
}

/**
 * The fields that have changed between two flat objects, without small changes of numbers. A
 * missing field is null.
 */
export const fieldChanges = (
	before: JsonRecord,
	now: JsonRecord,
	threshold: Threshold,
): FieldChange[] =>
	Object.keys({ ...before, ...now })
		.map((field) => ({
			field,
			previous: before[field] ?? null,
			current: now[field] ?? null,
		}))
		.filter(
			({ previous, current }) =>
				JSON.stringify(previous) !== JSON.stringify(current) &&
				!isSmall(previous, current, threshold),
		);

/** The current fields; those that have not changed keep their value, so that small changes add up. */
export function withChanges(
	before: JsonRecord,
	now: JsonRecord,
	changes: readonly FieldChange[],
): JsonRecord {
	const changed = new Set(changes.map(({ field }) => field));
	return Object.fromEntries(
		Object.entries(now).map(([field, value]) => [
			field,
			changed.has(field) ? value : (before[field] ?? value),
		]),
	);
}

/** The changed fields of a difference, as many as an item has. */
export const fieldsDiff = (changes: FieldChange[]): FieldChange[] => changes.slice(0, mostEntries);

/** Parses stored fields. */
export function storedFields(text: string | undefined): JsonRecord {
	const value = fromJson(text);
	return isRecord(value) ? value : {};
}
