import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';
import { transformSchema, withHooks, type Schema } from './effects';
import { fieldsOfOtherTypes, withoutDefaults } from './entryFields';
import { maxDepth, fromJson, isDeepJson } from '../values/json';
import { explainJsonError } from './jsonError';
import { isRecord, fieldOf, type JsonRecord } from '../values/record';

/**
 * Building blocks for the schemas: what an operation takes, checked before anything is sent.
 * Each turns the forms in which n8n hands a value over (numbers and lists written as text, the
 * wrapper of a fixed collection) into the API's own shape, and words its refusal as a predicate that
 * follows the field's display name: "'Limit' must be a whole number from 1 to 100".
 */

/** Hands the issues of one schema on to another that uses it, for the member at `path`. */
export function forwardIssues(
	{ issues }: z.ZodError,
	context: z.RefinementCtx,
	...path: Array<string | number>
): z.infer<z.ZodNever> {
	for (const issue of issues) context.addIssue({ ...issue, path: [...path, ...issue.path] });
	return z.NEVER;
}

/**
 * A schema whose object is first brought into shape, such as by the editor's own fields that stand
 * for members of the request. `prepare` hands the issues of what it checks on, or returns the object.
 */
export const prepared = <Checked extends z.ZodTypeAny>(
	schema: Checked,
	prepare: (value: JsonRecord, context: z.RefinementCtx) => unknown,
) =>
	transformSchema((value, context) => (isRecord(value) ? prepare(value, context) : value)).pipe(
		schema,
	);

/** Why a value is refused, as a predicate. */
export class ValidationFailure {
	constructor(readonly because: string) {}
}

/** Refuses a value; `path` names the member the words are about, relative to the value checked. */
export type Refuse = (message: string, ...path: Array<string | number>) => void;

/** Whether a value says nothing: undefined, null, an empty text or an empty object. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	value === '' ||
	(isRecord(value) && Object.keys(value).length === 0);

/** Whether the user left a field alone: absent, blank, or a group of the editor with nothing in it. `[]`, `0` and `false` are values. */
export const isUnset = (value: unknown): boolean =>
	isBlank(value) || (isRecord(value) && Object.values(value).every(isBlank));

/** Whether a switch is on, also when an expression gives it as text. */
export const isOn = (value: unknown) => value === true || value === 'true';

/** The members of one of the editor's collections; none when it was never opened. */
export const membersOf = (collection: unknown): JsonRecord =>
	isRecord(collection) ? collection : {};

const longestQuote = 40;

/** The beginning of a value's JSON, of `room` characters at least: no more of a large value is looked at. */
function beginning(value: unknown, room: number): string {
	if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
	const isList = Array.isArray(value);
	// A date of an expression writes itself.
	if (!isList && (!isRecord(value) || 'toJSON' in value)) return String(JSON.stringify(value));
	let words = isList ? '[' : '{';
	for (const [name, member] of Object.entries(value)) {
		if (words.length > room) return words;
		if (member === undefined || typeof member === 'function') continue;
		const label = isList ? '' : `${JSON.stringify(name.slice(0, room))}:`;
		const left = room - words.length - label.length;
		words += (words.length > 1 ? ',' : '') + label + (left > 0 ? beginning(member, left) : '');
	}
	return words + (isList ? ']' : '}');
}

/** A refused value as it is quoted: in short. */
export function preview(value: unknown): string {
	const words = typeof value === 'object' ? beginning(value, longestQuote) : String(value);
	return words.length > longestQuote ? `${words.slice(0, longestQuote)}…` : words;
}

const amount = (count: number) => count.toLocaleString('en-US');

/** A schema made of one function that reads a value or refuses it. An unset value is refused as missing. */
export const check = <Value>(read: (value: unknown) => Value | ValidationFailure) =>
	transformSchema((value, context): Value => {
		const result = isBlank(value) ? new ValidationFailure('is required') : read(value);
		if (!(result instanceof ValidationFailure)) return result;
		context.addIssue({ code: 'custom', message: result.because });
		return z.NEVER;
	});

/** Bounds of a number, both allowed; `unit` is named in the refusal. */
export interface NumberLimits {
	min?: number;
	max?: number;
	unit?: string;
}

