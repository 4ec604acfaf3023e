import type { z } from 'zod/v3';
import { isRecord, fieldOf, setField, type JsonRecord } from '../values/record';

/**
 * Unknown fields of a request, for example of a newer server. If the user enters the request as JSON, they
 * are sent as they are, and the known fields are validated.
 */

/** The path to a field from the request. */
export type FieldPath = Array<string | number>;

/** A field that no schema has. */
interface Unknown {
	/** The path of its object. */
	owner: FieldPath;
	name: string;
	value: unknown;
	/** The `type` of its object, if any. */
	type: unknown;
}

const inside = (value: unknown, step: string | number): unknown =>
	Array.isArray(value) ? (value[Number(step)] as unknown) : fieldOf(value, String(step));

/** Returns the value at a path of a request; undefined if there is none. */
const fieldAt = (value: unknown, path: FieldPath): unknown => path.reduce(inside, value);

/** Lists the rejected fields that are unknown and were set by the user. */
const unknownIn = (
	issues: readonly z.ZodIssue[],
	given: JsonRecord,
	misplaced: readonly string[],
): Unknown[] =>
	issues.flatMap((issue) => {
		if (issue.code !== 'unrecognized_keys') return [];
		const object = fieldAt(given, issue.path);
		if (!isRecord(object)) return [];
		return issue.keys
			.filter((name) => Object.hasOwn(object, name) && name !== '__proto__')
			.filter((name) => issue.path.length > 0 || !misplaced.includes(name))
			.map((name) => ({ owner: issue.path, name, value: object[name], type: object.type }));
	});

/** Copies a request without one field. */
function without(value: unknown, [step, ...rest]: FieldPath): unknown {
	if (Array.isArray(value)) {
		return value.map((entry: unknown, index) =>
			index === step && rest.length > 0 ? without(entry, rest) : entry,
		);
	}
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, member]) => {
			if (name !== String(step)) return [[name, member]];
			return rest.length === 0 ? [] : [[name, without(member, rest)]];
		}),
	);
}

/** Whether a field can be put back: its parsed object is an object, or the short form of one. */
function isOpen(data: unknown, { owner, type }: Unknown): boolean {
	const made = fieldAt(data, owner);
	return isRecord(made) || made === undefined || made === true || made === type;
}

/** Puts a field back into the parsed request. Short forms of objects become objects, because the API accepts no mix. */
function putBack(data: object, { owner, name, value }: Unknown): void {
	const object = owner.reduce<object>((parent, step) => {
		const there = inside(parent, step);
		if (typeof there === 'object' && there !== null) return there;
		const opened = typeof there === 'string' ? { type: there } : {};
		setField(parent, String(step), opened);
		if (!Array.isArray(parent)) return opened;
		for (const [index, entry] of parent.entries()) {
			if (typeof entry === 'string') parent[index] = { type: entry };
		}
		return opened;
	}, data);
	setField(object, name, value);
}

/**
 * Parses a request of which the user entered `given` as JSON: its unknown fields pass without validation. `misplaced` are known fields that do not belong at the top.
 */
export function parsePassingUnknown<Checked extends z.ZodTypeAny>(
	schema: Checked,
	request: JsonRecord,
	given: JsonRecord,
	misplaced: readonly string[],
): z.SafeParseReturnType<z.input<Checked>, z.output<Checked>> {
	const first = schema.safeParse(request);
	const passed: Unknown[] = [];
	let known: unknown = request;
	let result = first;
	for (;;) {
		const found = unknownIn(result.error?.issues ?? [], given, misplaced).filter(
			({ owner, name }) => inside(fieldAt(known, owner), name) !== undefined,
		);
		if (found.length === 0) break;
		passed.push(...found);
		for (const { owner, name } of found) known = without(known, [...owner, name]);
		result = schema.safeParse(known);
	}
	const { data } = result;
	if (passed.length === 0 || !isRecord(data)) return result;
	if (!passed.every((each) => isOpen(data, each))) return first;
	for (const each of passed) putBack(data, each);
	return result;
}
