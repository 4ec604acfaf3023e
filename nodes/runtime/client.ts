import type { IDataObject, IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import { fromJson } from './json';
import type { Answer, Failure, RepeatCost } from './retry';

/** A request to the API. `path` begins with a slash and has its ids encoded. */
export interface Request {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: object;
	headers?: Record<string, string>;
	/** The service's own time for the answer in milliseconds, when the request or the spec names one. */
	serviceTimeout?: number;
	/** Answers that are good though the service marks them as failed: what was asked for, with a failure in it. */
	accepts?(answer: Answer): boolean;
	cost: RepeatCost;
	/** Most credits that it may cost, as far as the request tells (the spec's price list); the answer says what it did. */
	price?: number;
}

/** A file on its way to an address that the service named. */
export interface Upload {
	url: string;
	method: IHttpRequestMethods;
	headers: Record<string, string>;
	body: File | FormData;
}

/** Where n8n lets a request be sent from: an action node, a trigger, a webhook or a list. */
export type HttpContext = ThisParameterType<
	IExecuteFunctions['helpers']['httpRequestWithAuthentication']
>;

/** n8n aborts every request of a stopped execution; through this view of it, a request still goes out and comes back. */
export const unstoppable = (context: HttpContext): HttpContext =>
	new Proxy(context, {
		has: (target, key) => key !== 'getExecutionCancelSignal' && key in target,
	});

export const credentialType = 'webDataApi';

const usualTimeout = 300_000;
const margin = 30_000;

/** Longer than the service's own time, so that no answer that is paid for is dropped. Milliseconds. */
const timeoutFor = (serviceTimeout = 0) => Math.max(usualTimeout, serviceTimeout + margin);

const textOf = (value: unknown, name: string): string | undefined => {
	const found: unknown =
		typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
	return typeof found === 'string' ? found : undefined;
};

/** What came of sending a request once. */
export type Reply = { success: Answer } | { failure: Failure };

/** Reads n8n's error for a request without answer; axios keeps the network's code in the cause. */
function asSilence(error: unknown): Reply {
	const cause: unknown = error instanceof Error ? error.cause : undefined;
	const code = textOf(cause, 'code') ?? textOf(error, 'code') ?? 'UNKNOWN';
	const words = textOf(cause, 'message') ?? textOf(error, 'message') ?? 'no answer';
	return { failure: { silence: { code, words } } };
}

const isBlank = (body: unknown) => body === undefined || body === null || body === '';

/** Whether an answer is what was asked for: 2xx, JSON, and not marked as failed (addendum 17, traps 20 and 21). */
function succeeded({ status, body }: Answer): boolean {
	if (status < 200 || status > 299 || isBlank(body) || typeof body !== 'object') return false;
	return !('success' in body && body.success === false);
}

/** Whether a path has steps that mean "here" or "above", which an ID of dots alone makes and no encoding prevents. */
const leadsElsewhere = (path: string) =>
	path
		.split(/[?#]/, 1)[0]
		.split('/')
		.some((step) => /^(\.|%2e){1,2}$/i.test(step));

const notSent: Reply = {
	failure: { silence: { code: 'ERR_INVALID_PATH', words: 'not asked, for the ID is none' } },
};

/**
 * Sends one request once, to the path that it names and no other. Redirects are not followed: a POST
 * would turn into a GET, and the key would leave its origin. Never throws; a failed request is a value.
 */
export async function exchange(
	context: HttpContext,
	{ method, path, query, body, headers, serviceTimeout, accepts }: Request,
): Promise<Reply> {
	if (leadsElsewhere(path)) return notSent;
	const request = context.helpers.httpRequestWithAuthentication.call(context, credentialType, {
		method,
		url: path,
		qs: query,
		body,
		headers,
		json: true,
		timeout: timeoutFor(serviceTimeout),
		arrayFormat: 'repeat',
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return await request.then(
		(response: { statusCode: number; headers: Record<string, unknown>; body: unknown }): Reply => {
			const { statusCode: status, headers: answered, body: content } = response;
			const answer = { status, headers: answered, body: content };
			const good = succeeded(answer) || accepts?.(answer) === true;
			return good ? { success: answer } : { failure: { answer } };
		},
		asSilence,
	);
}

/** Sends a file to an address that the service named, once. It lies on any host, so no key goes along, and no redirect is followed. */
export async function upload(
	context: HttpContext,
	{ url, method, headers, body }: Upload,
): Promise<Reply> {
	const request = context.helpers.httpRequest({
		url,
		method,
		headers,
		body,
		timeout: usualTimeout,
		disableFollowRedirect: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return await request.then(
		(response: { statusCode: number; headers: Record<string, unknown>; body: unknown }): Reply => {
			const { statusCode: status, headers: answered, body: content } = response;
			const answer = { status, headers: answered, body: content };
			return status >= 200 && status < 300 ? { success: answer } : { failure: { answer } };
		},
		asSilence,
	);
}

/** Fetches a file that the service links to, once. It lies on any host, so no key goes along. The body of a success is a Buffer. */
export async function download(context: HttpContext, url: string): Promise<Reply> {
	const request = context.helpers.httpRequest({
		url,
		encoding: 'arraybuffer',
		timeout: usualTimeout,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	});
	return await request.then(
		(response: { statusCode: number; headers: Record<string, unknown>; body: unknown }): Reply => {
			const { statusCode: status, headers, body } = response;
			if (!Buffer.isBuffer(body)) return { failure: { answer: { status, headers, body } } };
			if (status >= 200 && status < 300) return { success: { status, headers, body } };
			// A refusal comes as bytes, too, where bytes were asked for.
			return { failure: { answer: { status, headers, body: fromJson(body.toString('utf8')) } } };
		},
		asSilence,
	);
}
