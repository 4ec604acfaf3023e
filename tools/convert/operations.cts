import { defined, objectOf, omit, ownOf, type JsonObject } from './json.cjs';
import { endingOf } from './ending.cjs';
import { emptiedOfKeys } from './keys.cjs';
import { valueOfJson } from './literals.cjs';
import { rejectedBySchema } from './nodeSchema.cjs';
import { codeExpression, codeOf, unparsableIn } from './expressions.cjs';
import { jsonText, parametersOf, type Places } from './parameters.cjs';
import type { Refusal, ServiceCall } from './serviceCall.cjs';

/** An operation of this pack that sends a call. */
export interface Operation {
	resource: string;
	operation: string;
	/** The parameter with the ID of the path. */
	id?: string;
	places?: Places;
	/** Whether it can return the whole response. */
	hasResponse?: boolean;
	/** The list of the response of which each entry becomes an item. */
	list?: string[];
	/** Fields of the response by the names that its items have, where they do not have them all. */
	fields?: Record<string, string>;
	/** Whether the item has the fields of the response itself, or of its `data`. */
	holds?: 'response' | 'data';
	/** Parameters that every node has. */
	fixed?: JsonObject;
	/** Additional fields that every node has. */
	added?: JsonObject;
}

const job = { id: 'jobId' };

/** What this pack has for each endpoint of the API. */
const operations: Record<string, Operation> = {
	'POST /scrape': {
		resource: 'page',
		operation: 'scrape',
		hasResponse: true,
		places: {
			own: ['url', 'actions'],
			scrapes: 'itself',
			requestJson: true,
		},
	},
	'POST /search': {
		resource: 'search',
		operation: 'query',
		hasResponse: true,
		list: ['data', 'web'],
		places: {
			own: ['query', 'limit'],
			additional: [
				...['sources', 'categories', 'country', 'enterprise', 'excludeDomains', 'highlights'],
				...['ignoreInvalidURLs', 'includeDomains', 'location', 'tbs', 'timeout'],
			],
			scrapes: 'results',
			requestJson: true,
		},
	},
	'POST /map': {
		resource: 'map',
		operation: 'get',
		hasResponse: true,
		list: ['links'],
		places: {
			own: ['url', 'limit'],
			additional: [
				'search',
				...['excludePaths', 'headers', 'ignoreCache', 'ignoreQueryParameters', 'includePaths'],
				...['includeSubdomains', 'location', 'sitemap', 'timeout'],
			],
			requestJson: true,
		},
	},
	'POST /crawl': {
		resource: 'crawl',
		operation: 'start',
		fields: { id: 'jobId', jobId: 'jobId' },
		places: {
			own: ['url', 'limit'],
			additional: [
				...['allowExternalLinks', 'allowSubdomains', 'crawlEntireDomain', 'delay', 'excludePaths'],
				...['ignoreQueryParameters', 'includePaths', 'maxDiscoveryDepth', 'prompt'],
				...['regexOnFullURL', 'sitemap', 'webhook'],
			],
			scrapes: 'pages',
			requestJson: true,
		},
	},
	'GET /crawl/{id}': {
		...job,
		resource: 'crawl',
		operation: 'get',
		hasResponse: true,
	},
	'DELETE /crawl/{id}': { ...job, resource: 'crawl', operation: 'cancel' },
	'GET /crawl/{id}/errors': { ...job, resource: 'crawl', operation: 'getErrors', list: ['errors'] },
	'GET /crawl/active': { resource: 'crawl', operation: 'getActive', list: ['crawls'] },
	'POST /crawl/params-preview': {
		resource: 'crawl',
		operation: 'previewParams',
		holds: 'data',
		places: { own: ['url', 'prompt'] },
	},
	'POST /batch/scrape': {
		resource: 'batch',
		operation: 'start',
		fields: { id: 'jobId' },
		places: {
			own: ['urls'],
			additional: ['appendToId', 'ignoreInvalidURLs', 'maxConcurrency', 'webhook'],
			scrapes: 'itself',
			requestJson: true,
		},
	},
	'GET /batch/scrape/{id}': {
		...job,
		resource: 'batch',
		operation: 'get',
		hasResponse: true,
	},
	'DELETE /batch/scrape/{id}': { ...job, resource: 'batch', operation: 'cancel' },
	'GET /batch/scrape/{id}/errors': {
		...job,
		resource: 'batch',
		operation: 'getErrors',
		list: ['errors'],
	},
	'POST /agent': {
		resource: 'agent',
		operation: 'start',
		fields: { id: 'jobId' },
		places: {
			own: ['prompt'],
			additional: [
				...['effort', 'maxCredits', 'mode', 'strictConstrainToURLs', 'threadId', 'urls', 'webhook'],
			],
			requestJson: true,
		},
	},
	'GET /agent/{id}': { ...job, resource: 'agent', operation: 'get', hasResponse: true },
	'DELETE /agent/{id}': { ...job, resource: 'agent', operation: 'cancel' },
	'POST /interact': {
		resource: 'session',
		operation: 'create',
		holds: 'response',
		places: {
			additional: ['ttl', 'activityTtl', 'profile', 'streamWebView', 'recordSession'],
		},
		// The node that ends the session is another one.
		added: { closeSession: false },
	},
	'POST /interact/{id}/execute': {
		id: 'sessionId',
		resource: 'session',
		operation: 'execute',
		holds: 'response',
		places: { own: ['code'], additional: ['language', 'timeout'] },
		added: { onFailedCode: 'item' },
	},
	'GET /interact': {
		resource: 'session',
		operation: 'getAll',
		list: ['sessions'],
		places: { additional: ['status'] },
		fixed: { returnAll: true },
	},
	'DELETE /interact/{id}': {
		id: 'sessionId',
		resource: 'session',
		operation: 'delete',
		holds: 'response',
	},
	'POST /scrape/{id}/interact': {
		...job,
		resource: 'session',
		operation: 'interact',
		holds: 'response',
		places: { own: ['prompt', 'code', 'language'], additional: ['timeout'] },
		added: { closeSession: false, onFailedCode: 'item' },
	},
	'DELETE /scrape/{id}/interact': {
		...job,
		resource: 'session',
		operation: 'stop',
		holds: 'response',
	},
	'GET /team/credit-usage': { resource: 'account', operation: 'getCreditUsage', holds: 'data' },
	'GET /team/credit-usage/historical': {
		resource: 'account',
		operation: 'getCreditHistory',
		list: ['periods'],
	},
	'GET /team/queue-status': { resource: 'account', operation: 'getQueueStatus', holds: 'response' },
};

