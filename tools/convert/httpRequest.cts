import { chunksOf, expressionOf, isExpression } from './expressions.cjs';
import { at, listOf, objectOf, omit, textOf, type Json, type JsonObject } from './json.cjs';
import { objectOfJson } from './literals.cjs';
import listed from './fields.json';
import { newBody } from './olderVersions.cjs';
import { isRefusal, type Refusal, type ServiceCall } from './serviceCall.cjs';
import { shortType, type WorkflowNode } from './workflow.cjs';

/** The last one is the older tool of agents. */
const types = ['httpRequest', 'httpRequestTool', 'toolHttpRequest'];

export const isHttpRequest = (node: WorkflowNode): boolean => types.includes(shortType(node));

/** Stands for a part of a path that an expression computes. */
const computed = '{id}';

interface Target {
	version: 'v0' | 'v1' | 'v2';
	path: string;
	/** The part that an expression, or an ID, stands for. */
	id?: Json;
	query: string;
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Where a URL leads; undefined if that is not the service, which `hosts` name. */
function targetOf(url: string, hosts: readonly string[]): Target | Refusal | undefined {
	const chunks = isExpression(url) ? chunksOf(url) : [{ isCode: false, text: url }];
	const codes = chunks.filter(({ isCode }) => isCode);
	const text = chunks.map(({ isCode, text: part }) => (isCode ? computed : part)).join('');
	const [beforeQuery, query = ''] = text.trim().split('?');
	const [, host = '', place = ''] = /^https?:\/\/([^/]+)(.*)$/s.exec(beforeQuery) ?? [];
	const [, version, path] = /\/(v[012])(\/.*?)\/?$/.exec(place) ?? [];
	if (!hosts.includes(host.toLowerCase())) {
		const isInCode = codes.some((code) => hosts.some((each) => code.text.includes(each)));
		return isInCode ? { reason: 'Its URL is computed as a whole.' } : undefined;
	}
	if (version !== 'v0' && version !== 'v1' && version !== 'v2') {
		return { reason: 'Its URL is no endpoint of the API.' };
	}
	if (codes.length > 1) return { reason: 'Its URL has more than one expression.' };
	const parts = path.split('/');
	const at = parts.findIndex((part) => part.includes(computed) || isUuid(part));
	const [id] = at < 0 ? [] : [parts[at]];
	return {
		...{ version, query },
		path: (at < 0 ? parts : parts.with(at, computed)).join('/'),
		...(id !== undefined && { id: id === computed ? expressionOf(codes) : id }),
	};
}

/** The entries of a list of names and values, whose texts may be the JSON of lists and objects. */
function objectOfEntries(group: Json | undefined): JsonObject {
	const { parameter, parameters = parameter } = objectOf(group);
	return Object.fromEntries(
		listOf(parameters).flatMap((entry) => {
			const { name, value = '' } = objectOf(entry);
			const isJson = /^\s*[[{]/.test(textOf(value));
			const read = isJson ? objectOfJson(`{"value":${textOf(value)}}`)?.value : undefined;
			return textOf(name) === '' ? [] : [[textOf(name), read ?? value]];
		}),
	);
}

/** What a node of any version stores, by the names of its newest; undefined for what cannot be read. */
interface HttpParameters {
	method: Json;
	body: JsonObject | undefined;
	query: JsonObject | undefined;
	headers: JsonObject | undefined;
	contentType: string;
}

function readParameters({ typeVersion = 1, parameters }: WorkflowNode): HttpParameters {
	if (typeVersion < 3) {
		const isJson = parameters.jsonParameters === true;
		const read = (group: string) => {
			if (!isJson) return objectOfEntries(parameters[`${group}ParametersUi`]);
			const text = parameters[`${group}ParametersJson`];
			return textOf(text).trim() === '' ? {} : objectOfJson(text);
		};
		return {
			method: parameters.requestMethod ?? 'GET',
			body: read('body'),
			query: read('query'),
			headers: read('header'),
			contentType: textOf(at(parameters, 'options', 'bodyContentType') ?? 'json'),
		};
	}
	const { contentType = 'json', specifyBody, method = 'GET' } = parameters;
	const isRaw = contentType === 'raw' || specifyBody === 'string';
	const read = (sent: string, group: string) => {
		if (parameters[`send${sent}`] !== true) return {};
		if (sent === 'Body' && isRaw) return objectOfJson(parameters.body);
		return parameters[`specify${sent}`] === 'json'
			? objectOfJson(parameters[`json${sent}`])
			: objectOfEntries(parameters[`${group}Parameters`]);
	};
	return {
		method,
		body: read('Body', 'body'),
		query: read('Query', 'query'),
		headers: read('Headers', 'header'),
		contentType: contentType === 'raw' ? 'json' : textOf(contentType),
	};
}

/** The values of a query in the form of JSON, but for those that an expression in the URL computes. */
const readable = (query: JsonObject): JsonObject =>
	Object.fromEntries(
		Object.entries(query).flatMap(([name, value]) => {
			const text = textOf(value);
			if (text.includes(computed)) return [];
			return [[name, /^(?:0|[1-9]\d{0,14}|true|false)$/.test(text) ? JSON.parse(text) : value]];
		}),
	);

/** The headers of a node, as far as they can be read; none of another node. */
export const headersOf = (node: WorkflowNode): JsonObject =>
	objectOf(isHttpRequest(node) && readParameters(node).headers);

/** Paths of older versions by today's. */
const renamed: Record<string, string> = listed.formerEndpoints;

/** Headers that the credential and the node send by themselves. */
const ownHeaders = ['authorization', 'content-type', 'accept', 'x-api-key', 'user-agent'];

/** Options that change nothing that the converted node does not do by itself, or that are read here. */
const settledOptions = [
	...['redirect', 'batching', 'timeout', 'followRedirect', 'followAllRedirects', 'batchInterval'],
	...['batchSize', 'useQueryString', 'bodyContentType', 'response', 'fullResponse'],
];

/** How the response comes out, or why the converted node cannot do the same. */
function outputOf({ parameters }: WorkflowNode) {
	const options = objectOf(parameters.options);
	const response = objectOf(at(options, 'response', 'response') ?? options.response);
	const format = response.responseFormat ?? parameters.responseFormat;
	if (format === 'text' || format === 'file' || format === 'string') {
		return { reason: `It returns the response as ${format === 'file' ? 'a file' : 'text'}.` };
	}
	const isWhole = response.fullResponse === true || options.fullResponse === true;
	const goesOn = response.neverError === true || options.ignoreResponseCode === true;
	return { wrapper: isWhole ? ('body' as const) : ('none' as const), goesOn };
}

/** The call of an HTTP Request node to one of these hosts; undefined if it asks somebody else. */
export function httpCall(
	node: WorkflowNode,
	hosts: readonly string[],
): ServiceCall | Refusal | undefined {
	const target = targetOf(textOf(node.parameters.url), hosts);
	if (!target || isRefusal(target)) return target;
	if (shortType(node) === 'toolHttpRequest') {
		return {
			reason: 'It is the older HTTP tool of agents: add the Web Data node as a tool instead.',
		};
	}
	const { method, body, query, headers, contentType } = readParameters(node);
	const options = objectOf(node.parameters.options);
	if (typeof method !== 'string' || isExpression(method)) {
		return { reason: 'Its method is an expression.' };
	}
	if (!body || !query || !headers) {
		const what = !body ? 'body' : !query ? 'query' : 'headers';
		return { reason: `Its ${what} is not JSON that can be read, or is computed as a whole.` };
	}
	if (contentType !== 'json' && Object.keys(body).length > 0) {
		return { reason: `It sends its body as ${contentType}.` };
	}
	if (options.pagination !== undefined) return { reason: 'It reads pages by its own pagination.' };
	const output = outputOf(node);
	if (isRefusal(output)) return output;
	const { version, id, path } = target;
	const called = `${method} ${path}`;
	const endpoint = renamed[called] ?? called;
	const queried = { ...Object.fromEntries(new URLSearchParams(target.query)), ...query };
	const isGet = method === 'GET';
	const sent = isGet ? readable(queried) : body;
	const converted = newBody(endpoint, version, omit(sent, 'integration', 'origin'));
	const without = (what: string, names: Iterable<string>, isKnown: (name: string) => boolean) =>
		[...names]
			.filter((name) => !isKnown(name))
			.map((name) => `The ${what} "${name}" has no counterpart.`);
	return {
		endpoint,
		id,
		body: converted.body,
		version,
		wrapper: output.wrapper,
		lost: [
			...without('query parameter', Object.keys(queried), (name) => isGet && name in sent),
			...without('header', Object.keys(headers), (name) => ownHeaders.includes(name.toLowerCase())),
			...without('option', Object.keys(options), (name) => settledOptions.includes(name)),
			...converted.lost,
		],
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
