import { codeExpression, codeOf, isExpression } from './expressions.cjs';
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
import { objectOfJson, valueOfJson } from './literals.cjs';
import type { Refusal, ServiceCall } from './serviceCall.cjs';
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
	/** The parameters that become the body, and how; their defaults are not stored in workflows. */
	body?: (parameters: JsonObject) => JsonObject;
	/** The parameters that it reads otherwise. */
	reads?: string[];
}

/** A field of the entries of a list in the editor. */
const entriesOf = (list: Json | undefined, field: string): Json[] =>
	listOf(objectOf(list).items).map((entry) => objectOf(entry)[field] ?? '');

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
	const { fullPage, quality, viewportWidth: width, viewportHeight: height } = screenshot;
	const viewport = unset(width) || unset(height) ? undefined : { width, height };
	return defined({ type, fullPage, quality: given(quality), viewport });
}

/** What the node sends with any scrape option, where the service has another default. */
const sentDefaults = { timeout: 30_000, skipTlsVerification: false, proxy: 'basic' };

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
	const { options } = objectOf(given);
	if (isExpression(given) || isExpression(options)) return ['scrapeOptions'];
	const fields = objectOf(options);
	return Object.entries(groups)
		.filter(([name, list]) =>
			[fields[name], objectOf(fields[name])[list]].some((value) => isExpression(value)),
		)
		.map(([name]) => name);
}

/** The scrape options of the editor as the body has them. */
function scrapeOptions(parameters: JsonObject): JsonObject {
	const { options: group } = objectOf(parameters.scrapeOptions);
	if (!isObject(group)) return {};
	const options = { ...sentDefaults, ...group };
	const { formats, includeTags, excludeTags, actions, location, headers } = group;
	const { country, languages } = objectOf(objectOf(location).settings);
	const { key, value } = objectOf(headers);
	const codes = listOf(objectOf(languages).language).map((entry) => objectOf(entry).code ?? '');
	return defined({
		...omit(options, 'webhook'),
		formats: nonEmpty(listOf(objectOf(formats).format).map(formatOf)),
		includeTags: nonEmpty(entriesOf(includeTags, 'tag')),
		excludeTags: nonEmpty(entriesOf(excludeTags, 'tag')),
		actions: nonEmpty(listOf(objectOf(actions).items)),
		location: isObject(location) ? defined({ country, languages: nonEmpty(codes) }) : undefined,
		headers: typeof key === 'string' && key !== '' ? { [key]: value ?? '' } : undefined,
	});
}

const parsersOf = ({ parsers }: JsonObject): Json | undefined =>
	isExpression(parsers) ? parsers : nonEmpty(listOf(parsers));

function profile({ profile: group }: JsonObject): Json | undefined {
	const { settings } = objectOf(group);
	return isObject(settings) ? { saveChanges: true, ...settings } : undefined;
}

