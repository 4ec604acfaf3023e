import { expressionOf, isExpression, type Chunk } from './expressions.cjs';
import { listOf, objectOf, omit, textOf, type Json, type JsonObject } from './json.cjs';
import { asTemplate, objectOfJson } from './literals.cjs';
import { newBody } from './olderVersions.cjs';
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import type { WorkflowNode } from './workflow.cjs';

const olderTool = '@n8n/n8n-nodes-langchain.toolHttpRequest';

const types = [
	...['httpRequest', 'httpRequestTool'].map((name) => `n8n-nodes-base.${name}`),
	olderTool,
];

export const isHttpRequest = ({ type }: WorkflowNode): boolean => types.includes(type);

/** Stands for a part of a path that an expression computes. */
const computed = '{id}';

interface Target {
	host: string;
	version: 'v0' | 'v1' | 'v2';
	path: string;
	/** The part that an expression, or an ID, stands for. */
	id?: Json;
	query: string;
}

const template = (url: string): Chunk[] =>
	isExpression(url) ? asTemplate(url) : [{ isCode: false, text: url }];

/** Where a URL leads, if that is an endpoint of the service. */
function targetOf(url: string): Target | undefined {
	const chunks = template(url);
	const codes = chunks.filter(({ isCode }) => isCode);
	const text = chunks
		.map((chunk) => (chunk.isCode ? computed : chunk.text))
		.join('')
		.trim();
	const [beforeQuery, query = ''] = text.split('?');
	const [, host, version, path] =
		/^https?:\/\/([^/]+)\/(?:[^?]*\/)?(v[012])(\/[^?]*?)\/?$/.exec(beforeQuery) ?? [];
	if (host === undefined || host.includes(computed) || codes.length > 1) return undefined;
	if (version !== 'v0' && version !== 'v1' && version !== 'v2') return undefined;
	const { path: known, id } = withoutId(path);
	const value = id === computed ? expressionOf(codes) : id;
	return { host, version, path: known, id: value, query };
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A path with `{id}` for the ID in it. */
function withoutId(path: string): { path: string; id?: string } {
	const parts = path.split('/');
	const at = parts.findIndex((part) => part.includes(computed) || isUuid(part));
	if (at < 0) return { path };
	return { path: parts.with(at, '{id}').join('/'), id: parts[at] };
}

/** Key and value entries of any version of the node, with the form of bodies that JSON gives. */
const entries = (group: Json | undefined): Array<[string, Json]> => {
	const { parameter, parameters } = objectOf(group);
	return listOf(parameters ?? parameter)
		.map((entry): [string, Json] => [textOf(objectOf(entry).name), objectOf(entry).value ?? ''])
		.filter(([name]) => name !== '');
};

/** An object from entries, whose texts may be the JSON of lists and objects. */
function objectOfEntries(list: Array<[string, Json]>): JsonObject {
	return Object.fromEntries(
		list.map(([name, value]) => {
			const text = typeof value === 'string' ? value.trim() : '';
			const isJson = text.startsWith('[') || text.startsWith('{');
			const [, read] = Object.entries(objectOfJson(`{"value":${text}}`) ?? {})[0] ?? [];
			return [name, isJson && read !== undefined ? read : value];
		}),
	);
}

/** What a node of any version stores, by the names of its newest. */
interface HttpParameters {
	method: Json;
	url: string;
	body: JsonObject | undefined;
	query: JsonObject | undefined;
	headers: JsonObject | undefined;
	options: JsonObject;
	contentType: string;
}

function readParameters({ typeVersion = 1, parameters }: WorkflowNode): HttpParameters {
	const url = textOf(parameters.url);
	const options = objectOf(parameters.options);
	if (typeVersion < 3) {
		const isJson = parameters.jsonParameters === true;
		const read = (json: string, ui: string) =>
			isJson
				? textOf(parameters[json]).trim() === ''
					? {}
					: objectOfJson(parameters[json])
				: objectOfEntries(entries(parameters[ui]));
		return {
			method: parameters.requestMethod ?? 'GET',
			url,
			options,
			body: read('bodyParametersJson', 'bodyParametersUi'),
			query: read('queryParametersJson', 'queryParametersUi'),
			headers: read('headerParametersJson', 'headerParametersUi'),
			contentType: textOf(options.bodyContentType ?? 'json'),
		};
	}
	const read = (isSent: Json, how: Json | undefined, json: string, list: string) => {
		if (isSent !== true) return {};
		return how === 'json'
			? objectOfJson(parameters[json])
			: objectOfEntries(entries(parameters[list]));
	};
	const { sendBody = false, sendQuery = false, sendHeaders = false, contentType } = parameters;
	const isRaw = contentType === 'raw' || parameters.specifyBody === 'string';
	return {
		method: parameters.method ?? 'GET',
		url,
		options,
		body:
			isRaw && sendBody === true
				? objectOfJson(parameters.body)
				: read(sendBody, parameters.specifyBody, 'jsonBody', 'bodyParameters'),
		query: read(sendQuery, parameters.specifyQuery, 'jsonQuery', 'queryParameters'),
		headers: read(sendHeaders, parameters.specifyHeaders, 'jsonHeaders', 'headerParameters'),
		contentType: contentType === 'raw' ? 'json' : textOf(contentType ?? 'json'),
	};
}

/** Paths of older versions by today's. */
const renamed: Record<string, string> = {
	'GET /crawl/status/{id}': 'GET /crawl/{id}',
	'DELETE /crawl/cancel/{id}': 'DELETE /crawl/{id}',
	'GET /crawl/ongoing': 'GET /crawl/active',
	'POST /browser': 'POST /interact',
	'GET /browser': 'GET /interact',
	'POST /browser/{id}/execute': 'POST /interact/{id}/execute',
	'DELETE /browser/{id}': 'DELETE /interact/{id}',
};

/** Headers that the credential and the node send by themselves. */
const ownHeaders = ['authorization', 'content-type', 'accept', 'x-api-key', 'user-agent'];

/** Options that change nothing that the converted node does not do by itself. */
const harmless = ['redirect', 'batching', 'timeout', 'followRedirect', 'followAllRedirects'];
const settledBySelf = [
	...harmless,
	'batchInterval',
	'batchSize',
	'useQueryString',
	'bodyContentType',
];

/** How the response comes out, or why the converted node cannot do the same. */
function outputOf({ parameters }: WorkflowNode, options: JsonObject) {
	const response = objectOf(objectOf(options.response).response ?? options.response);
	const format = response.responseFormat ?? parameters.responseFormat ?? 'autodetect';
	if (format === 'text' || format === 'file' || format === 'string') {
		return { reason: `It returns the response as ${format === 'file' ? 'a file' : 'text'}.` };
	}
	const isWhole = response.fullResponse === true || options.fullResponse === true;
	const goesOn = response.neverError === true || options.ignoreResponseCode === true;
	return { wrapper: isWhole ? ('body' as const) : ('none' as const), goesOn };
}

/**
 * The call of an HTTP Request node; undefined if it asks something else than the service.
 * `hosts` are the service's, also self-hosted ones.
 */
export function httpCall(
	node: WorkflowNode,
	hosts: readonly string[],
): ServiceCall | Refusal | undefined {
	const target = targetOf(textOf(node.parameters.url));
	if (!target || !hosts.includes(target.host.toLowerCase())) return undefined;
	if (node.type === olderTool) {
		return {
			reason: 'It is the older HTTP tool of agents: add the Web Data node as a tool instead.',
		};
	}
	const { method, options, body, query, headers, contentType } = readParameters(node);
	if (typeof method !== 'string' || isExpression(method)) {
		return { reason: 'Its method is an expression.' };
	}
	if (!body || !query || !headers) {
		return {
			reason: `Its ${!body ? 'body' : !query ? 'query' : 'headers'} is not JSON that can be read, or is computed as a whole.`,
		};
	}
	if (contentType !== 'json' && Object.keys(body).length > 0) {
		return { reason: `It sends its body as ${contentType}.` };
	}
	if (options.pagination !== undefined) return { reason: 'It reads pages by its own pagination.' };
	const output = outputOf(node, options);
	if (isRefusal(output)) return output;
	const { version, id, path } = target;
	const called = `${method} ${path}`;
	const endpoint = renamed[called] ?? called;
	const converted = newBody(endpoint, version, omit(body, 'integration', 'origin'));
	const parts = new URLSearchParams(target.query);
	const lost = [
		...[...Object.keys(query), ...parts.keys()].map(
			(name) => `The query parameter "${name}" has no counterpart.`,
		),
		...Object.keys(headers)
			.filter((name) => !ownHeaders.includes(name.toLowerCase()))
			.map((name) => `The header "${name}" has no counterpart.`),
		...Object.keys(options)
			.filter(
				(name) => !settledBySelf.includes(name) && name !== 'response' && name !== 'fullResponse',
			)
			.map((name) => `The option "${name}" has no counterpart.`),
	];
	return {
		endpoint,
		id,
		body: converted.body,
		version,
		wrapper: output.wrapper,
		lost: [...lost, ...converted.lost],
		notes: [
			...converted.notes,
			...(output.goesOn
				? [
						'An error response of the service is now an error of the node: set On Error if it may fail.',
					]
				: []),
		],
	};
}
