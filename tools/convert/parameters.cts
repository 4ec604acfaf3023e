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
	/** Names of parameters that differ from those of their fields. */
	renamed?: Record<string, string>;
}

/** A list as the editor's text has it, or as an expression if an entry needs one. */
function listText(value: Json, separator: string): Json {
	if (!Array.isArray(value)) return value;
	const isPlain = value.every((entry) => typeof entry === 'string' && !entry.includes(separator));
	return isPlain && !hasExpression(value)
		? value.join(separator === ',' ? ', ' : separator)
		: codeExpression(codeOf(value));
}

/** JSON as a parameter of that type has it. */
export const jsonText = (value: Json): Json => {
	if (typeof value === 'string') return value;
	return hasExpression(value) ? codeExpression(codeOf(value)) : JSON.stringify(value, null, 2);
};

const pairs = (value: Json): Json | undefined =>
	isObject(value)
		? Object.entries(value).map(([name, entry]) => ({ name, value: entry }))
		: undefined;

const scalar = (value: Json): Json | undefined =>
	typeof value === 'object' && value !== null ? undefined : value;

/** The fields of an object, each in the form of the editor; undefined if one has none. */
function fieldsOf(forms: Record<string, Form>): Form {
	return (value) => {
		if (!isObject(value)) return undefined;
		const fields = Object.entries(value).map(([name, field]) => [
			name,
			Object.hasOwn(forms, name) ? forms[name](field) : undefined,
		]);
		return fields.some(([, field]) => field === undefined)
			? undefined
			: (Object.fromEntries(fields) as JsonObject);
	};
}

/** A value in the form of the editor; undefined if the editor has none for it. */
type Form = (value: Json) => Json | undefined;

const list: Form = (value) =>
	scalar(value) === undefined && !Array.isArray(value) ? undefined : listText(value, ',');
const lines: Form = (value) =>
	scalar(value) === undefined && !Array.isArray(value) ? undefined : listText(value, '\n');

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

/** The parser of PDFs; the editor has no others. */
const parsers: Form = (value) => {
	const [parser, ...others] = listOf(value);
	const { type, ...settings } = objectOf(parser);
	const isWhole = Object.keys(settings).every((name) => ['maxPages', 'mode'].includes(name));
	return type === 'pdf' && others.length === 0 && isWhole && Object.keys(settings).length > 0
		? settings
		: undefined;
};

const webhook: Form = (value) =>
	typeof value === 'string'
		? { url: value }
		: fieldsOf({ url: scalar, events: choices, headers: pairs, metadata: pairs })(value);

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
	parsers,
	sources: choices,
	categories: choices,
	webhook,
	location: fieldsOf({ country: scalar, languages: list }),
	profile: fieldsOf({ name: scalar, saveChanges: scalar }),
	tbs: (value) =>
		typeof value === 'string' && /^qdr:[dhmwy]$/.test(value) ? { range: value } : undefined,
};

/** The location of a search is a text. */
const formOf = (name: string, value: Json): Json | undefined =>
	typeof value === 'string' && name === 'location' ? value : (forms[name] ?? scalar)(value);

const actionOptions: Record<string, string[]> = {
	click: ['all'],
	scroll: ['direction'],
	screenshot: ['fullPage'],
	pdf: ['landscape', 'format', 'scale'],
};

const actionFields: Record<string, string[]> = {
	click: ['selector'],
	wait: ['selector', 'milliseconds'],
	scroll: ['selector'],
	write: ['text'],
	press: ['key'],
	executeJavascript: ['script'],
	scrape: [],
	screenshot: [],
	pdf: [],
};

/** The actions as the editor has them; undefined if it cannot. */
function actions(value: Json): Json | undefined {
	const entries = listOf(value).map((entry) => {
		const { type, ...fields } = objectOf(entry);
		const own = ownOf(actionFields, type);
		if (type === undefined || !own) return undefined;
		const optional = ownOf(actionOptions, type) ?? [];
		if (Object.keys(fields).some((name) => ![...own, ...optional].includes(name))) return undefined;
		const options = defined(Object.fromEntries(optional.map((name) => [name, fields[name]])));
		return {
			type,
			...defined(Object.fromEntries(own.map((name) => [name, fields[name]]))),
			...(Object.keys(options).length > 0 && { options }),
		};
	});
	if (!Array.isArray(value) || entries.includes(undefined)) return undefined;
	return { values: entries.flatMap((entry) => (entry ? [entry] : [])) };
}

const schemaFields = (prefix: string, schema: Json | undefined): JsonObject =>
	schema === undefined
		? {}
		: { [`${prefix}SchemaType`]: 'schema', [`${prefix}Schema`]: jsonText(schema) };

/** The parameters of a format with settings, by its type; undefined if the editor lacks one of them. */
const formatForms: Record<string, (settings: JsonObject) => JsonObject | undefined> = {
	json: ({ prompt, schema, ...others }) =>
		Object.keys(others).length > 0
			? undefined
			: { ...defined({ jsonPrompt: prompt }), ...schemaFields('json', schema) },
	changeTracking: ({ modes, prompt, schema, tag, ...others }) =>
		Object.keys(others).length > 0
			? undefined
			: {
					...defined({
						changeTrackingModes: modes ?? [],
						changeTrackingPrompt: prompt,
						changeTrackingTag: tag,
					}),
					...schemaFields('changeTracking', schema),
				},
	screenshot: ({ fullPage, ...others }) =>
		Object.keys(others).length > 0 ? undefined : defined({ screenshotFullPage: fullPage }),
	question: ({ question, ...others }) =>
		Object.keys(others).length > 0 ? undefined : defined({ question }),
	highlights: ({ query, ...others }) =>
		Object.keys(others).length > 0 ? undefined : defined({ highlightsQuery: query }),
};

