import { check, ValidationFailure } from '../../runtime/form/schema';
import { field } from '../../runtime/form/field';
import { isRecord } from '../../runtime/values/record';

/** A calendar day: year, month from 1, day of the month. */
export type Day = [year: number, month: number, day: number];

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const usDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

function written(value: unknown): string {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	// Luxon's DateTime, which n8n's expressions return, converts itself to ISO.
	if (isRecord(value) && typeof value.toISO === 'function') return String(value);
	return typeof value === 'string' ? value.trim() : '';
}

/**
 * The day of a date in its own time zone: from a date picker, an expression, or MM/DD/YYYY.
 * Undefined if there is no such day.
 */
export function calendarDay(value: unknown): Day | undefined {
	const text = written(value);
	const iso = isoDate.exec(text);
	const us = usDate.exec(text);
	const parts = iso ? [iso[1], iso[2], iso[3]] : us ? [us[3], us[1], us[2]] : undefined;
	if (!parts) return undefined;
	const [year, month, day] = parts.map(Number);
	const date = new Date(Date.UTC(year, month - 1, day));
	const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
	return exists ? [year, month, day] : undefined;
}

/** A day as YYYY-MM-DD. */
export const isoDay = () =>
	check((value) => {
		const day = calendarDay(value);
		if (!day) return new ValidationFailure('must be a date such as 2026-11-21');
		return day.map((part) => String(part).padStart(2, '0')).join('-');
	});

/** A day from the date picker. */
export const day = (shown: { displayName: string; description: string }) =>
	field({ ...shown, type: 'dateTime', default: '' }, isoDay());
