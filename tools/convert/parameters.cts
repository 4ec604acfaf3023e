import listed from './fields.json';
import { codeExpression, codeOf, hasExpression, isExpression } from './expressions.cjs';
import {
	defined,
	isObject,
	listOf,
	objectOf,
	omit,
	ownOf,
	type Json,
	type JsonObject,
} from './json.cjs';

/** Where an operation of this pack has the fields of the API; the others go into *Request (JSON)*. */
export interface Places {
	/** Parameters of the name of their field. */
	own?: string[];
	/** Fields of *Additional Fields*. */
	additional?: string[];
	/** Whether it scrapes pages: by fields of the body, by those of `scrapeOptions`, or the results of a search. */
	scrapes?: 'itself' | 'pages' | 'results';
	/** Whether it has *Request (JSON)*. */
	requestJson?: boolean;
}

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

/** The location of a search is a text. */
const formOf = (name: string, value: Json): Json | undefined =>
	typeof value === 'string' && name === 'location' ? value : (forms[name] ?? scalar)(value);

/** The parameters that the editor has for the settings of formats; those for schemas begin with the format's name. */
const formatParameters: Record<string, Record<string, string>> = listed.formats;

/** The settings of a format as parameters; undefined if the editor lacks one of them. */
function formatSettings({ type, ...settings }: JsonObject): JsonObject | undefined {
	const parameters = ownOf(formatParameters, type) ?? {};
	if (Object.keys(settings).some((name) => !Object.hasOwn(parameters, name))) return undefined;
	const isTracking = type === 'changeTracking' && Object.keys(settings).length > 0;
	return Object.fromEntries([
		...(isTracking ? [['changeTrackingModes', []]] : []),
		...Object.entries(settings).flatMap(([name, value]) => {
			const parameter = parameters[name];
			return name === 'schema'
				? [
						[`${parameter}SchemaType`, 'schema'],
						[`${parameter}Schema`, jsonText(value)],
					]
				: [[parameter, value]];
		}),
	]);
}

/** The formats as the editor has them: names, and parameters for their settings; undefined if it cannot. */
function formats(value: Json): JsonObject | undefined {
	if (isExpression(value)) return { formats: value };
	if (!Array.isArray(value)) return undefined;
	const entries = value.map((entry) =>
		typeof entry === 'string' ? { type: entry } : objectOf(entry),
	);
	const names = entries.map(({ type }) => type);
	const isPlain = names.every((name) => typeof name === 'string' && !isExpression(name));
	const settings = entries.map(formatSettings);
	if (!isPlain || new Set(names).size < names.length || settings.includes(undefined)) {
		return undefined;
	}
	return Object.assign({ formats: names }, ...settings);
}

/** The scrape options that the editor has among its fields. */
const scrapeFields: string[] = listed.scrapeOptions;

/** Those of a search, which has fields of its own of the other names. */
const searchFields = scrapeFields.filter((name) => !['location', 'timeout'].includes(name));

/** Divides fields into those that the editor has, in its form, and the rest. */
function place(
	fields: JsonObject,
	names: readonly string[],
): { placed: JsonObject; rest: JsonObject } {
	const placed = defined(
		Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [
				name,
				names.includes(name) ? formOf(name, value) : undefined,
			]),
		),
	);
	return { placed, rest: omit(fields, ...Object.keys(placed)) };
}

const isEmpty = (fields: JsonObject) => Object.keys(fields).length === 0;

/** Sets a body of the API as the parameters of an operation. What the editor has no field for goes into *Request (JSON)*. */
export function parametersOf(
	{ scrapeOptions, ...body }: JsonObject,
	{ own = [], additional = [], scrapes, requestJson = false }: Places,
): { parameters: JsonObject; lost: string[] } {
	const isItself = scrapes === 'itself';
	const isOfSearch = scrapes === 'results' && isObject(scrapeOptions);
	const isNested = isOfSearch || (scrapes === 'pages' && isObject(scrapeOptions));
	const { formats: given, ...options } = isItself ? body : objectOf(isNested && scrapeOptions);
	const shown = given === undefined ? {} : formats(given);
	const scraping = place(options, isOfSearch ? searchFields : scrapeFields);
	const scrapeRest = { ...scraping.rest, ...defined({ formats: shown ? undefined : given }) };

	const ownFields = place(isItself ? scrapeRest : body, own);
	const others = place(ownFields.rest, additional);
	const rest = {
		...others.rest,
		...defined({ scrapeOptions: isNested ? undefined : scrapeOptions }),
		...(isNested && !isEmpty(scrapeRest) && { scrapeOptions: scrapeRest }),
	};
	const group = {
		...(isItself && scraping.placed),
		...others.placed,
		...(requestJson && !isEmpty(rest) && { requestJson: jsonText(rest) }),
	};
	return {
		parameters: {
			...ownFields.placed,
			...shown,
			...(isOfSearch && { scrapeResults: true }),
			...(isNested && !isEmpty(scraping.placed) && { scrapeOptions: scraping.placed }),
			...(!isEmpty(group) && { additionalFields: group }),
		},
		lost: requestJson
			? []
			: Object.keys(rest).map((name) => `The field "${name}" has no counterpart.`),
	};
}
