import type { IDataObject } from 'n8n-workflow';
import { publishedAt } from '../../../nodes/WebDataPollingTrigger/publishedAt';

describe('The publication time of a result', () => {
	beforeEach(() => jest.useFakeTimers({ now: new Date('2026-03-31T12:00:00Z') }));
	afterEach(() => jest.useRealTimers());

	it.each<[string, IDataObject, string]>([
		['a date and time', { date: '2026-01-02T03:04:05Z' }, '2026-01-02T03:04:05.000Z'],
		['a day', { publishedDate: '2026-01-02' }, '2026-01-02T00:00:00.000Z'],
		['the day of a paper', { createdDate: '2025-12-31' }, '2025-12-31T00:00:00.000Z'],
		['words', { date: 'Jan 5, 2026 UTC' }, '2026-01-05T00:00:00.000Z'],
		['an age in minutes', { date: '5 minutes ago' }, '2026-03-31T11:55:00.000Z'],
		['an age of an hour', { date: ' 1 Hour ago ' }, '2026-03-31T11:00:00.000Z'],
		['an age in weeks', { date: '2 weeks ago' }, '2026-03-17T12:00:00.000Z'],
		['an age in years', { date: '1 year ago' }, '2025-03-31T12:00:00.000Z'],
		['words without a date', { date: 'recently' }, '1970-01-01T00:00:00.000Z'],
		['no text', { date: 7 }, '1970-01-01T00:00:00.000Z'],
		['nothing', {}, '1970-01-01T00:00:00.000Z'],
	])('is parsed from %s', (_name, result, time) => {
		expect(new Date(publishedAt(result)).toISOString()).toBe(time);
	});
});
