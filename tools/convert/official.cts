import { z } from 'zod/v3';
import { codeExpression, codeOf, isExpression } from './expressions.cjs';
import {
	at,
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
import { objectOfJson, valueOfJson } from './literals.cjs';
import { firstOperations, officialGroups as groups } from './fields.json';
import listed from './official.json';
import { sitemapOf } from './olderVersions.cjs';
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import type { WorkflowNode } from './workflow.cjs';

/** The node type of the official package, also as a tool. */
const types = ['firecrawl', 'firecrawlTool'].map((name) => `@mendable/n8n-nodes-firecrawl.${name}`);

export const isOfficial = ({ type }: WorkflowNode): boolean => types.includes(type);

/** A field of the entries of a list in the editor. */
const entriesOf = (list: Json | undefined, field: string): Json[] =>
	listOf(list).map((entry) => at(entry, field) ?? '');

const nonEmpty = (list: Json[]): Json[] | undefined => (list.length === 0 ? undefined : list);

const unset = (value: Json | undefined): value is undefined =>
	value === undefined || value === '' || value === null;

const given = (value: Json | undefined): Json | undefined => (unset(value) ? undefined : value);

function formatOf(entry: Json): Json {
	const { type = 'markdown', prompt, schema, modes, tag, ...screenshot } = objectOf(entry);
	if (type === 'json' || type === 'changeTracking') {
		const isSet = !unset(schema) && schema !== '{}';
		return defined({
			type,
			prompt: given(prompt),
			schema: isSet ? valueOfJson(schema) : undefined,
			modes: type === 'changeTracking' ? (modes ?? ['git-diff']) : undefined,
			tag: given(tag),
		});
	}
	if (type !== 'screenshot') return type;
	// Neither the editor nor the workflow's file holds what was left as it is.
	const { fullPage, quality = 100, viewportWidth = 1024, viewportHeight = 768 } = screenshot;
	const isSized = !unset(viewportWidth) && !unset(viewportHeight);
	const viewport = isSized ? { width: viewportWidth, height: viewportHeight } : undefined;
	return defined({ type, fullPage, quality: given(quality), viewport });
}

/** An action with its defaults. */
function actionOf(entry: Json): Json {
	const { type = 'wait', ...fields } = objectOf(entry);
	return { type, ...(type === 'wait' && { milliseconds: 1000 }), ...fields };
}

/** What the node sends with any scrape option, where the service has another default. */
const sentDefaults = { timeout: 30_000, skipTlsVerification: false, proxy: 'basic' };

/** What a batch sends besides. */
const batchDefaults = { maxConcurrency: 100 };

/** The groups of scrape options, whose values stand in a list or a group below, that an expression computes: its value has the form of that node's editor. */
function computedGroups({ scrapeOptions: given }: JsonObject): string[] {
	const options = at(given, 'options');
	if (isExpression(given) || isExpression(options)) return ['scrapeOptions'];
	return Object.entries(groups)
		.filter(([name, list]) => [at(options, name), at(options, name, list)].some(isExpression))
		.map(([name]) => name);
}

/** The scrape options of the editor as the body has them. */
function scrapeOptions(parameters: JsonObject): JsonObject {
	const group = at(parameters, 'scrapeOptions', 'options');
	if (!isObject(group)) return {};
	const { key, value } = objectOf(group.headers);
	const location = defined({
		country: at(group, 'location', 'settings', 'country') ?? 'US',
		languages: nonEmpty(
			entriesOf(at(group, 'location', 'settings', 'languages', 'language'), 'code'),
		),
	});
	return defined({
		...sentDefaults,
		...omit(group, 'webhook'),
		formats: nonEmpty(listOf(at(group, 'formats', 'format')).map(formatOf)),
		includeTags: nonEmpty(entriesOf(at(group, 'includeTags', 'items'), 'tag')),
		excludeTags: nonEmpty(entriesOf(at(group, 'excludeTags', 'items'), 'tag')),
		actions: nonEmpty(listOf(at(group, 'actions', 'items')).map(actionOf)),
		location: isObject(at(group, 'location', 'settings')) ? location : undefined,
		headers: typeof key === 'string' && key !== '' ? { [key]: value ?? '' } : undefined,
	});
}

const parsersOf = ({ parsers }: JsonObject): Json | undefined =>
	isExpression(parsers) ? parsers : nonEmpty(listOf(parsers));

function profile(parameters: JsonObject): Json | undefined {
	const settings = at(parameters, 'profile', 'settings');
	return isObject(settings) ? { saveChanges: true, ...settings } : undefined;
}

function webhook(parameters: JsonObject): Json | undefined {
	const settings = at(parameters, 'scrapeOptions', 'options', 'webhook', 'settings');
	if (!isObject(settings)) return undefined;
	const { metadata, events, url } = settings;
	const headers = listOf(at(settings, 'headers', 'header')).map((entry) => {
		const { name, key = name, value = '' } = objectOf(entry);
		return [textOf(key), value];
	});
	return defined({
		url,
		headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
		metadata: unset(metadata) || metadata === '{}' ? undefined : valueOfJson(metadata),
		events: nonEmpty(listOf(events)),
	});
}

/** The longest delay that the service takes, in seconds. */
const longestDelay = 60;

/** A delay in seconds: the node sends its number as it is, but describes it as milliseconds, and no more than 60 seconds are taken. */
const secondsOf = (delay: Json | undefined): Json | undefined => {
	if (typeof delay !== 'number') return given(delay);
	return delay > longestDelay ? Math.min(delay / 1000, longestDelay) : delay || undefined;
};

const nested = (parameters: JsonObject) => {
	const options = scrapeOptions(parameters);
	return Object.keys(options).length === 0 ? undefined : options;
};

/** The schema and the example that are sent if nobody changes them. */
const agentSchema =
	'{"type":"object","properties":{"founders":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"role":{"type":"string"}}}}}}';
const agentExample = '{"founders":[{"name":"John Doe","role":"CEO"}]}';

function agent({ prompt, specifyUrls, urls, schemaType, ...schemas }: JsonObject) {
	const { schema = agentSchema, jsonExample = agentExample } = schemas;
	const chosen = isExpression(specifyUrls)
		? codeExpression(`${codeOf(specifyUrls)} ? ${codeOf(urls ?? '')} : []`)
		: given(urls);
	return {
		prompt,
		urls: specifyUrls === true || isExpression(specifyUrls) ? chosen : undefined,
		schema: schemaType === 'manual' ? valueOfJson(schema) : undefined,
		schemaExample: schemaType === 'fromExample' ? jsonExample : undefined,
	};
}

const extractSwitches = ['ignoreSitemap', 'includeSubdomains', 'enableWebSearch', 'showSources'];

/** What an operation makes of parameters that it does not send under their names. */
const bodies: Record<string, (parameters: JsonObject) => Record<string, Json | undefined>> = {
	scrape: (parameters) => ({
		parsers: parsersOf(parameters),
		...scrapeOptions(parameters),
		profile: profile(parameters),
	}),
	batchScrape: (parameters) => ({
		// Its first version had a list of groups.
		urls: isObject(parameters.urls)
			? nonEmpty(entriesOf(at(parameters.urls, 'urlValues'), 'url'))
			: given(parameters.urls),
		parsers: parsersOf(parameters),
		...(isObject(at(parameters, 'scrapeOptions', 'options')) && batchDefaults),
		...scrapeOptions(parameters),
		webhook: webhook(parameters),
	}),
	crawl: (parameters) => {
		const { ignoreSitemap, ...crawlOptions } = objectOf(parameters.crawlOptions);
		return {
			delay: secondsOf(parameters.delay),
			excludePaths: nonEmpty(entriesOf(at(parameters, 'excludePaths', 'items'), 'path')),
			includePaths: nonEmpty(entriesOf(at(parameters, 'includePaths', 'items'), 'path')),
			...crawlOptions,
			sitemap: sitemapOf(ignoreSitemap, 'skip'),
			scrapeOptions: nested(parameters),
		};
	},
	agent,
	agentAsync: agent,
	// Its first version had most fields in a group.
	map: (parameters) => {
		const fields = { ...parameters, ...objectOf(at(parameters, 'mapOptions', 'options')) };
		return {
			sitemap: fields.sitemap ?? sitemapOf(fields.ignoreSitemap, 'skip') ?? 'include',
			includeSubdomains: fields.includeSubdomains ?? false,
			limit: fields.limit ?? 5000,
			timeout: fields.timeout ?? 10_000,
		};
	},
	search: (parameters) => ({ scrapeOptions: nested(parameters) }),
	extract: (parameters) => ({
		...Object.fromEntries(
			extractSwitches.flatMap((name) =>
				parameters[name] === true || isExpression(parameters[name])
					? [[name, parameters[name]]]
					: [],
			),
		),
		urls: nonEmpty(entriesOf(at(parameters, 'urls', 'items'), 'url')),
		schema: unset(parameters.schema) ? undefined : valueOfJson(parameters.schema),
		scrapeOptions: scrapeOptions(parameters),
	}),
	browserCreate: (parameters) => ({ profile: profile(parameters) }),
	browserList: ({ statusFilter }) => ({ status: given(statusFilter) }),
	interact: ({ interactMode, prompt, code, language }) =>
		interactMode === 'code' ? { code, language: language ?? 'node' } : { prompt },
};

const names = z.array(z.string()).default([]);

const operation = z
	.object({
		endpoint: z.string(),
		/** The parameter with the ID in the path. */
		id: z.string().optional(),
		/** Whether the item is `{ data: response }`. */
		wrapped: z.boolean().default(false),
		/** Whether it waits for the job that it starts. */
		waits: z.boolean().default(false),
		/** The parameters that it sends under their names, with their defaults, which workflows do not store. */
		sends: z.record(z.union([z.string(), z.number(), z.array(z.string())])).default({}),
		/** The other parameters that it reads. */
		reads: names,
		/** The fields of the body that it also sends beside a custom one. */
		always: z.array(z.string()).default(['url', 'urls', 'query']),
	})
	.strict();

type OfficialOperation = z.infer<typeof operation>;

/** Every operation of the official node, 1.x and 2.x; their names differ among all resources. */
const operations = z.record(operation).parse(listed);

/** The names of its operations. */
export const officialOperations: readonly string[] = Object.keys(operations);

/** The operation of a node, of which neither the first resource nor its first operation is stored. */
function operationOf({ resource, operation, ...others }: JsonObject): string {
	if (typeof operation === 'string') return operation;
	if (typeof resource === 'string' && resource !== 'Default') {
		return ownOf(firstOperations, resource) ?? resource;
	}
	// The first of 1.x was another.
	const isMap = ['sitemap', 'includeSubdomains', 'limit'].some((name) => name in others);
	return resource === 'Default' || isMap ? 'map' : 'scrape';
}

/** What is no parameter of an operation; the last three are of tools. */
const general = [
	...['resource', 'operation', 'useCustomBody', 'customBody', 'additionalFields'],
	...['descriptionType', 'toolDescription', 'requestOptions'],
];

/** What a node sends: its body, and what n8n computes when it runs and merges over that. */
interface Sent {
	body: JsonObject;
	overriding?: string;
}

/** The operations that have a custom body; where an expression switches it on, n8n shows it in all. */
const withCustomBody = ['scrape', 'crawl', 'map', 'agent', 'agentAsync'];

/** The body of a node with its custom properties, and over these its custom body. */
function sentBy(
	name: string,
	operation: OfficialOperation,
	parameters: JsonObject,
): Sent | Refusal {
	const { useCustomBody, customBody, additionalFields } = parameters;
	const isComputed = isExpression(useCustomBody);
	const fields = fieldsOf(name, operation, parameters);
	if (useCustomBody !== true && !isComputed) return { body: fields };
	const own = isComputed || withCustomBody.includes(name) ? (customBody ?? {}) : {};
	const custom = objectOfJson(own);
	const properties = objectOfJson(at(additionalFields, 'customProperties') ?? {});
	if (!custom) return { reason: 'Its custom body is no JSON object that can be read.' };
	if (!properties || isExpression(additionalFields)) {
		return { reason: 'Its custom properties are no JSON object that can be read.' };
	}
	const sent = isComputed
		? fields
		: Object.fromEntries(
				Object.entries(fields).filter(([field]) => operation.always.includes(field)),
			);
	const body = { ...sent, ...properties };
	if (!isComputed) return { body: { ...body, ...custom } };
	if (Object.keys(custom).length === 0) return { body };
	if (Object.keys(custom).some((field) => isObject(custom[field]) && isObject(body[field]))) {
		return {
			reason: 'An expression decides whether groups of its custom body replace its fields.',
		};
	}
	return { body, overriding: `${codeOf(useCustomBody)} ? ${codeOf(custom)} : {}` };
}

/** What is otherwise than in the node, as meant. */
function notesOf(name: string, parameters: JsonObject): string[] {
	const { useCustomBody, customBody, schema, delay, requestOptions } = parameters;
	const isOn = isExpression(useCustomBody);
	const hasBody = isOn || (useCustomBody === true && withCustomBody.includes(name));
	const left = Object.keys(objectOf(requestOptions)).join(', ');
	const placeholder = (field: string) =>
		`It sent the placeholder of ${field}, which nobody had filled in: this is left out.`;
	const notes: Array<[isSo: boolean, note: string]> = [
		[hasBody && customBody === undefined, placeholder('Custom Body')],
		[name === 'extract' && useCustomBody !== true && schema === undefined, placeholder('Schema')],
		[
			typeof delay === 'number' && delay > longestDelay,
			`Its delay is taken for milliseconds: the service counts seconds, ${longestDelay} at most.`,
		],
		[
			left !== '',
			`Its request options (${left}) are left out: see Ignore SSL Issues of the credential, and n8n's own proxy; the node keeps to the rate limit by itself.`,
		],
	];
	return notes.flatMap(([isSo, note]) => (isSo ? [note] : []));
}

/** The endpoint that a node of the official package asks, or nothing. */
export const officialEndpoint = ({ parameters }: WorkflowNode): string =>
	ownOf(operations, operationOf(parameters))?.endpoint ?? '';

/** What decides which fields are sent, and has no counterpart if an expression computes it. */
const choices = ['schemaType', 'interactMode'];

/** The call of a node of the official package. */
export function officialCall({ parameters }: WorkflowNode): ServiceCall | Refusal {
	const name = operationOf(parameters);
	const operation = ownOf(operations, name);
	if (!operation) return { reason: `The operation "${name}" is not known.` };
	const { endpoint, id, wrapped, waits, sends, reads } = operation;
	const sent = sentBy(name, operation, parameters);
	if (isRefusal(sent)) return sent;
	const known = [...general, ...Object.keys(sends), ...reads, id];
	const { maxWaitTime = 300 } = parameters;
	return {
		endpoint,
		id: id && (parameters[id] ?? ''),
		...sent,
		version: 'v2',
		wrapper: wrapped ? 'data' : 'none',
		...(waits && { waits: minutesOf(maxWaitTime) }),
		lost: [
			...Object.keys(parameters)
				.filter(
					(parameter) => !known.includes(parameter) && !(waits && parameter === 'maxWaitTime'),
				)
				.map((parameter) => `The parameter "${parameter}" has no counterpart.`),
			...[
				...(reads.includes('scrapeOptions') ? computedGroups(parameters) : []),
				...choices.filter((choice) => isExpression(parameters[choice])),
			].map((group) => `The expression for "${group}" has no counterpart.`),
		],
		notes: notesOf(name, parameters),
	};
}

function fieldsOf(name: string, { sends }: OfficialOperation, parameters: JsonObject): JsonObject {
	const own = Object.entries(sends).map(([field, standard]) => [
		field,
		given(parameters[field] ?? standard),
	]);
	return defined({ ...Object.fromEntries(own), ...ownOf(bodies, name)?.(parameters) });
}

const minutesOf = (seconds: Json): Json =>
	typeof seconds === 'number' ? seconds / 60 : codeExpression(`${codeOf(seconds)} / 60`);
