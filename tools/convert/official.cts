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
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import type { WorkflowNode } from './workflow.cjs';

/** The node type of the official package, also as a tool. */
const types = ['firecrawl', 'firecrawlTool'].map((name) => `@mendable/n8n-nodes-firecrawl.${name}`);

export const isOfficial = ({ type }: WorkflowNode): boolean => types.includes(type);

interface OfficialOperation {
	endpoint: string;
	/** The parameter with the ID in the path. */
	id?: string;
	/** Whether the item is `{ data: response }`. */
	wrapped?: boolean;
	/** Whether it waits for the job that it starts. */
	waits?: boolean;
	/** The parameters that it sends under their names, with their defaults, which workflows do not store. */
	sends?: JsonObject;
	/** The other parameters that it reads, and what it makes of them in the body. */
	reads?: string[];
	/** The fields of the body that it also sends beside a custom one; all that it has of the usual ones if left out. */
	always?: string[];
	body?: (parameters: JsonObject) => Record<string, Json | undefined>;
}

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

/** The groups of scrape options whose values stand in a list or a group below. */
const groups: Record<string, string> = {
	actions: 'items',
	excludeTags: 'items',
	formats: 'format',
	headers: '',
	includeTags: 'items',
	location: 'settings',
};

/** The groups that an expression computes: its value has the form of that node's editor. */
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

const firstUrl = 'https://firecrawl.dev';

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

const agent: Pick<OfficialOperation, 'always' | 'reads' | 'body'> = {
	reads: ['prompt', 'specifyUrls', 'urls', 'schemaType', 'schema', 'jsonExample'],
	always: [],
	body: ({ prompt, specifyUrls, urls, schemaType, ...schemas }) => {
		const { schema = agentSchema, jsonExample = agentExample } = schemas;
		return {
			prompt,
			urls: specifyUrls === true ? given(urls) : undefined,
			schema: schemaType === 'manual' ? valueOfJson(schema) : undefined,
			schemaExample: schemaType === 'fromExample' ? jsonExample : undefined,
		};
	},
};

const extractSwitches = ['ignoreSitemap', 'includeSubdomains', 'enableWebSearch', 'showSources'];

