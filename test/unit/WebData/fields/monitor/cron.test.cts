import { ValidationFailure } from '../../../../../nodes/runtime/form/schema';
import { normalizeCron, numbersOf } from '../../../../../nodes/WebData/fields/monitor/cron';

const refusal = (value: string) => {
	const result = normalizeCron(value);
	return result instanceof ValidationFailure ? result.because : `accepted: ${result}`;
};

describe('the numbers of a field of a cron expression', () => {
	it.each<[string, number[] | undefined]>([
		['0', [0]],
		['59', [59]],
		['5,10', [5, 10]],
		['10,5,10', [5, 10]],
		['57-59', [57, 58, 59]],
		['*/20', [0, 20, 40]],
		['7-59/15', [7, 22, 37, 52]],
		['50/4', [50, 54, 58]],
		['1-2,30', [1, 2, 30]],
		['60', undefined],
		['50-60', undefined],
		['9-5', undefined],
		['*/0', undefined],
		['*-5', undefined],
		['1,', undefined],
		['-1', undefined],
		['a', undefined],
		['', undefined],
	])('%s', (field, numbers) => {
		expect(numbersOf(field, 0, 59)).toEqual(numbers);
	});

	it('are all of them for a star', () => {
		expect(numbersOf('*', 0, 3)).toEqual([0, 1, 2, 3]);
		expect(numbersOf('*/1', 0, 3)).toEqual([0, 1, 2, 3]);
	});
});

describe('a cron expression', () => {
	it.each([
		'0 9 * * 1-5',
		'*/30 * * * *',
		'*/5 * * * *',
		'7-59/15 * * * *',
		'0,5 * * * *',
		'0 0 1-15/7 1,12 0,7',
		// An hour apart, though the minutes are close.
		'0,58 9 * * *',
		// Monday's last and the next Monday's first.
		'0,58 0,23 * * 1',
	])('%s is accepted', (value) => {
		expect(normalizeCron(value)).toBe(value);
	});

	it.each([
		['0 9 * * MON-FRI', '0 9 * * 1-5'],
		['0 9 * * sat-sun', '0 9 * * 6-7'],
		['0 9 * * Sun,wed', '0 9 * * 0,3'],
		['0 0 1 jan,JUL-dec/2 *', '0 0 1 1,7-12/2 *'],
	])('%s is sent with numbers for names, as the service knows none: %s', (given, sent) => {
		expect(normalizeCron(given)).toBe(sent);
	});

	it.each([
		['0 0 L * *', 'L'],
		['0 0 * * 5#2', '5#2'],
		['30 8 15W * *', '15W'],
		['30 8 ? * *', '?'],
		['0 0 * MON *', 'MON'],
		['0 0 * * JAN', 'JAN'],
		['0 0 * * 8', '8'],
		['0 0 0 * *', '0'],
		['0 0 32 * *', '32'],
		['0 0 * 0 *', '0'],
		['0 0 * 13 *', '13'],
		['0 0 * * FRI-MON', 'FRI-MON'],
		['0 9 * * (1)', '(1)'],
		['0 9 * * é', 'é'],
	])('%s is refused for what the service does not take', (value, part) => {
		expect(refusal(value)).toBe(
			`has '${part}', which the service does not take: only numbers in their bounds, lists such as 1,3, ranges such as 1-5, steps such as */2, and names of months and days`,
		);
	});

	it('loses the spaces that it does not need', () => {
		expect(normalizeCron('  0   9 * *\t1 ')).toBe('0 9 * * 1');
	});

	it.each(['* * * * *', '*/4 * * * *', '0,4 3 * * *', '0,57 * * * *', '58,2 0,23 * * *'])(
		'%s runs too often',
		(value) => {
			expect(refusal(value)).toBe('must not run more often than every 5 minutes');
		},
	);

	it.each(['daily', '@daily', '0 9 * *', '0 0 9 * * 1', '61 9 * * *', '0 24 * * *'])(
		'%s is none',
		(value) => {
			expect(refusal(value)).toBe(
				`must be a cron expression of five fields such as 0 9 * * 1-5, not ${value}`,
			);
		},
	);

	it.each(['*', '0', '*/7', '0,3', '58', '0,57', '4-40/6'])(
		'with the minutes %s is refused exactly when a clock would show two runs in less than 5 minutes',
		(minute) => {
			for (const hour of ['*', '0', '0,23', '1-3', '*/2']) {
				const minutes = numbersOf(minute, 0, 59) ?? [];
				const hours = numbersOf(hour, 0, 23) ?? [];
				const runs = Array.from({ length: 2 * 24 * 60 }, (_, time) => time).filter(
					(time) => minutes.includes(time % 60) && hours.includes(Math.floor(time / 60) % 24),
				);
				const tooOften = runs.some((time) =>
					runs.some((other) => other > time && other < time + 5),
				);
				expect([
					hour,
					normalizeCron(`${minute} ${hour} * * *`) instanceof ValidationFailure,
				]).toEqual([hour, tooOften]);
			}
		},
	);
});
