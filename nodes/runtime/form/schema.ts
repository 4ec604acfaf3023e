import { z } from 'zod/v3';
import { maxDepth, fromJson } from '../values/json';
import { fieldOf, isBlank, isRecord, rememberLast, type JsonRecord } from '../values/record';
import { attempt } from '../values/outcome';
import { nearest } from '../values/text';

/**
 * Builders of the schemas, which validate requests before they are sent. Each converts the forms in which
 * n8n passes a value (numbers and lists as text, the wrapper of a fixed collection) to the API's form. Its
 * message is a predicate after the field's display name: "'Limit' must be a whole number from 1 to 100".
 */

/** Validates a value and converts it to the API's form. */
export type Schema<Value> = z.ZodType<Value, z.ZodTypeDef, unknown>;

const anything = z.unknown();

/** Creates a schema from one function. */
export const transformSchema = <Value>(
	read: (value: unknown, context: z.RefinementCtx) => Value | z.infer<z.ZodNever>,
): Schema<Value> => anything.transform(read);

/** Forwards the issues of a schema to the one that uses it, at `path`, as fatal: there is no value. */
export function forwardIssues(
	{ issues }: z.ZodError,
	context: z.RefinementCtx,
	...path: Array<string | number>
): z.infer<z.ZodNever> {
	for (const issue of issues)
		context.addIssue({ ...issue, fatal: true, path: [...path, ...issue.path] });
	return z.NEVER;
}

/** Creates a schema whose object is first converted: `prepare` returns it, or adds issues. */
export const prepareFields = <Checked extends z.ZodTypeAny>(
	schema: Checked,
	prepare: (value: JsonRecord, context: z.RefinementCtx) => unknown,
) =>
	transformSchema((value, context) => (isRecord(value) ? prepare(value, context) : value)).pipe(
		schema,
	);

/** The reason why a value is invalid, as a predicate. */
export class ValidationFailure {
	constructor(readonly because: string) {}
}

/** Adds an issue; `path` leads to the invalid field from the validated value. */
export type Reject = (message: string, ...path: Array<string | number>) => void;

/** The fields of one of the editor's collections; none if it was never opened. */
export const collectionFields = (collection: unknown): JsonRecord =>
	isRecord(collection) ? collection : {};

const longestQuote = 40;

/** Quotes the beginning of an invalid value. */
export function preview(value: unknown): string {
	const json = attempt(() => (typeof value === 'object' ? JSON.stringify(value) : undefined));
	const text = (json.ok && json.value) || String(value);
	return text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
}

const amount = (count: number) => count.toLocaleString('en-US');

/** Creates a schema from one function that parses a value. An unset value is missing. */
export const check = <Value>(read: (value: unknown) => Value | ValidationFailure) =>
	transformSchema((value, context): Value => {
		const result = isBlank(value) ? new ValidationFailure('is required') : read(value);
		if (!(result instanceof ValidationFailure)) return result;
		context.addIssue({ code: 'custom', message: result.because });
		return z.NEVER;
	});

/** Bounds of a number, inclusive; messages name the `unit`. */
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

/** Creates a schema for a whole number, also as text, because AI models and expressions often return text. */
export const integerSchema = (limits: NumberLimits = {}) =>
	check((value) => readNumber(value, 'whole number', limits));

/** Creates a schema for any finite number, also as text. */
export const numberSchema = (limits: NumberLimits = {}) =>
	check((value) => readNumber(value, 'number', limits));

function readSwitch(value: unknown) {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	if (word === false || word === 'false') return false;
	return new ValidationFailure(`must be true or false, not ${preview(value)}`);
}

/** Creates a schema for true or false, also as text. */
export const booleanSchema = () => check(readSwitch);

/** Whether a switch is on, also when an expression gives it as text. */
export const isOn = (value: unknown): boolean => readSwitch(value) === true;

/** Limits of a text. */
export interface TextLimits {
	/** Longest text, in characters. */
	max?: number;
	/** Longest text, in bytes of UTF-8. */
	maxBytes?: number;
	/** Whether white space alone is a text. */
	blank?: boolean;
	/** Whether it is code, which may hold what looks like a broken expression. */
	isCode?: boolean;
	/** Converts a text to the API's form, or returns why it is invalid. */
	normalize?: (value: string) => string | ValidationFailure;
}