/** Every operation of the official node, 1.x and 2.x; their names differ among all resources. */
const operations: Record<string, OfficialOperation> = {
	scrape: {
		endpoint: 'POST /scrape',
		sends: { url: firstUrl },
		reads: ['parsers', 'scrapeOptions', 'profile'],
		body: (parameters) => ({
			parsers: parsersOf(parameters),
			...scrapeOptions(parameters),
			profile: profile(parameters),
		}),
	},
	batchScrape: {
		endpoint: 'POST /batch/scrape',
		wrapped: true,
		reads: ['urls', 'parsers', 'scrapeOptions'],
		body: (parameters) => ({
			// Its first version had a list of groups.
			urls: isObject(parameters.urls)
				? nonEmpty(entriesOf(at(parameters.urls, 'urlValues'), 'url'))
				: given(parameters.urls),
			parsers: parsersOf(parameters),
			...(isObject(at(parameters, 'scrapeOptions', 'options')) && batchDefaults),
			...scrapeOptions(parameters),
			webhook: webhook(parameters),
		}),
	},
	batchScrapeStatus: { endpoint: 'GET /batch/scrape/{id}', id: 'batchId' },
	getBatchScrapeStatus: { endpoint: 'GET /batch/scrape/{id}', id: 'batchId' },
	batchScrapeErrors: { endpoint: 'GET /batch/scrape/{id}/errors', id: 'batchId' },
	getBatchScrapeErrors: { endpoint: 'GET /batch/scrape/{id}/errors', id: 'batchId' },
	cancelBatchScrape: { endpoint: 'DELETE /batch/scrape/{id}', id: 'batchId' },
	crawl: {
		endpoint: 'POST /crawl',
		sends: { url: firstUrl, prompt: '', limit: 500, maxConcurrency: 100 },
		reads: ['delay', 'excludePaths', 'includePaths', 'crawlOptions', 'scrapeOptions'],
		body: (parameters) => {
			const { ignoreSitemap, ...crawlOptions } = objectOf(parameters.crawlOptions);
			return {
				delay: secondsOf(parameters.delay),
				excludePaths: nonEmpty(entriesOf(at(parameters, 'excludePaths', 'items'), 'path')),
				includePaths: nonEmpty(entriesOf(at(parameters, 'includePaths', 'items'), 'path')),
				...crawlOptions,
				sitemap: ignoreSitemap === true ? 'skip' : undefined,
				scrapeOptions: nested(parameters),
			};
		},
	},
	getCrawlStatus: { endpoint: 'GET /crawl/{id}', id: 'crawlId', wrapped: true },
	cancelCrawl: { endpoint: 'DELETE /crawl/{id}', id: 'crawlId' },
	getCrawlErrors: { endpoint: 'GET /crawl/{id}/errors', id: 'crawlId' },
	crawlActive: { endpoint: 'GET /crawl/active' },
	crawlParamsPreview: {
		endpoint: 'POST /crawl/params-preview',
		sends: { url: firstUrl, prompt: '' },
	},
	agent: { ...agent, endpoint: 'POST /agent', waits: true },
	agentAsync: { ...agent, endpoint: 'POST /agent', wrapped: true },
	getAgentStatus: { endpoint: 'GET /agent/{id}', id: 'agentId', wrapped: true },
	map: {
		endpoint: 'POST /map',
		sends: { url: firstUrl, search: '' },
		reads: ['mapOptions', 'sitemap', 'ignoreSitemap', 'includeSubdomains', 'limit', 'timeout'],
		// Its first version had most fields in a group.
		body: (parameters) => {
			const fields = { ...parameters, ...objectOf(at(parameters, 'mapOptions', 'options')) };
			return {
				sitemap: fields.sitemap ?? (fields.ignoreSitemap === true ? 'skip' : 'include'),
				includeSubdomains: fields.includeSubdomains ?? false,
				limit: fields.limit ?? 5000,
				timeout: fields.timeout ?? 10_000,
			};
		},
	},
	search: {
		endpoint: 'POST /search',
		sends: { query: '', sources: ['web'], timeout: 60_000, limit: 5, tbs: '' },
		reads: ['scrapeOptions'],
		body: (parameters) => ({ scrapeOptions: nested(parameters) }),
	},
	extract: {
		endpoint: 'POST /extract',
		sends: { prompt: '' },
		reads: ['urls', 'schema', 'scrapeOptions', ...extractSwitches],
		body: (parameters) => ({
			...Object.fromEntries(
				extractSwitches.flatMap((name) => (parameters[name] === true ? [[name, true]] : [])),
			),
			urls: nonEmpty(entriesOf(at(parameters, 'urls', 'items'), 'url')),
			schema: unset(parameters.schema) ? undefined : valueOfJson(parameters.schema),
			scrapeOptions: scrapeOptions(parameters),
		}),
	},
	getExtractStatus: { endpoint: 'GET /extract/{id}', id: 'extractId', wrapped: true },
	browserCreate: {
		endpoint: 'POST /interact',
		sends: { ttl: 600, activityTtl: 300 },
		reads: ['profile'],
		body: (parameters) => ({ profile: profile(parameters) }),
	},
	browserExecute: {
		endpoint: 'POST /interact/{id}/execute',
		id: 'sessionId',
		sends: { code: '', language: 'node', timeout: 30 },
	},
	browserList: {
		endpoint: 'GET /interact',
		reads: ['statusFilter'],
		body: ({ statusFilter }) => ({ status: given(statusFilter) }),
	},
	browserDelete: { endpoint: 'DELETE /interact/{id}', id: 'sessionId' },
	interact: {
		endpoint: 'POST /scrape/{id}/interact',
		id: 'scrapeId',
		sends: { timeout: 30 },
		reads: ['interactMode', 'prompt', 'code', 'language'],
		body: ({ interactMode, prompt, code, language }) =>
			interactMode === 'code' ? { code, language: language ?? 'node' } : { prompt },
	},
	interactStop: { endpoint: 'DELETE /scrape/{id}/interact', id: 'scrapeId' },
	teamCreditUsage: { endpoint: 'GET /team/credit-usage' },
	creditUsageHistorical: { endpoint: 'GET /team/credit-usage/historical' },
	teamQueueStatus: { endpoint: 'GET /team/queue-status' },
	teamTokenUsage: { endpoint: 'GET /team/token-usage' },
	teamTokenUsageHistorical: { endpoint: 'GET /team/token-usage/historical' },
	browserContext: { endpoint: 'browserContext' },
	interactContext: { endpoint: 'interactContext' },
};

