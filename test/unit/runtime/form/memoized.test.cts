import { z } from 'zod/v3';
import { memoized, transformSchema } from '../../../../nodes/runtime/form/schema';

describe('a schema that checks once', () => {
	const checked: unknown[] = [];
	const schema = memoized(
		transformSchema((value, context) => {
			checked.push(value);
			if (Array.isArray(value)) return { entries: value.length };
			context.addIssue({ code: 'custom', message: 'must be a list' });
			return z.NEVER;
		}),
	);
	const times = (value: unknown) => checked.filter((one) => one === value).length;

	it('hands what it made of an object to all that have it', () => {
		const value = [1, 2];
		const first = schema.safeParse(value);
		const second = schema.safeParse(value);
		expect(first.data).toEqual({ entries: 2 });
		expect(second.data).toBe(first.data);
		expect(times(value)).toBe(1);
	});

	it('makes its own of what only looks the same', () => {
		expect(schema.safeParse([1]).data).not.toBe(schema.safeParse([1]).data);
	});

	it.each([[{ refused: true }], ['text']])('checks %j again', (value) => {
		expect([schema.safeParse(value).success, schema.safeParse(value).success]).toEqual([
			false,
			false,
		]);
		expect(times(value)).toBe(2);
	});
});