function formatLimits({ min, max, unit }: NumberLimits): string {
	const suffix = unit === undefined ? '' : ` ${unit}`;
	if (min !== undefined && max !== undefined)
		return ` from ${amount(min)} to ${amount(max)}${suffix}`;
	if (min !== undefined) return ` of at least ${amount(min)}${suffix}`;
	if (max !== undefined) return ` of at most ${amount(max)}${suffix}`;
	return suffix;
}

function readNumber(value: unknown, kind: 'number' | 'whole number', limits: NumberLimits) {
	const { min = -Infinity, max = Infinity } = limits;
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const fits =
		typeof number === 'number' &&
		Number.isFinite(number) &&
		(kind === 'number' || Number.isSafeInteger(number)) &&
		number >= min &&
		number <= max;
	return fits
		? number
		: new ValidationFailure(`must be a ${kind}${formatLimits(limits)}, not ${preview(value)}`);
}

/** A whole number; text that is one counts (AI models and expressions often give text). */
export const integerSchema = (limits: NumberLimits = {}) =>
	check((value) => readNumber(value, 'whole number', limits));

/** Any finite number, given as number or text. */
export const numberSchema = (limits: NumberLimits = {}) =>
	check((value) => readNumber(value, 'number', limits));

/** Yes or no; the words true and false count. */
export const booleanSchema = () =>
	check((value) => {
		const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
		if (word === true || word === 'true') return true;
		if (word === false || word === 'false') return false;
		return new ValidationFailure(`must be true or false, not ${preview(value)}`);
	});

/** What a text may be. */
export interface TextLimits {
	/** Longest text, in characters. */
	max?: number;
	/** Longest text, in bytes of UTF-8. */
	maxBytes?: number;
	/** Whether white space alone is a text. */
	blank?: boolean;
	/** Writes a right text the way the API wants it, or refuses it. */
	normalize?: (value: string) => string | ValidationFailure;
}

/** A text, not blank unless allowed; a number counts as text. */
export const stringSchema = ({
	max = Infinity,
	maxBytes = Infinity,
	blank = false,
	normalize,
}: TextLimits = {}) =>
	check((value): string | ValidationFailure => {
		const given = typeof value === 'number' ? String(value) : value;
		if (typeof given !== 'string') {
			return new ValidationFailure(
				`must be text, not ${Array.isArray(given) ? 'a list' : typeof given}`,
			);
		}
		if (!blank && given.trim() === '') return new ValidationFailure('must not be blank');
		if (given.length > max) {
			return new ValidationFailure(
				`must be at most ${amount(max)} characters long, not ${amount(given.length)}`,
			);
		}
		if (Buffer.byteLength(given) > maxBytes) {
			return new ValidationFailure(
				`must be at most ${amount(maxBytes)} bytes long, not ${amount(Buffer.byteLength(given))}`,
			);
		}
		return normalize ? normalize(given) : given;
	});

/** One of a closed set of words. Where the spec leaves the set open, `stringSchema` is right. */
export const oneOfSchema = <Value extends string>(...words: [Value, ...Value[]]) =>
	check(
		(value) =>
			words.find((word) => word === value) ??
			new ValidationFailure(`must be one of ${words.join(', ')}, not ${preview(value)}`),
	);

/** Why a value is refused whose nesting neither n8n nor the service bears. */
export const tooDeep = `must not be nested deeper than ${maxDepth} levels`;

/** Why text that is no JSON, or is nested too deep, is refused where JSON is wanted. */
export function notJson(json: string): string {
	if (isDeepJson(json)) return tooDeep;
	const fault = explainJsonError(json);
	return fault === undefined ? 'is not valid JSON' : `is not valid JSON at ${fault}`;
}

/** A JSON object, given as object or as JSON text. */
export const jsonObject = () =>
	transformSchema((value, context): JsonRecord => {
		const json = fromJson(value);
		if (isRecord(json)) return json;
		const isUnread = json === value && typeof value === 'string';
		const message = isUnread ? notJson(value) : 'must be a JSON object';
		context.addIssue({ code: 'custom', message: isBlank(value) ? 'is required' : message });
		return z.NEVER;
	});