/** The names of its operations. */
export const officialOperations: readonly string[] = Object.keys(operations);

const firstOperations: Record<string, string> = {
	Scraping: 'scrape',
	Crawling: 'crawl',
	Agent: 'agent',
	MapSearch: 'map',
	Browser: 'browserContext',
	Interact: 'interactContext',
	Account: 'teamCreditUsage',
	Extract: 'extract',
};

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
	const fields = fieldsOf(operation, parameters);
	if (useCustomBody !== true && !isComputed) return { body: fields };
	const { always = ['url', 'urls', 'query'] } = operation;
	const own = isComputed || withCustomBody.includes(name) ? (customBody ?? {}) : {};
	const custom = objectOfJson(own);
	const properties = objectOfJson(at(additionalFields, 'customProperties') ?? {});
	if (!custom) return { reason: 'Its custom body is no JSON object that can be read.' };
	if (!properties || isExpression(additionalFields)) {
		return { reason: 'Its custom properties are no JSON object that can be read.' };
	}
	const sent = isComputed
		? fields
		: Object.fromEntries(Object.entries(fields).filter(([field]) => always.includes(field)));
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

/** The call of a node of the official package. */
export function officialCall({ parameters }: WorkflowNode): ServiceCall | Refusal {
	const name = operationOf(parameters);
	const operation = ownOf(operations, name);
	if (!operation) return { reason: `The operation "${name}" is not known.` };
	const { endpoint, id, wrapped, waits, sends = {}, reads = [] } = operation;
	const sent = sentBy(name, operation, parameters);
	if (isRefusal(sent)) return sent;
	const known = [...general, ...Object.keys(sends), ...reads, id];
	const { maxWaitTime = 300 } = parameters;
	return {
		endpoint,
		id: id && (parameters[id] ?? ''),
		...sent,
		version: 'v2',
		wrapper: wrapped === true ? 'data' : 'none',
		...(waits === true && { waits: minutesOf(maxWaitTime) }),
		lost: [
			...Object.keys(parameters)
				.filter(
					(parameter) => !known.includes(parameter) && !(waits && parameter === 'maxWaitTime'),
				)
				.map((parameter) => `The parameter "${parameter}" has no counterpart.`),
			...(reads.includes('scrapeOptions') ? computedGroups(parameters) : []).map(
				(group) => `The expression for "${group}" has no counterpart.`,
			),
		],
		notes: notesOf(name, parameters),
	};
}

function fieldsOf({ sends = {}, body }: OfficialOperation, parameters: JsonObject): JsonObject {
	const own = Object.entries(sends).map(([name, standard]) => [
		name,
		given(parameters[name] ?? standard),
	]);
	return defined({ ...Object.fromEntries(own), ...body?.(parameters) });
}

const minutesOf = (seconds: Json): Json =>
	typeof seconds === 'number' ? seconds / 60 : codeExpression(`${codeOf(seconds)} / 60`);