/** URLs as the node takes them: one, a list with commas or lines, or JSON. */
function urlList(value: Json | undefined): Json | undefined {
	if (typeof value !== 'string' || isExpression(value)) return given(value);
	const text = value.trim();
	const list = text.startsWith('[') ? listOf(valueOfJson(text)) : text.split(/[\n,]/);
	const urls = list.map((entry) => textOf(entry).trim()).filter((entry) => entry !== '');
	const whole = urls.map((url) => (/^https?:\/\//.test(url) ? url : `https://${url}`));
	return nonEmpty([...new Set(whole)]);
}

function webhook({ scrapeOptions: group }: JsonObject): Json | undefined {
	const { settings } = objectOf(objectOf(objectOf(group).options).webhook);
	if (!isObject(settings)) return undefined;
	const { headers, metadata, events, url } = settings;
	const pairs = listOf(objectOf(headers).header).map((entry): [string, Json] => {
		const { key, name, value } = objectOf(entry);
		return [textOf(key ?? name), value ?? ''];
	});
	return defined({
		url,
		headers: pairs.length === 0 ? undefined : Object.fromEntries(pairs),
		metadata: unset(metadata) || metadata === '{}' ? undefined : valueOfJson(metadata),
		events: nonEmpty(listOf(events)),
	});
}

function agentBody(parameters: JsonObject): JsonObject {
	const { prompt, specifyUrls, urls, schemaType, schema, jsonExample } = parameters;
	return defined({
		prompt,
		...(specifyUrls === true && { urls: urlList(urls) }),
		...(schemaType === 'manual' && { schema: valueOfJson(schema) }),
		...(schemaType === 'fromExample' && { schemaExample: jsonExample ?? founders }),
	});
}

/** The example that the node has before it is changed. */
const founders =
	'{\n  "founders": [\n    {\n      "name": "John Doe",\n      "role": "CEO"\n    }\n  ]\n}';

function crawlBody(parameters: JsonObject): JsonObject {
	const { url, prompt, limit, delay, maxConcurrency, excludePaths, includePaths } = parameters;
	const { ignoreSitemap, ...crawlOptions } = objectOf(parameters.crawlOptions);
	const options = scrapeOptions(parameters);
	return defined({
		url: url ?? 'https://firecrawl.dev',
		prompt: given(prompt),
		limit: limit ?? 500,
		delay: delay === 0 ? undefined : secondsOf(delay),
		maxConcurrency: maxConcurrency ?? 100,
		excludePaths: nonEmpty(entriesOf(excludePaths, 'path')),
		includePaths: nonEmpty(entriesOf(includePaths, 'path')),
		...crawlOptions,
		sitemap: ignoreSitemap === true ? 'skip' : undefined,
		scrapeOptions: Object.keys(options).length === 0 ? undefined : options,
	});
}

/** A delay of milliseconds, as the node describes it, in the seconds that the API takes. */
function secondsOf(delay: Json | undefined): Json | undefined {
	if (typeof delay === 'number') return delay > 60 ? Math.min(delay / 1000, 60) : delay;
	return delay === undefined
		? undefined
		: codeExpression(`((delay) => delay > 60 ? delay / 1000 : delay)(${codeOf(delay)})`);
}

const firstUrl = 'https://firecrawl.dev';

/** The fields of a map, which its first version had in a group. */
const mapFields = ['sitemap', 'ignoreSitemap', 'includeSubdomains', 'limit', 'timeout'];

/** Every operation of the official node, 1.x and 2.x; their names differ among all resources. */
const operations: Record<string, OfficialOperation> = {
	scrape: {
		endpoint: 'POST /scrape',
		reads: ['url', 'parsers', 'scrapeOptions', 'profile'],
		body: (parameters) =>
			defined({
				url: parameters.url ?? firstUrl,
				parsers: parsersOf(parameters),
				...scrapeOptions(parameters),
				profile: profile(parameters),
			}),
	},
	batchScrape: {
		endpoint: 'POST /batch/scrape',
		wrapped: true,
		reads: ['urls', 'parsers', 'scrapeOptions'],
		body: (parameters) =>
			defined({
				urls: urlList(parameters.urls),
				parsers: parsersOf(parameters),
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
		reads: [
			...['url', 'prompt', 'limit', 'delay', 'maxConcurrency', 'excludePaths', 'includePaths'],
			...['crawlOptions', 'scrapeOptions'],
		],
		body: crawlBody,
	},
	getCrawlStatus: { endpoint: 'GET /crawl/{id}', id: 'crawlId', wrapped: true },
	cancelCrawl: { endpoint: 'DELETE /crawl/{id}', id: 'crawlId' },
	getCrawlErrors: { endpoint: 'GET /crawl/{id}/errors', id: 'crawlId' },
	crawlActive: { endpoint: 'GET /crawl/active' },
	crawlParamsPreview: {
		endpoint: 'POST /crawl/params-preview',
		reads: ['url', 'prompt'],
		body: ({ url, prompt }) => defined({ url: url ?? firstUrl, prompt }),
	},
	agent: {
		endpoint: 'POST /agent',
		reads: ['prompt', 'specifyUrls', 'urls', 'schemaType', 'schema', 'jsonExample', 'maxWaitTime'],
		body: agentBody,
	},
	agentAsync: {
		endpoint: 'POST /agent',
		wrapped: true,
		reads: ['prompt', 'specifyUrls', 'urls', 'schemaType', 'schema', 'jsonExample'],
		body: agentBody,
	},
	getAgentStatus: { endpoint: 'GET /agent/{id}', id: 'agentId', wrapped: true },
	map: {
		endpoint: 'POST /map',
		reads: ['url', 'search', 'mapOptions', ...mapFields],
		body: ({ url, search, mapOptions, ...own }) => {
			const fields = { ...own, ...objectOf(objectOf(mapOptions).options) };
			const { sitemap, ignoreSitemap, includeSubdomains, limit, timeout } = fields;
			return defined({
				url: url ?? firstUrl,
				search: given(search),
				sitemap: sitemap ?? (ignoreSitemap === true ? 'skip' : 'include'),
				includeSubdomains: includeSubdomains ?? false,
				limit: limit ?? 5000,
				timeout: timeout ?? 10_000,
			});
		},
	},
	search: {
		endpoint: 'POST /search',
		reads: ['query', 'sources', 'timeout', 'limit', 'tbs', 'scrapeOptions'],
		body: (parameters) => {
			const { query, sources, timeout, limit, tbs } = parameters;
			const options = scrapeOptions(parameters);
			return defined({
				query,
				sources: sources ?? ['web'],
				timeout: timeout ?? 60_000,
				limit: limit ?? 5,
				tbs: given(tbs),
				scrapeOptions: Object.keys(options).length === 0 ? undefined : options,
			});
		},
	},
	extract: {
		endpoint: 'POST /extract',
		reads: [
			...['urls', 'prompt', 'schema', 'ignoreSitemap', 'includeSubdomains', 'enableWebSearch'],
			...['showSources', 'scrapeOptions'],
		],
		body: (parameters) => {
			const { urls, prompt, schema } = parameters;
			return defined({
				urls: nonEmpty(entriesOf(urls, 'url')),
				prompt: given(prompt),
				schema: unset(schema) ? undefined : valueOfJson(schema),
				scrapeOptions: scrapeOptions(parameters),
			});
		},
	},
	getExtractStatus: { endpoint: 'GET /extract/{id}', id: 'extractId', wrapped: true },
	browserCreate: {
		endpoint: 'POST /interact',
		reads: ['ttl', 'activityTtl', 'profile'],
		body: (parameters) =>
			defined({
				ttl: parameters.ttl ?? 600,
				activityTtl: parameters.activityTtl ?? 300,
				profile: profile(parameters),
			}),
	},
	browserExecute: {
		endpoint: 'POST /interact/{id}/execute',
		id: 'sessionId',
		reads: ['code', 'language', 'timeout'],
		body: ({ code, language, timeout }) => ({
			code: code ?? '',
			language: language ?? 'node',
			timeout: timeout ?? 30,
		}),
	},
	browserList: {
		endpoint: 'GET /interact',
		reads: ['statusFilter'],
		body: ({ statusFilter }) => defined({ status: given(statusFilter) }),
	},
	browserDelete: { endpoint: 'DELETE /interact/{id}', id: 'sessionId' },
	interact: {
		endpoint: 'POST /scrape/{id}/interact',
		id: 'scrapeId',
		reads: ['interactMode', 'prompt', 'code', 'language', 'timeout'],
		body: ({ interactMode, prompt, code, language, timeout }) => ({
			...(interactMode === 'code' ? { code, language: language ?? 'node' } : { prompt }),
			timeout: timeout ?? 30,
		}),
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

const notSent = ['resource', 'operation', 'useCustomBody', 'customBody', 'additionalFields'];
const ofTools = ['descriptionType', 'toolDescription', 'requestOptions'];

/** The call of a node of the official package. */
export function officialCall({ parameters }: WorkflowNode): ServiceCall | Refusal {
	const name = operationOf(parameters);
	const operation = ownOf(operations, name);
	if (!operation) return { reason: `The operation "${name}" is not known.` };
	const { endpoint, id, wrapped = false, reads = [], body } = operation;
	const custom = parameters.useCustomBody === true ? customBody(parameters) : {};
	if (!custom) return { reason: 'Its custom body is no JSON object that can be read.' };
	const known = [...notSent, ...ofTools, ...reads, ...(id ? [id] : [])];
	const lost = [
		...Object.keys(parameters)
			.filter((parameter) => !known.includes(parameter))
			.map((parameter) => `The parameter "${parameter}" has no counterpart.`),
		...(reads.includes('scrapeOptions') ? computedGroups(parameters) : []).map(
			(group) => `The expression for "${group}" has no counterpart.`,
		),
	];
	const isCustom = parameters.useCustomBody === true;
	// With a body of its own the node sends only its first fields besides.
	const own = isCustom ? firstFields(parameters) : parameters;
	const notes =
		name === 'crawl' && typeof parameters.delay === 'number' && parameters.delay > 60
			? [
					'The delay was sent as seconds although it is given in milliseconds; now it is in seconds.',
				]
			: [];
	return {
		endpoint,
		id: id && (parameters[id] ?? ''),
		body: { ...(isCustom ? defined(own) : body?.(own)), ...custom },
		version: 'v2',
		wrapper: wrapped ? 'data' : 'none',
		...(name === 'agent' && { waits: minutesOf(parameters.maxWaitTime ?? 300) }),
		lost,
		notes,
	};
}

const minutesOf = (seconds: Json): Json =>
	typeof seconds === 'number' ? seconds / 60 : codeExpression(`${codeOf(seconds)} / 60`);

const firstFields = ({ url, urls, query }: JsonObject) =>
	defined({ url, urls: urlList(urls), query });

function customBody({ customBody: json, additionalFields }: JsonObject): JsonObject | undefined {
	const given = json ?? objectOf(additionalFields).customProperties ?? {};
	return objectOfJson(given);
}