/** Whether a value is text that is meant as JSON, though nothing says that it must be. */
const looksLikeJson = (value: unknown): value is string =>
	typeof value === 'string' && /^\s*[{[]/.test(value);

/** Words what is no such list or object: missing, text that was meant as JSON, or something else. */
const typeErrorMap =
	(kind: 'a list' | 'an object'): z.ZodErrorMap =>
	({ code }, { data, defaultError }) => {
		if (code !== 'invalid_type') return { message: defaultError };
		if (data === undefined) return { message: 'is required' };
		return { message: looksLikeJson(data) ? notJson(data) : `must be ${kind}` };
	};

const separateWords = (text: string) => text.split(/[,\n]/);

/** The lines of a text, for entries that may have commas. */
export const separateLines = (text: string): string[] => text.split('\n');

/** Whether text is meant as a JSON list of objects: such text is not separated at its commas. */
const looksLikeObjects = (text: string) => /^\s*\[\s*\{\s*["']?\w+["']?\s*:/.test(text);

function toEntries(value: unknown, separate: (text: string) => string[]): unknown {
	if (isRecord(value) && Array.isArray(value.values)) return value.values;
	if (typeof value !== 'string') return value;
	const json = fromJson(value);
	if (Array.isArray(json) || looksLikeObjects(value)) return json;
	return separate(value)
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** Whether a JSON field of the editor was left as it is: `{}`, or blank. */
export const isEmptyJson = (value: unknown) => isBlank(fromJson(value));

/** How many entries a list takes. */
export interface ListLimits {
	min?: number;
	max?: number;
	/** Turns the stored entries into the API's, before they are checked. */
	normalize?: (entries: unknown[]) => unknown[];
	/** Takes a text apart: at commas and new lines, unless commas belong to the entries. */
	separate?: (text: string) => string[];
}

/** A list given as an array, as comma- or line-separated text, as JSON text, or as a fixed collection. */
export function listSchema<Item extends z.ZodTypeAny>(item: Item, limits: ListLimits = {}) {
	const { min = 0, max = Infinity, normalize, separate = separateWords } = limits;
	const entries: Schema<Array<z.output<Item>>> = z.array(item, {
		errorMap: typeErrorMap('a list'),
	});
	return withHooks(entries, {
		before(value) {
			const stored = toEntries(value, separate);
			return normalize && Array.isArray(stored) ? normalize(stored) : stored;
		},
		rule(value, context) {
			if (value.length >= min && value.length <= max) return;
			const rule = formatLimits({ ...limits, unit: 'entries' });
			context.addIssue({ code: 'custom', message: `must be a list${rule}, not ${value.length}` });
		},
	});
}

/** A list that restricts nothing when it is empty, and is then not sent. */
export const unsetIfEmpty = <Item>(list: Schema<Item[]>): Schema<Item[] | undefined> =>
	withHooks(list, { after: (entries) => (entries.length === 0 ? undefined : entries) });

const pairsOfTexts = z.array(
	z.object({ name: stringSchema(), value: stringSchema({ blank: true }) }),
);

/** Names with a text each: an object, JSON text, or a list of name and value pairs, as the editor has them. */
export const stringRecord = () =>
	check((value): Record<string, string> | ValidationFailure => {
		const given = fromJson(value);
		if (looksLikeJson(given)) return new ValidationFailure(notJson(given));
		const isList = Array.isArray(given);
		if (!isList && !isRecord(given))
			return new ValidationFailure('must be an object of names and texts');
		const pairs: unknown[] = isList
			? given
			: Object.entries(given).map(([name, content]) => ({ name, value: content }));
		const texts = pairsOfTexts.safeParse(pairs);
		if (!texts.success) return new ValidationFailure('must have a name and a text in every entry');
		return Object.fromEntries(texts.data.map((pair) => [pair.name, pair.value]));
	});

/** Takes out members that turned out to ask for nothing, such as a time filter that is switched off or a group of blanks. */
function dropBlank<Members extends object>(members: Members): Members {
	for (const name of Object.keys(members)) {
		if (isBlank(Reflect.get(members, name))) Reflect.deleteProperty(members, name);
	}
	return members;
}

/**
 * How a blank field of an object is treated where it is not simply left out: always `refused`, or only
 * where it is not what the editor shows of a text or group at first, an empty text or object.
 */
export type BlankRule = 'refused' | 'refusedUnlessUntouched';

/** The fields of an object whose blanks are not simply left out, by their names. */
export type BlankRules = Readonly<Record<string, BlankRule | undefined>>;

const isRefused = (blank: unknown, rule?: BlankRule) =>
	rule === 'refused' || (rule !== undefined && (blank === undefined || blank === null));

/** Leaves blank fields out, or refuses them: a bound without a value must not be taken for none. */
function setFields(value: unknown, rules: BlankRules, context: z.RefinementCtx): unknown {
	const given = fromJson(value);
	if (!isRecord(given)) return given;
	const isSet = ([name, member]: [string, unknown]) => {
		if (!isBlank(member)) return true;
		if (Object.hasOwn(rules, name) && isRefused(member, rules[name])) {
			const message = 'has no value: give it one, or remove the field';
			context.addIssue({ code: 'custom', message, path: [name] });
		}
		return false;
	};
	return Object.fromEntries(Object.entries(given).filter(isSet));
}

/**
 * An object of named fields. Members that the user left unset are dropped, unknown ones refused (the
 * API answers 400 to them). `rule` checks the members against each other, `blanks` says which of them
 * may not be left blank.
 */
export function objectSchema<Members extends z.ZodRawShape>(
	members: Members,
	rule?: (value: z.output<z.ZodObject<Members, 'strict'>>, refuse: Refuse) => void,
	blanks: BlankRules = {},
): Schema<z.output<z.ZodObject<Members, 'strict'>>> {
	type Made = z.output<z.ZodObject<Members, 'strict'>>;
	const shape: Schema<Made> = z.object(members, { errorMap: typeErrorMap('an object') }).strict();
	return withHooks<Made, Made>(shape, {
		before: (value, context) => setFields(value, blanks, context),
		rule(value, context) {
			rule?.(value, (message, ...path) => context.addIssue({ code: 'custom', message, path }));
		},
		after: dropBlank,
	});
}

/** What is known of the kinds that `discriminatedUnion` tells apart. */
export interface Kinds {
	/** Where the API calls its set open, a kind that no schema names passes as it is, if its name is one. */
	set?: 'closed' | 'open';
	/** The fields by which the editor fills an entry. */
	editor?: readonly INodeProperties[];
}

/**
 * One of several kinds of object, told apart by `type`. A bare word stands for `{ type: word }`, and
 * the entry's collection `options` belongs to the entry itself. Fields of other kinds are left out when
 * they are untouched, and refused when they are set.
 */
export const discriminatedUnion = (
	kinds: Record<string, z.ZodTypeAny>,
	{ set = 'closed', editor = [] }: Kinds = {},
) =>
	transformSchema((value, context): JsonRecord & { type: string } => {
		const refuse = (message: string, member = 'type') => {
			context.addIssue({ code: 'custom', message, path: [member] });
			return z.NEVER;
		};
		const given: unknown = typeof value === 'string' ? { type: value } : value;
		const type = fieldOf(fieldOf(given, 'options'), 'type') ?? fieldOf(given, 'type');
		if (!isRecord(given) || typeof type !== 'string' || type === '') return refuse('is required');
		const { options, ...own } = withoutDefaults(given, type, editor);
		const members: JsonRecord = { ...own, ...(isRecord(options) && options) };
		delete members.type;
		const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
		if (!kind && set === 'open' && /^[a-z][\w-]*$/i.test(type)) return { ...members, type };
		if (!kind)
			return refuse(`must be one of ${Object.keys(kinds).join(', ')}, not ${preview(type)}`);
		const strays = fieldsOfOtherTypes(members, type, editor).filter(
			({ name }) => !isUnset(members[name]),
		);
		for (const { name, types } of strays) {
			refuse(`is a field of ${types.join(' and ')}, not of ${type}`, name);
		}
		if (strays.length > 0) return z.NEVER;
		const result = kind.safeParse(members);
		if (result.success) {
			const data: JsonRecord = result.data;
			return { type, ...data };
		}
		return forwardIssues(result.error, context);
	});
