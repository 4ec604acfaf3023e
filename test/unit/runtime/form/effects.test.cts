import { z } from 'zod/v3';
import {
	memoized,
	transformSchema,
	withHooks,
	type Schema,
} from '../../../../nodes/runtime/form/effects';

const read = (value: unknown, context: z.RefinementCtx) => {
	if (typeof value === 'number') return value;
	context.addIssue({ code: 'custom', message: 'must be a number', path: ['inner'] });
	return z.NEVER;
};

const before = (value: unknown): unknown => (value === 'none' ? [] : value);
const after = (values: number[]) => values.length;
const rule = (values: number[], context: z.RefinementCtx) => {
	if (values.length > 2) context.addIssue({ code: 'custom', message: 'must be two at most' });
};

const ours = z.array(transformSchema(read));
const zods = z.array(z.unknown().transform(read));
const ruled = zods.superRefine(rule);

const inputs: unknown[] = [[1, 2], [1, 'two', 3, null], [1, 2, 3], 'none', 'text', undefined, {}];

/** What a schema makes of a value as a member, and all that it and the rules around it say. */
const outcome = (schema: Schema<unknown>, value: unknown) => {
	const seen: unknown[] = [];
	const around = z.object({ member: schema }).superRefine(({ member }) => void seen.push(member));
	const { data, error } = around.safeParse({ member: value });
	return { data, issues: error?.issues, seen };
};

describe('schemas that make no getters', () => {
	it.each<[name: string, ours: Schema<unknown>, zods: Schema<unknown>]>([
		['of one function', transformSchema(read), z.unknown().transform(read)],
		['with a step before', withHooks(ours, { before }), z.preprocess(before, zods)],
		['with a rule', withHooks(ours, { rule }), ruled],
		['with a step after', withHooks(ours, { rule, after }), ruled.transform(after)],
		[
			'with all steps',
			withHooks(ours, { before, rule, after }),
			z.preprocess(before, ruled.transform(after)),
		],
		['that are remembered', memoized(ours), zods],
	])('say what those of zod say: %s', (_name, schema, like) => {
		for (const value of inputs) expect(outcome(schema, value)).toEqual(outcome(like, value));
	});
});

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