/** Why a call has no operation in this pack. */
const missing: Record<string, string> = {
	'GET /team/token-usage':
		'The service counts credits; tokens are of the former extract. Use Account: Get Credit Usage.',
	'GET /team/token-usage/historical':
		'The service counts credits; tokens are of the former extract. Use Account: Get Credit History.',
	browserContext: 'It returns a text for agents. Web Data Tool describes itself to the model.',
	interactContext: 'It returns a text for agents. Web Data Tool describes itself to the model.',
};

/** A call as an operation of this pack with its parameters. */
export interface Converted {
	operation: Operation;
	parameters: JsonObject;
	lost: string[];
	notes: string[];
}

/** Schemas of an agent as its parameters. */
const schemaParameters = ({ schema, schemaExample }: JsonObject): JsonObject => ({
	...(schema !== undefined && { schemaType: 'schema', schema: jsonText(schema) }),
	...(schemaExample !== undefined && {
		schemaType: 'example',
		schemaExample: jsonText(schemaExample),
	}),
});

/** The parameters with an object that is merged over the request when the node runs. */
function withOverriding(parameters: JsonObject, code: string | undefined): JsonObject {
	if (code === undefined) return parameters;
	const { requestJson: json, ...group } = objectOf(parameters.additionalFields);
	const fixed = json === undefined ? '{}' : codeOf(valueOfJson(json) ?? {});
	const requestJson = codeExpression(`({ ...${fixed}, ...(${code}) })`);
	return { ...parameters, additionalFields: { ...group, requestJson } };
}

/** Limits of the service where none is sent; this pack's nodes have lower ones. */
const serviceLimits: Record<string, number> = {
	'POST /map': 5000,
	'POST /search': 10,
	'POST /crawl': 10_000,
};

/** How many minutes a job may take whose polling loop had no limit: as long as its result is kept. */
const longestWait = 1440;

/** The operation for a call, or why there is none. A call that waits, or `isRun`, becomes one that runs the job. */
export function operationFor(call: ServiceCall, isRun = false): Converted | Refusal {
	const { endpoint, id, waits } = call;
	const found = ownOf(operations, endpoint);
	if (!found) {
		const reason = missing[endpoint] ?? `The pack has no operation for ${endpoint}.`;
		return endingOf(endpoint) === undefined ? { reason } : { reason: 'The service ends it.' };
	}
	const runs = found.operation === 'start' && (isRun || waits !== undefined);
	const operation = runs ? { ...found, operation: 'run', hasResponse: true } : found;
	const body = defined({ limit: ownOf(serviceLimits, endpoint), ...call.body });
	const isAgent = found.resource === 'agent';
	const fields = isAgent ? omit(body, 'schema', 'schemaExample') : body;
	const { parameters, lost } = parametersOf(fields, found.places ?? {});
	const all = {
		...withOverriding(parameters, call.overriding),
		...(isAgent && schemaParameters(body)),
	};
	const emptied = emptiedOfKeys(all);
	const hadKey = JSON.stringify(emptied) !== JSON.stringify(all);
	const whole: JsonObject = {
		resource: operation.resource,
		operation: operation.operation,
		...(found.id !== undefined && { [found.id]: id ?? '' }),
		...(endpoint === 'POST /scrape/{id}/interact' && 'code' in body && { taskType: 'code' }),
		...emptied,
		...found.fixed,
		...(found.added && {
			additionalFields: { ...objectOf(emptied.additionalFields), ...found.added },
		}),
		...(runs && { options: { maxWait: waits ?? longestWait } }),
	};
	return {
		operation,
		lost: [
			...call.lost,
			...lost,
			...(hadKey ? ['A key in plain text was left out of what it sends.'] : []),
			...unparsableIn(whole).map((code) => `The expression {{${code}}} cannot be parsed.`),
			...rejectedBySchema(whole),
		],
		notes: [
			...call.notes,
			...(found.operation === 'start' && found.resource === 'batch'
				? ['It makes one batch of all items that come in: use Loop Over Items to keep them apart.']
				: []),
			...(runs ? ['After Max Wait it cancels the job, which went on before.'] : []),
		],
		parameters: whole,
	};
}