/** The formats as the editor has them: names, and parameters for their settings; undefined if it cannot. */
function formats(value: Json): JsonObject | undefined {
	if (isExpression(value)) return { formats: value };
	if (!Array.isArray(value)) return undefined;
	const entries = value.map((entry) =>
		typeof entry === 'string' ? { type: entry } : objectOf(entry),
	);
	const names = entries.map(({ type }) => type);
	const isPlain = names.every((name) => typeof name === 'string' && !isExpression(name));
	if (!isPlain || new Set(names).size < names.length) return undefined;
	const settings = entries.map(({ type, ...given }) =>
		Object.keys(given).length === 0 ? {} : ownOf(formatForms, type)?.(given),
	);
	return settings.includes(undefined) ? undefined : Object.assign({ formats: names }, ...settings);
}

/** The scrape options that the editor has. */
const scrapeFields = [
	...['blockAds', 'excludeTags', 'headers', 'includeTags', 'location', 'maxAge', 'mobile'],
	...['onlyMainContent', 'parsers', 'profile', 'proxy', 'redactPII', 'timeout', 'waitFor'],
];

/** What those of a search lack: it has fields of its own of these names. */
const besidesSearch = ['location', 'timeout'];

/** Divides fields into those that the editor has, in its form, and the rest. */
function place(
	fields: JsonObject,
	names: readonly string[],
): { placed: JsonObject; rest: JsonObject } {
	const entries = Object.entries(fields).map(([name, value]) => ({
		name,
		value,
		form: names.includes(name) ? formOf(name, value) : undefined,
	}));
	const rest = entries.filter(({ form }) => form === undefined);
	return {
		placed: defined(Object.fromEntries(entries.map(({ name, form }) => [name, form]))),
		rest: Object.fromEntries(rest.map(({ name, value }) => [name, value])),
	};
}

/**
 * Scrape options in the editor's form, and the rest of them in the API's. `hasActions`: whether the editor has a field
 * for actions.
 */
function placeScrapeOptions(options: JsonObject, isOfSearch: boolean, hasActions: boolean) {
	const shown = options.formats === undefined ? {} : formats(options.formats);
	const read = hasActions ? actions : () => undefined;
	const shownActions = options.actions === undefined ? {} : read(options.actions);
	const { placed, rest } = place(
		omit(options, 'formats', 'actions'),
		isOfSearch ? scrapeFields.filter((name) => !besidesSearch.includes(name)) : scrapeFields,
	);
	return {
		parameters: {
			...shown,
			...(isObject(shownActions) &&
				Object.keys(shownActions).length > 0 && { actions: shownActions }),
		},
		placed,
		rest: {
			...rest,
			...(!shown && { formats: options.formats }),
			...(shownActions === undefined && { actions: options.actions }),
		},
	};
}

/** Sets a body of the API as the parameters of an operation. What the editor has no field for goes into *Request (JSON)*. */
export function parametersOf(
	body: JsonObject,
	places: Places,
): { parameters: JsonObject; lost: string[] } {
	const { own = [], additional = [], scrapes, renamed = {} } = places;
	const parameters: JsonObject = {};
	let fields = body;
	let scrapeRest: JsonObject = {};
	/** The scrape options that the editor has among the additional fields. */
	let shared: JsonObject = {};
	const hasActions = own.includes('actions');
	if (scrapes === 'itself') {
		const names = ['formats', 'actions', ...scrapeFields];
		const options = Object.fromEntries(
			Object.entries(body).filter(([name]) => names.includes(name)),
		);
		const { placed, ...found } = placeScrapeOptions(options, false, hasActions);
		Object.assign(parameters, found.parameters);
		shared = placed;
		fields = { ...omit(body, ...names), ...found.rest };
	} else if (scrapes && isObject(body.scrapeOptions)) {
		const ofSearch = scrapes === 'results';
		const { placed, ...found } = placeScrapeOptions(body.scrapeOptions, ofSearch, hasActions);
		const hasGroup = ofSearch && Object.keys(placed).length > 0;
		Object.assign(
			parameters,
			ofSearch && { scrapeResults: true },
			found.parameters,
			hasGroup && { scrapeOptions: placed },
		);
		if (!ofSearch) shared = placed;
		scrapeRest = found.rest;
		fields = omit(body, 'scrapeOptions');
	}
	const ownFields = place(fields, own);
	for (const [name, value] of Object.entries(ownFields.placed))
		parameters[renamed[name] ?? name] = value;
	const others = place(ownFields.rest, additional);
	const rest = {
		...others.rest,
		...(Object.keys(scrapeRest).length > 0 && { scrapeOptions: scrapeRest }),
	};
	const hasRest = Object.keys(rest).length > 0;
	const group = {
		...shared,
		...others.placed,
		...(hasRest && places.requestJson === true && { requestJson: jsonText(rest) }),
	};
	if (Object.keys(group).length > 0) parameters.additionalFields = group;
	const isLost = hasRest && places.requestJson !== true;
	return {
		parameters,
		lost: isLost ? Object.keys(rest).map((name) => `The field "${name}" has no counterpart.`) : [],
	};
}
