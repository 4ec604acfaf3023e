import type { INodeProperties } from 'n8n-workflow';
import { fieldName } from '../../nodes/WebData/fields/formats';
import listed from './fields.json';
import { codeExpression, codeOf, hasExpression, isExpression } from './expressions.cjs';
import {
	defined,
	isObject,
	listOf,
	objectOf,
	omit,
	ownOf,
	textOf,
	type Json,
	type JsonObject,
} from './json.cjs';

/** JSON as a parameter of that type has it. */
export const jsonText = (value: Json): Json => {
	if (typeof value === 'string') return value;
	return hasExpression(value) ? codeExpression(codeOf(value)) : JSON.stringify(value, null, 2);
};

/** A value in the form of the editor; undefined if the editor has none for it. */
type Form = (value: Json) => Json | undefined;

const scalar: Form = (value) => (typeof value === 'object' && value !== null ? undefined : value);

const pairs: Form = (value) =>
	isObject(value)
		? Object.entries(value).map(([name, entry]) => ({ name, value: entry }))
		: undefined;

/** A list as the editor's text has it, or as an expression if an entry needs one. */
const joinedBy =
	(separator: ', ' | '\n'): Form =>
	(value) => {
		if (!Array.isArray(value)) return scalar(value);
		const isPlain = value.every(
			(entry) => typeof entry === 'string' && !entry.includes(separator.trim() || separator),
		);
		return isPlain && !hasExpression(value) ? value.join(separator) : codeExpression(codeOf(value));
	};
const list = joinedBy(', ');
const lines = joinedBy('\n');

/** The fields of an object, each in the form of the editor; undefined if one has none. */
const fieldsOf =
	(own: Record<string, Form>): Form =>
	(value) => {
		if (!isObject(value)) return undefined;
		const fields = defined(
			Object.fromEntries(
				Object.entries(value).map(([name, field]) => [name, ownOf(own, name)?.(field)]),
			),
		);
		return Object.keys(fields).length === Object.keys(value).length ? fields : undefined;
	};

const choices: Form = (value) => {
	if (!Array.isArray(value)) return isExpression(value) ? value : undefined;
	const names = value.map((entry) => {
		const fields = objectOf(entry);
		return Object.keys(fields).length === 1 && typeof fields.type === 'string'
			? fields.type
			: entry;
	});
	return names.every((name) => typeof name === 'string') ? names : undefined;
};

/** The fields that the editor has for each action, and those among its options. */
const actionFields: Record<string, { own?: string[]; options?: string[] }> = listed.actions;

const actions: Form = (value) => {
	const values = listOf(value).map((action) => {
		const { type, ...fields } = objectOf(action);
		const known = ownOf(actionFields, type);
		const own = omit(fields, ...(known?.options ?? []));
		const options = omit(fields, ...Object.keys(own));
		return known && Object.keys(own).every((name) => known.own?.includes(name))
			? { type, ...own, ...(Object.keys(options).length > 0 && { options }) }
			: undefined;
	});
	if (!Array.isArray(value) || values.includes(undefined)) return undefined;
	return { values: values.flatMap((action) => action ?? []) };
};

const webhook: Form = (value) =>
	typeof value === 'string' ? { url: value } : fieldsOf({ url: scalar, events: choices })(value);

/** Fields that are not text, numbers or switches. */
const forms: Record<string, Form> = {
	urls: list,
	includeTags: list,
	excludeTags: list,
	includeDomains: list,
	excludeDomains: list,
	includePaths: lines,
	excludePaths: lines,
	headers: pairs,
	sources: choices,
	categories: choices,
	webhook,
	actions,
	location: fieldsOf({ country: scalar, languages: list }),
	profile: fieldsOf({ name: scalar, saveChanges: scalar }),
	tbs: (value) =>
		typeof value === 'string' && /^qdr:[dhmwy]$/.test(value) ? { range: value } : undefined,
};

/** A value in the form of a field; undefined if it has none for it. The location of a search is a text. */
function formOf({ name, type }: INodeProperties, value: Json): Json | undefined {
	const isGroup = type === 'collection' || type === 'fixedCollection';
	const form = type === 'string' && name === 'location' ? scalar : ownOf(forms, name);
	return form ? form(value) : isGroup ? undefined : scalar(value);
}