/** The reason why a text is what a broken expression leaves, as a predicate; undefined for others. */
export function brokenExpression(text: string): string | undefined {
	if (text.includes('[object Object]'))
		return 'holds [object Object]: the expression gives an object; choose one of its fields';
	return /\{\{\s{0,9}\$/.test(text)
		? 'holds an expression as text: switch the field to Expression'
		: undefined;
}

const tooLong = (max: number, unit: string, length: number) =>
	new ValidationFailure(`must be at most ${amount(max)} ${unit} long, not ${amount(length)}`);

/** Creates a schema for text or a number, not blank unless allowed. */
export const stringSchema = (limits: TextLimits = {}) =>
	check((value): string | ValidationFailure => {
		const { max = Infinity, maxBytes = Infinity, blank, isCode, normalize } = limits;
		if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
			return new ValidationFailure(`must be in quotes: as a number, ${value} has lost digits`);
		const text = typeof value === 'number' ? String(value) : value;
		if (Array.isArray(text)) return new ValidationFailure('must be text, not a list');
		if (typeof text !== 'string') return new ValidationFailure(`must be text, not ${typeof text}`);
		const broken = isCode ? undefined : brokenExpression(text);
		if (broken !== undefined) return new ValidationFailure(broken);
		if (!blank && text.trim() === '') return new ValidationFailure('must not be blank');
		if (text.length > max) return tooLong(max, 'characters', text.length);
		const bytes = Buffer.byteLength(text);
		if (bytes > maxBytes) return tooLong(maxBytes, 'bytes', bytes);
		return normalize ? normalize(text) : text;
	});

/** Creates a schema for one of a closed set of values. For an open set, use `stringSchema`. */
export const oneOfSchema = <Value extends string>(...choices: Value[]) =>
	check(
		(value) =>
			choices.find((choice) => choice === value) ?? new ValidationFailure(noChoice(choices, value)),
	);

/** Message about a value that is none of some choices, with the one that was probably meant. */
function noChoice(choices: readonly string[], value: unknown): string {
	const meant = typeof value === 'string' ? nearest(value, choices) : undefined;
	const hint = meant === undefined ? '' : `: probably ${meant}`;
	return `must be one of ${choices.join(', ')}, not ${preview(value)}${hint}`;
}

/** Message about a value that is nested deeper than n8n and the service support. */
export const tooDeep = `must not be nested deeper than ${maxDepth} levels`;

/** Explains why a text is not valid JSON, or is nested too deep, by V8's message with the position. */
export function notJson(json: string): string {
	const outcome = attempt((): unknown => JSON.parse(json));
	return outcome.ok ? tooDeep : `is not valid JSON: ${outcome.error.message}`;
}

/** Creates a schema for an object, also as JSON text. */
export const jsonObject = () =>
	transformSchema((value, context): JsonRecord => {
		const json = fromJson(value);
		if (isRecord(json)) return json;
		const isUnread = json === value && typeof value === 'string';
		const message = isUnread ? notJson(value) : 'must be a JSON object';
		context.addIssue({ code: 'custom', message: isBlank(value) ? 'is required' : message });
		return z.NEVER;
	});

/** Whether a value is text that seems to be meant as JSON. */
export const isMeantAsJson = (value: unknown): value is string =>
	typeof value === 'string' && /^\s*[{[]/.test(value);

/** Explains why a value is no list or object: missing, invalid JSON, or something else. */
function wrongType(value: unknown, kind: 'a list' | 'an object'): string {
	if (value === undefined) return 'is required';
	return isMeantAsJson(value) ? notJson(value) : `must be ${kind}`;
}

const separateAtCommas = (text: string) => text.split(/[,\n]/);

/** Splits a text into lines, for entries that may contain commas. */
export const separateLines = (text: string): string[] => text.split('\n');

/** Whether text is meant as a JSON list of objects, and must not be split at commas. */
const isMeantAsObjects = (text: string) => /^\s*\[\s*\{\s*["']?\w+["']?\s*:/.test(text);

function toEntries(value: unknown, separate: (text: string) => string[]): unknown {
	if (isRecord(value) && Array.isArray(value.values)) return value.values;
	if (typeof value !== 'string') return value;
	const json = fromJson(value);
	if (Array.isArray(json) || isMeantAsObjects(value)) return json;
	// Its parts would be refused for other reasons.
	return (brokenExpression(value) ? [value] : separate(value))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** Whether a JSON field of the editor is `{}` or blank. */
export const isEmptyJson = (value: unknown) => isBlank(fromJson(value));

/** Limits of a list. */
export interface ListLimits {
	min?: number;
	max?: number;
	/** Converts the stored entries to the API's before they are validated. */
	normalize?: (entries: unknown[]) => unknown[];
	/** Splits a text; by default at commas and new lines. */
	separate?: (text: string) => string[];
}

/** Creates a schema for a list: an array, JSON text, text with commas or new lines, or a fixed collection. */
export function listSchema<Item extends z.ZodTypeAny>(item: Item, limits: ListLimits = {}) {
	const { min = 0, max = Infinity, normalize, separate = separateAtCommas } = limits;
	const entries = z.array(item, {
		errorMap: ({ code }, { data, defaultError }) => ({
			message: code === 'invalid_type' ? wrongType(data, 'a list') : defaultError,
		}),
	});
	const bounded = entries.superRefine((value, context) => {
		if (value.length >= min && value.length <= max) return;
		const rule = `must be a list${formatLimits({ ...limits, unit: 'entries' })}, not ${value.length}`;
		context.addIssue({ code: 'custom', message: value.length > 0 ? rule : 'must not be empty' });
	});
	return z.preprocess((value) => {
		const stored = toEntries(value, separate);
		return normalize && Array.isArray(stored) ? normalize(stored) : stored;
	}, bounded);
}

/** Omits an empty list, which restricts nothing. */
export const unsetIfEmpty = <Item>(list: Schema<Item[]>): Schema<Item[] | undefined> =>
	list.transform((entries) => (entries.length === 0 ? undefined : entries));

/** Rule for a blank field: always `rejected`, or unless it is the editor's initial value, '' or {}. */
export type BlankRule = 'rejected' | 'rejectedUnlessUntouched';

/**
 * Creates a schema for an object. Unset fields are omitted; unknown ones pass, for the API to judge. `rule` validates
 * the fields against each other once each is valid; `blanks` has rules for blank fields: a limit without a value must
 * not count as no limit.
 */
export function objectSchema<Fields extends z.ZodRawShape>(
	fields: Fields,
	rule?: (value: z.output<z.ZodObject<Fields, 'strict'>>, reject: Reject) => void,
	blanks: Readonly<Record<string, BlankRule | undefined>> = {},
): Schema<z.output<z.ZodObject<Fields, 'strict'>>> {
	const readers = Object.entries(fields).map(([name, schema]) => ({
		name,
		read: rememberLast([name], (request) => schema.safeParse(request[name])),
	}));
	return transformSchema((value, context) => {
		const reject: Reject = (message, ...path) =>
			context.addIssue({ code: 'custom', message, path });
		const given = fromJson(value);
		if (!isRecord(given)) {
			reject(wrongType(given, 'an object'));
			return z.NEVER;
		}
		const request: JsonRecord = {};
		for (const [name, field] of Object.entries(given)) {
			// JSON may hold it, and those who copy the object would set its prototype.
			if (name === '__proto__') continue;
			const rule = fieldOf(blanks, name);
			if (!isBlank(field)) request[name] = field;
			else if (rule === 'rejected' || (rule !== undefined && (field ?? null) === null))
				reject('has no value: give it one, or remove the field', name);
		}
		let isValid = true;
		for (const { name, read } of readers) {
			const { data, error } = read(request);
			if (error) forwardIssues(error, context, name);
			isValid &&= error === undefined;
			if (isBlank(data)) Reflect.deleteProperty(request, name);
			else request[name] = data;
		}
		if (!isValid) return z.NEVER;
		// Each field was read by the schema of its type.
		const valid = request as z.output<z.ZodObject<Fields, 'strict'>>;
		rule?.(valid, reject);
		return valid;
	});
}

/**
 * Creates a schema for one of several kinds of objects, distinguished by `type`; of an open set,
 * objects of unknown kinds pass. A text is short for `{ type: text }`, and one of `names`; the fields of
 * the entry's collection `options` belong to the entry itself.
 */
export const discriminatedUnion = (
	kinds: Record<string, z.ZodTypeAny>,
	set: 'closed' | 'open' = 'closed',
	names: readonly string[] = Object.keys(kinds),
) =>
	transformSchema((value, context): JsonRecord & { type: string } => {
		const reject = (message: string) => {
			context.addIssue({ code: 'custom', message, path: ['type'] });
			return z.NEVER;
		};
		const given: unknown = typeof value === 'string' ? { type: value } : value;
		if (!isRecord(given)) return reject('is required');
		const { options, ...own } = given;
		const { type, ...fields }: JsonRecord = { ...own, ...(isRecord(options) && options) };
		if (typeof type !== 'string' || type === '') return reject('is required');
		const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
		const isChoice = typeof value !== 'string' || names.includes(type);
		if (!kind && set === 'open' && isChoice && /^[a-z][\w-]*$/i.test(type))
			return { ...fields, type };
		if (!kind) return reject(noChoice(names, type));
		const { data, error } = kind.safeParse(fields);
		return error ? forwardIssues(error, context) : { type, ...data };
	});
