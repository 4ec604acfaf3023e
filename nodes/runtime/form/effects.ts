import { z } from 'zod/v3';

/*
 * zod's `transform`, `superRefine` and `preprocess` make an object with a getter for each value that they
 * see, and V8 a hidden class for each of these, which keeps all that belongs to it until memory is searched
 * as a whole (docs/benchmarks.md). Requests of 500 items have 20,000 such values.
 */

/** Validates a value and converts it to the API's form. */
export type Schema<Value> = z.ZodType<Value, z.ZodTypeDef, unknown>;

/** Steps around the schema of a value. They add issues as zod's own do. */
interface Hooks<Given, Made> {
	/** Converts the value to the shape of its schema; may add issues. */
	before?(value: unknown, context: z.RefinementCtx): unknown;
	/** Checks the parsed value, also if the schema has added issues. */
	rule?(given: Given, context: z.RefinementCtx): void;
	/** Converts a value without issues to the result. */
	after?(given: Given): Made;
}

/** The context of a value, with whether an issue was added. */
class Context implements z.RefinementCtx {
	isRejected = false;

	constructor(
		private readonly schema: z.ZodTypeAny,
		private readonly input: z.ParseInput,
	) {}

	get path(): z.ParsePath {
		return this.input.path;
	}

	addIssue(issue: z.IssueData): void {
		this.isRejected = true;
		z.addIssueToContext(this.schema._getOrReturnCtx(this.input), issue);
	}
}

class TransformSchema<Value> extends z.ZodType<Value, z.ZodTypeDef, unknown> {
	constructor(private readonly read: (value: unknown, context: z.RefinementCtx) => Value) {
		super({});
	}

	_parse(input: z.ParseInput): z.ParseReturnType<Value> {
		const context = new Context(this, input);
		const value = this.read(input.data, context);
		return context.isRejected ? z.DIRTY(value) : z.OK(value);
	}
}

class WithHooks<Given, Made> extends z.ZodType<Given | Made, z.ZodTypeDef, unknown> {
	constructor(
		private readonly schema: Schema<Given>,
		private readonly steps: Hooks<Given, Made>,
	) {
		super({});
	}

	_parse({ data, path, parent }: z.ParseInput): z.ParseReturnType<Given | Made> {
		const { before, rule, after } = this.steps;
		const context = new Context(this, { data, path, parent });
		const input = { data: before ? before(data, context) : data, path, parent };
		const given = this.schema._parseSync(input);
		if (given.status === 'aborted') return given;
		rule?.(given.value, context);
		const isRight = given.status === 'valid' && !context.isRejected;
		if (after) return isRight ? z.OK(after(given.value)) : z.INVALID;
		return isRight ? given : z.DIRTY(given.value);
	}
}

class Memoized<Value> extends z.ZodType<Value, z.ZodTypeDef, unknown> {
	private readonly made = new WeakMap<object, z.ParseReturnType<Value>>();

	constructor(private readonly schema: Schema<Value>) {
		super({});
	}

	_parse(input: z.ParseInput): z.ParseReturnType<Value> {
		const data: unknown = input.data;
		if (typeof data !== 'object' || data === null) return this.schema._parseSync(input);
		const before = this.made.get(data);
		if (before) return before;
		const result = this.schema._parseSync(input);
		if (result.status === 'valid') this.made.set(data, result);
		return result;
	}
}

/** Creates a schema from one function: as `z.unknown().transform(read)`. */
export const transformSchema = <Value>(
	read: (value: unknown, context: z.RefinementCtx) => Value,
): Schema<Value> => new TransformSchema(read);

/** Creates a schema with steps before and after: as `z.preprocess(before, schema.superRefine(rule).transform(after))`. */
export function withHooks<Given, Made = Given>(
	schema: Schema<Given>,
	steps: Hooks<Given, Made> & { after(given: Given): Made },
): Schema<Made>;
export function withHooks<Given>(
	schema: Schema<Given>,
	steps: Omit<Hooks<Given, Given>, 'after'>,
): Schema<Given>;
export function withHooks<Given, Made>(
	schema: Schema<Given>,
	steps: Hooks<Given, Made>,
): Schema<Given | Made> {
	return new WithHooks(schema, steps);
}

/**
 * Caches the result of a schema by object, because all items share an object without expressions. They
 * also share the result, so nothing may modify it.
 */
export const memoized = <Value>(schema: Schema<Value>): Schema<Value> => new Memoized(schema);