/** The settings of a format as parameters, which begin with the format's name; undefined if the editor lacks one of them. */
function formatSettings({ type, ...settings }: JsonObject, has: (name: string) => boolean) {
	const format = textOf(type);
	const entries = Object.entries(settings).flatMap(([name, value]): Array<[string, Json]> => {
		const parameter = fieldName(format, name);
		if (name !== 'schema') return [[parameter, value]];
		return Object.entries({ [`${parameter}Type`]: name, [parameter]: jsonText(value) });
	});
	if (!entries.every(([parameter]) => has(parameter))) return undefined;
	const isTracking = format === 'changeTracking' && entries.length > 0;
	return Object.fromEntries([...(isTracking ? [['changeTrackingModes', []]] : []), ...entries]);
}

/** The formats as the editor has them: names, and parameters for their settings; undefined if it cannot. */
function formats(value: Json, has: (name: string) => boolean): JsonObject | undefined {
	if (isExpression(value)) return { formats: value };
	if (!Array.isArray(value)) return undefined;
	const entries = value.map((entry) =>
		typeof entry === 'string' ? { type: entry } : objectOf(entry),
	);
	const names = entries.map(({ type }) => type);
	const isPlain = names.every((name) => typeof name === 'string' && !isExpression(name));
	const settings = entries.map((entry) => formatSettings(entry, has));
	if (!isPlain || new Set(names).size < names.length || settings.includes(undefined)) {
		return undefined;
	}
	return Object.assign({ formats: names }, ...settings);
}

/** Divides the fields of a body into those that the editor has, in its form, and the rest. */
function place(
	body: JsonObject,
	fields: readonly INodeProperties[],
): { placed: JsonObject; rest: JsonObject } {
	const placed = defined(
		Object.fromEntries(
			Object.entries(body).map(([name, value]) => {
				const field = fields.find((each) => each.name === name);
				return [name, field && formOf(field, value)];
			}),
		),
	);
	return { placed, rest: omit(body, ...Object.keys(placed)) };
}

const isEmpty = (fields: JsonObject) => Object.keys(fields).length === 0;

/** The fields in a group of the editor. */
const fieldsIn = (fields: readonly INodeProperties[], group: string): INodeProperties[] =>
	fields.flatMap(({ name, options = [] }) =>
		name === group ? options.flatMap((each) => ('type' in each ? [each] : [])) : [],
	);

/** Sets a body of the API as the parameters of an operation with these fields. What the editor has no field for goes into *Request (JSON)*. */
export function parametersOf(
	{ scrapeOptions, ...body }: JsonObject,
	fields: readonly INodeProperties[],
): { parameters: JsonObject; lost: string[] } {
	const pageFields = fieldsIn(fields, 'scrapeOptions');
	const added = fieldsIn(fields, 'additionalFields');
	const has = (wanted: string, among = fields) => among.some(({ name }) => name === wanted);
	const isNested = pageFields.length > 0 && isObject(scrapeOptions);
	/** Whether the options of a page are fields of the body. */
	const isPage = has('formats') && pageFields.length === 0;
	const { formats: given, ...options } = isPage ? body : objectOf(isNested && scrapeOptions);
	const shown = given === undefined ? {} : formats(given, has);
	const left = defined({ formats: shown ? undefined : given });
	const ofPage = place(isPage ? {} : options, pageFields);
	const own = place(isPage ? { ...options, ...left } : body, fields);
	const others = place(own.rest, added);
	const nested = { ...ofPage.rest, ...(isPage ? {} : left) };
	const rest = {
		...others.rest,
		...defined({ scrapeOptions: isNested ? undefined : scrapeOptions }),
		...(!isEmpty(nested) && { scrapeOptions: nested }),
	};
	const hasJson = has('requestJson', added);
	const group = {
		...others.placed,
		...(hasJson && !isEmpty(rest) && { requestJson: jsonText(rest) }),
	};
	return {
		parameters: {
			...own.placed,
			...shown,
			...(isNested && has('scrapeResults') && { scrapeResults: true }),
			...(!isEmpty(ofPage.placed) && { scrapeOptions: ofPage.placed }),
			...(!isEmpty(group) && { additionalFields: group }),
		},
		lost: hasJson ? [] : Object.keys(rest).map((name) => `The field "${name}" has no counterpart.`),
	};
}
