import type { z } from 'zod/v3';
import { isRecord, fieldOf, setField, type JsonRecord } from '../values/record';

/**
 * Members of a request that no schema knows, such as those of a newer server. Where the user gives the
 * request in the API's own shape they are sent as they are, and what is known is checked all the same.
 */

/** The way to a member, from the request down. */
export type FieldPath = Array<string | number>;

/** A member that no schema knows. */
interface Unknown {
	/** The way to the object that holds it. */
	owner: FieldPath;
	name: string;
	value: unknown;
	/** The type of the object that holds it, where it has one. */
	type: unknown;
}

const inside = (value: unknown, step: string | number): unknown =>
	Array.isArray(value) ? (value[Number(step)] as unknown) : fieldOf(value, String(step));

/** What lies at the end of a way into a request; undefined where nothing does. */
export const fieldAt = (value: unknown, path: FieldPath): unknown => path.reduce(inside, value);

/** Which of the refused members are unknown ones that the user gave. */
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

/** A copy of a request without one member. */
export function without(value: unknown, [step, ...rest]: FieldPath): unknown {
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

/** Whether a member can be put back: what the schema made of its object is one, or is a short form of one. */
function isOpen(data: unknown, { owner, type }: Unknown): boolean {
	const made = fieldAt(data, owner);
	return isRecord(made) || made === undefined || made === true || made === type;
}

/** Puts a member back into what the schema made of the request. Words that stand for objects become those objects: the API takes no mix. */
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

const unchecked = new WeakMap<object, FieldPath[]>();

/** The members of a checked request that no schema knew; the request may be a part of what was checked. */
export const uncheckedIn = (request: unknown): FieldPath[] =>
	isRecord(request)
		? [request, ...Object.values(request)].flatMap((part) =>
				isRecord(part) ? (unchecked.get(part) ?? []) : [],
			)
		: [];

/**
 * Checks a request of which `given` came in the API's own shape: members of it that the schema does not
 * know pass unchecked (`uncheckedIn` names them), the others are checked as ever. Those that are `misplaced`
 * at the top are known, and belong elsewhere.
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
	unchecked.set(
		data,
		passed.map(({ owner, name }) => [...owner, name]),
	);
	return result;
}
