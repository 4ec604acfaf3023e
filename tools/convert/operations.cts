import { z } from 'zod/v3';
import { defined, objectOf, omit, ownOf, type JsonObject } from './json.cjs';
import { endingOf } from './ending.cjs';
import { emptiedOfKeys } from './keys.cjs';
import { valueOfJson } from './literals.cjs';
import listed from './operations.json';
import { nodeOperation, rejectedBySchema } from './nodeSchema.cjs';
import { codeExpression, codeOf, unparsableIn } from './expressions.cjs';
import { jsonText, parametersOf } from './parameters.cjs';
import type { Refusal, ServiceCall } from './serviceCall.cjs';

/** An operation of this pack that sends a call, in operations.json. */
const operation = z
	.object({
		resource: z.string(),
		operation: z.string(),
		/** The parameter with the ID of the path. */
		id: z.string().optional(),
		/** Whether it can return the whole response. */
		hasResponse: z.boolean().optional(),
		/** The list of the response of which each entry becomes an item. */
		list: z.array(z.string()).optional(),
		/** Fields of the response by the names that its items have, where they do not have them all. */
		fields: z.record(z.string()).optional(),
		/** Whether the item has the fields of the response itself, or of its `data`. */
		holds: z.enum(['response', 'data']).optional(),
		/** Parameters that every node has. */
		fixed: z.record(z.boolean()).optional(),
		/** Additional fields that every node has. */
		added: z.record(z.union([z.boolean(), z.string()])).optional(),
	})
	.strict();

/** An operation of this pack that sends a call. */
export type Operation = z.infer<typeof operation>;

/** What this pack has for each endpoint of the API. */
const operations = z.record(operation).parse(listed);

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
		const reason = missing[endpoint] ?? `The converter has no operation for ${endpoint}.`;
		return endingOf(endpoint) === undefined ? { reason } : { reason: 'The service ends it.' };
	}
	const runs = found.operation === 'start' && (isRun || waits !== undefined);
	const operation = runs ? { ...found, operation: 'run', hasResponse: true } : found;
	const body = defined({ limit: ownOf(serviceLimits, endpoint), ...call.body });
	const isAgent = found.resource === 'agent';
	const fields = isAgent ? omit(body, 'schema', 'schemaExample') : body;
	const editor = nodeOperation(operation)?.fields ?? [];
	const { parameters, lost } = parametersOf(fields, editor);
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
		...found.fixed,
		...('limit' in emptied &&
			editor.some(({ name }) => name === 'returnAll') && { returnAll: false }),
		...emptied,
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
